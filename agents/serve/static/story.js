// What happened, in words: a line for each turn; a line leads to its moment. New lines are told to screen readers.

import { announce, button, fill, make, table } from "./dom.js";

export function makeStory(panel, go) {
  let game = null;
  let told = 0;

  return {
    show(view, present) {
      const lines = view.told.map((line) => make("li", {},
        button(line.text, () => go(line.last), { class: "line", title: `to decision ${line.last}` })));
      fill(panel, lines.length ? make("ol", { class: "story" }, lines) : null, underWay(view));
      panel.scrollTop = panel.scrollHeight;
      if (present && game === view.game && view.told.length > told) {
        const fresh = view.told.slice(told).map((line) => line.text);
        announce([...fresh, view.asked === "person" ? view.question : ""].join(". "));
      } else if (present && view.asked === "person") {
        announce(view.question);
      }
      game = view.game;
      told = view.told.length;
    },
  };
}

/** What is said of decisions that are told only with the whole turn. */
function underWay(view) {
  if (!view.at) return make("p", {}, "Nothing has happened yet.");
  if (view.to_act === null || view.at <= (view.told.at(-1)?.last ?? 0)) return null;
  const { name, seat } = view.players[view.to_act];
  return make("p", {}, `${name === "you" ? "Your turn" : `The turn of seat ${seat} (${name})`} is under way; it is told here when it ends.`);
}

/** Points by source, and what everybody has. */
export function showPoints(panel, view) {
  const head = ["", ...view.players.map((player) => `seat ${player.seat}: ${player.name}`)];
  const total = ["total", ...view.players.map((player) => String(player.points))];
  fill(panel,
    table("VP by source", head, [...view.sources.map((row) => [row.title, ...row.values]), total]),
    table("What everybody has", head, view.facts.map((row) => [row.title, ...row.values])));
}

/** The board for those who do not see it. */
export function showWords(panel, view) {
  fill(panel, view.described.split(/(?<=\.) /).map((sentence) => make("p", {}, sentence)));
}
