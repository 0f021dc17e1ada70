// The dialogs: the rules, and what leaves the page: a position as text, a game as a file, a game played on.

import * as api from "./api.js";
import { button, fill, find, make, toast } from "./dom.js";
import { PERSON, seatForm } from "./start.js";

function open(dialog, title, ...content) {
  const close = button("Close", () => dialog.close(), { class: "close" });
  fill(dialog, make("div", { class: "title" }, make("h2", { id: `${dialog.id}-title` }, title), close), content);
  dialog.showModal();
}

export function showRules(about) {
  open(find("#rules"), "Rules",
    about.rules.map((chapter) => make("section", {}, make("h3", {}, chapter.title),
      chapter.lines.map((line) => make("p", {}, line)))),
    make("section", {}, make("h3", {}, "Keys"), make("ul", {}, [
      "Tab goes to the board; the arrow keys go from choice to choice on it, Enter chooses.",
      "Outside of it the left and right arrow keys step through the game, Page Up and Page Down by turns, Home and End to its beginning and end.",
    ].map((line) => make("li", {}, line)))));
}

export async function showShare(view) {
  let text;
  try { ({ text } = await api.text(view.game, view.at)); } catch (error) { toast(error.message); return; }
  const area = make("textarea", { id: "shared", rows: "6", readonly: true, spellcheck: "false", value: text });
  const copy = async () => {
    area.select();
    try { await navigator.clipboard.writeText(text); toast("Copied."); } catch { toast("Press Ctrl-C to copy the marked text."); }
  };
  open(find("#share"), "Share this moment",
    make("label", { for: "shared" }, "This text holds the position and how it came about. Anybody opens it under “Games”.", area),
    make("p", {}, button("Copy", copy, { class: "main" })));
}

export function showBranch(about, view, opened) {
  const codes = view.players.map((player) => player.code);
  const someone = Math.max(0, view.to_act ?? 0); // a position from elsewhere has nobody in it: whoever opens it plays
  if (!codes.includes(PERSON)) codes[someone] = PERSON;
  const form = seatForm(about, view.players.length, codes, "branch-seat");
  const begin = async () => {
    try {
      const made = await api.branch(view.game, view.at, form.seats());
      find("#share").close();
      opened(made);
    } catch (error) { toast(error.message); }
  };
  open(find("#share"), `Play on from decision ${view.at}`, form.element,
    make("p", {}, button("Begin the new game", begin, { class: "main", id: "begin-branch" })));
}

/** A record of a game that is over, as a line of a file of records; else the saved game. */
export async function save(view) {
  let content;
  try { content = await api.record(view.game); } catch (error) { toast(error.message); return; }
  const over = view.over;
  const blob = new Blob([JSON.stringify(content, null, over ? 0 : 1) + "\n"], { type: "application/json" });
  const link = make("a", { href: URL.createObjectURL(blob), download: over ? "game.jsonl" : "game.json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
