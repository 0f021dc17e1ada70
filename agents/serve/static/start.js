// Beginning: a new game, a record or saved game from a file, a position from text, the visitor's games.

import * as api from "./api.js";
import { button, fill, find, make, toast } from "./dom.js";

export const PERSON = "human";
const WORDS = {
  [PERSON]: "a person at this screen",
  random: "random: plays anything",
  busy: "busy: easy",
  greedy: "greedy: medium, takes what scores now",
  planner: "planner: strong, plans whole turns",
};
const BOARDS = {
  reconstructed: "reconstructed: the usual one",
  flat: "flat: all figures worth the same",
  rising: "rising: later figures worth more",
  shuffled: "shuffled: rings in a new order",
};
const wordsOf = (code) => WORDS[code] ?? (code.startsWith("mcts:") ? `${code}: tries ${code.slice(5)} ways ahead` : code);

/** Selects for who sits where; `seats()` of the answer are the codes. */
export function seatForm(about, players, preset = [], prefix = "seat") {
  const usual = about.bots.includes("busy") ? "busy" : about.bots[0];
  const selects = Array.from({ length: players }, (_, seat) => {
    const select = make("select", { id: `${prefix}-${seat}` },
      [PERSON, ...about.bots].map((code) => make("option", { value: code }, wordsOf(code))));
    select.value = preset[seat] ?? (seat === 0 ? PERSON : usual);
    if (!select.value) select.value = usual;
    return select;
  });
  const element = make("div", { class: "seats" }, selects.map((select, seat) => make("label", { for: select.id },
    make("span", { class: `seat seat${seat}` }, `seat ${seat}`), select)));
  return { element, seats: () => selects.map((select) => select.value) };
}

export async function showStart(about, open) {
  const holder = find("#start");
  const seatHolder = make("div", {});
  let form = null;
  const number = make("select", { id: "players", onchange: () => seats(Number(number.value)) },
    about.players.map((count) => make("option", { value: count }, String(count))));
  const seats = (count) => { form = seatForm(about, count, form?.seats()); fill(seatHolder, form.element); };
  const board = make("select", { id: "printed" }, about.boards.map((name) => make("option", { value: name }, BOARDS[name] ?? `${name}: see Rules`)));
  const seed = make("input", { id: "seed", inputmode: "numeric", autocomplete: "off", placeholder: "drawn by itself" });
  const practice = make("input", { type: "checkbox", id: "practice", checked: true });
  seats(about.players[0]);

  const begin = async (event) => {
    event.preventDefault();
    if (seed.value && !/^\d{1,15}$/.test(seed.value)) { toast("Seed: expected a whole number of at most 15 digits, or nothing."); return; }
    await opened(() => api.begin({
      seats: form.seats(), board: board.value, seed: seed.value ? Number(seed.value) : null, practice: practice.checked,
    }));
  };
  const opened = async (ask) => {
    try { open(await ask()); } catch (error) { toast(error.message); }
  };

  const file = make("input", { type: "file", id: "file", accept: ".json,.jsonl,application/json" });
  const games = make("div", {});
  file.addEventListener("change", () => chooseGame(file, games, (record) => opened(() => api.openRecord(record))));
  const text = make("textarea", { id: "text", rows: "3", spellcheck: "false" });

  fill(holder,
    make("h2", { id: "start-title", tabindex: "-1" }, "Begin"),
    make("div", { class: "columns" },
      make("form", { class: "card", onsubmit: begin },
        make("h3", {}, "New game"),
        make("label", { for: "players" }, "Players ", number),
        make("p", {}, "A seat is a place at the table. Who begins is drawn. “mcts” bots try moves ahead: a larger number is stronger and slower."),
        seatHolder,
        make("details", {}, make("summary", {}, "More"),
          make("label", { for: "printed" }, "Printed board ", board),
          make("p", {}, "It is what is printed on board and rings: which actions there are, what they cost, what figures are worth."),
          make("label", { for: "seed" }, "Seed ", seed),
          make("p", {}, "A number from which the chance of the setup is drawn: the same number gives the same start."),
          make("label", { for: "practice" }, practice, " practice: undo, hints and analysis during the game")),
        make("p", {}, make("button", { class: "main", id: "begin" }, "Begin the game"))),
      make("div", { class: "card" },
        make("h3", {}, "Open"),
        make("label", { for: "file" }, "A record (.jsonl) or a saved game (.json) ", file), games,
        make("label", { for: "text" }, "A position shared as text", text),
        make("p", {}, button("Open the position", () => opened(() => api.openText(text.value.trim())), { id: "open-text" }))),
      await own(open, about)));
}

/** The visitor's games on the server. */
async function own(open, about) {
  const list = await api.games().catch(() => []);
  if (!list.length) {
    return make("div", { class: "card" }, make("h3", {}, "New here?"),
      make("p", {}, about.rules[0]?.lines[0] ?? ""),
      make("p", {}, "Begin a game against one easy bot: every choice is explained beside the board. “Rules” tells the whole game."));
  }
  const item = (game) => make("li", {},
    button(`${game.names.join(", ")} (${game.title})`, async () => {
      try { open(await api.look(game.game)); } catch (error) { toast(error.message); }
    }, { class: "line" }),
    ` ${game.over ? "over" : `decision ${game.decisions}`} `,
    button("forget", async (event) => {
      const asked = event.currentTarget;
      if (!game.over && !asked.dataset.sure) { // a game under way goes at the second press only
        asked.dataset.sure = "yes";
        asked.textContent = "really forget?";
        return;
      }
      await api.end(game.game).catch((error) => toast(error.message));
      event.target.closest("li").remove();
    }, { "aria-label": `Forget the game of ${game.names.join(", ")}` }));
  return make("div", { class: "card" }, make("h3", {}, "Your games"), make("ul", { class: "games" }, list.map(item)));
}

/** One record of a file: a saved game is one JSON value, a file of records has one on each line. */
async function chooseGame(file, holder, take) {
  fill(holder);
  const chosen = file.files[0];
  if (!chosen) return;
  const content = await chosen.text();
  let records;
  try {
    records = [JSON.parse(content)];
  } catch {
    try {
      records = content.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
    } catch (error) { toast(`${chosen.name}: expected JSON, or one JSON object a line (${error.message}).`); return; }
  }
  if (!records.length) { toast(`${chosen.name} holds no game.`); return; }
  const bare = ({ trace, ...rest }) => rest; // what programs said of it while it was played: the decisions say it all
  if (records.length === 1) { take(bare(records[0])); return; }
  const select = make("select", { id: "which" }, records.slice(0, 1000).map((record, index) =>
    make("option", { value: index }, `game ${index}: ${(record.agents ?? []).join(", ")}`)));
  fill(holder, make("label", { for: "which" }, `${records.length} games `, select),
    button("Open", () => take(bare(records[Number(select.value)])), { id: "open-which" }));
}
