// What is asked: the question, rules of this kind of decision, every choice as a button, and what to do besides.

import * as api from "./api.js";
import { button, fill, find, make } from "./dom.js";

const MANY = 26; // so many choices are listed openly; more, such as all spaces, are first looked for on the board

/**
 * @param {object} acts `choose(token)`, `point(token)`, `hint()`, `undo()`, `redo()`, `present()`
 */
export function makeAsk(acts) {
  const holder = find("#ask");
  const unfolded = {};

  function show(view, { present, hinted }) {
    fill(holder,
      heading(view, present),
      view.fault ? make("p", { class: "fault" }, `A bot failed, the game stands still: ${view.fault}`) : null,
      view.over && present ? [make("p", {}, won(view)), result(view)] : null,
      present ? happened(view) : null,
      present && view.asked === "person" ? choices(view, hinted) : null,
      !present && view.made ? decided(view) : null,
      tools(view, present),
      help(view));
    toNewest();
  }

  function toNewest() {
    const moves = holder.querySelector(".happened .scroll");
    if (moves) moves.scrollTop = moves.scrollHeight;
  }

  function heading(view, present) {
    const who = view.to_act === null ? null : view.players[view.to_act];
    let text = view.question;
    if (present && view.asked === "bot") text = `${who.name} is thinking …`;
    const seat = who ? make("span", { class: `seat seat${who.seat}` }, `seat ${who.seat}: ${who.name}`) : null;
    const past = present ? null : make("span", { class: "past" }, `moment ${view.at} of ${view.decisions}`);
    return make("div", { class: "heading" },
      make("p", { class: "who" }, seat, past),
      make("h2", { id: "question", tabindex: "-1" }, text));
  }

  /** What the others did since the last turn of the seat that is asked, the newest last. */
  function happened(view) {
    const own = new RegExp(`^(You|Seat ${view.to_act}) `);
    const mine = view.to_act === null ? -1 : view.told.findLastIndex((line) => own.test(line.text));
    const lines = view.told.slice(Math.max(mine + 1, view.told.length - view.players.length - 2));
    if (!lines.length) return null;
    return folding("happened", "Last moves", make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Last moves" },
      make("ul", {}, lines.map((line) => make("li", {}, line.text)))));
  }

  /** Who won by how much, in words. */
  function won(view) {
    const [first, second] = view.ranking.map((seat) => view.players[seat]);
    const alone = view.players.filter((player) => player.name === first.name).length === 1;
    const who = first.name === "you" ? "You" : alone ? first.name : `Seat ${first.seat} (${first.name})`;
    const lead = first.points - second.points;
    return `${who} won ${lead ? `by ${lead} VP` : "a tie, being earlier in the turn order"}. The Points tab tells where the points came from.`;
  }

  function result(view) {
    return make("ol", { class: "result", "aria-label": "Result" }, view.ranking.map((seat) => {
      const player = view.players[seat];
      return make("li", {}, make("span", { class: `seat seat${seat}` }, `seat ${seat}: ${player.name}`), ` ${player.points} VP`);
    }));
  }

  function help(view) {
    return folding("help", `Rules: ${view.help.title}`, view.help.lines.map((line) => make("p", {}, line)));
  }

  /** Text that stays open or closed as it was left; on a phone it begins closed. */
  function folding(name, title, content) {
    unfolded[name] ??= api.layout() === "wide";
    const element = make("details", { class: name, open: unfolded[name] }, make("summary", {}, title), content);
    element.addEventListener("toggle", () => { unfolded[name] = element.open; toNewest(); });
    return element;
  }

  function choices(view, hinted) {
    const items = view.choices.map((choice) => item(view, choice, hinted === choice.token));
    const list = make("ul", { class: "choices", "aria-label": "Choices" }, items);
    if (items.length <= MANY) return list;
    return make("details", { class: "all" },
      make("summary", {}, `${items.length} choices: lit on the board; all in words`),
      list);
  }

  function item(view, choice, hinted) {
    const more = make("ul", { class: "more", hidden: true });
    const why = button("?", async () => {
      if (more.hidden && !more.childElementCount) {
        const found = await api.explain(view.game, choice.token, view.at).catch((error) => ({ lines: [error.message] }));
        fill(more, found.lines.slice(1).map((line) => make("li", {}, line)));
      }
      more.hidden = !more.hidden;
      why.setAttribute("aria-expanded", String(!more.hidden));
    }, { class: "why", "aria-label": `What would change: ${choice.words}`, "aria-expanded": "false" });
    const take = button(choice.words, () => acts.choose(choice.token), {
      class: hinted ? "choice hinted" : "choice",
      "data-choice": choice.token,
      onpointerenter: () => acts.point(choice.token),
      onpointerleave: () => acts.point(null),
      onfocus: () => acts.point(choice.token),
      onblur: () => acts.point(null),
    });
    return make("li", {}, make("div", { class: "row" }, take, why), more);
  }

  function decided(view) {
    const player = view.players[view.made.seat];
    return make("p", { class: "decided" },
      make("span", { class: `seat seat${player.seat}` }, player.name), ` chose: ${view.made.words}`);
  }

  function tools(view, present) {
    const asked = present && view.asked === "person";
    return make("div", { class: "tools" },
      asked && view.can_ask ? button("Hint", acts.hint, { id: "hint" }) : null,
      present && view.can_undo ? button("Undo", acts.undo, { id: "undo" }) : null,
      present && view.can_redo ? button("Redo", acts.redo, { id: "redo" }) : null,
      present ? null : button("Back to the present", acts.present, { id: "present" }),
      view.over || !present || view.asked === null ? button("Play on from here …", acts.branch, { id: "branch" }) : null);
  }

  return {
    show,
    focus: () => (holder.querySelector(".choices .choice") ?? find("#question")).focus(),
    focused: () => holder.contains(document.activeElement),
    /** Marks a choice that is pointed at on the board. */
    mark(token) {
      for (const old of holder.querySelectorAll(".choice.pointed")) old.classList.remove("pointed");
      if (token !== null) holder.querySelector(`[data-choice="${CSS.escape(token)}"]`)?.classList.add("pointed");
    },
  };
}
