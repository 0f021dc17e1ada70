// What an analyst thinks: candidates with probabilities, visits and values, heat on the board, and the course of the game.

import * as api from "./api.js";
import { chart } from "./chart.js";
import { button, draw, fill, make, percent, toast } from "./dom.js";

const PART = 8; // moments asked for at once: the graph grows while it is made

/**
 * @param {HTMLElement} panel
 * @param {string[]} analysts
 * @param {object} acts `go(at)`, `heat(picture | null)` shows another picture, `point(token)`
 */
export function makeAnalysis(panel, analysts, acts) {
  const select = make("select", { id: "analyst", onchange: refresh }, analysts.map((code) => make("option", { value: code }, code)));
  const always = make("input", { type: "checkbox", id: "always", onchange: () => refresh() });
  const heat = make("input", { type: "checkbox", id: "heat", checked: true, onchange: () => paint() });
  const found = make("div", { "aria-live": "polite" });
  const graphs = make("div", {});
  let view = null;
  let last = null; // the analysis shown
  let course = null; // the graph of the game
  let drawing = 0; // grows with every graph begun: an older one stops

  fill(panel,
    make("div", { class: "tools" },
      make("label", {}, "Analyst ", select),
      button("Analyse this moment", analyse, { id: "analyse" })),
    make("p", {}, "An analyst is a bot that judges the choices. “mcts:400” tries 400 ways ahead; a larger number is better and slower."),
    make("div", { class: "tools" },
      make("label", {}, always, " at every moment"),
      make("label", {}, heat, " heat on the board")),
    found,
    make("h3", {}, "Course of the game"),
    make("div", { class: "tools" }, button("Win chances over the game", allChances, { id: "chances" })),
    graphs);

  async function analyse() {
    const asked = view;
    if (!asked || !asked.can_ask || asked.to_act === null) {
      fill(found, make("p", {}, asked?.to_act === null ? "The game is over here: look at an earlier moment."
        : "Analyses are for practice games, and for games that are over."));
      return;
    }
    try {
      const answer = await api.analyse(asked.game, asked.at, select.value);
      if (view.game !== asked.game || view.at !== asked.at) return;
      last = answer;
      paint();
    } catch (error) { toast(error.message); }
  }

  function paint() {
    if (!last) { fill(found); acts.heat(null); return; }
    acts.heat(heat.checked ? last.picture : null);
    const names = view.players.map((player) => player.name);
    const seats = view.players.map((player) => player.seat);
    fill(found,
      make("p", {}, `${last.analyst} for seat ${last.seat}`, last.simulations ? `, ${last.simulations} simulations` : "",
        ". Chance to win, by playing on: ",
        last.chances.map((chance, seat) => `${names[seat]} ${percent(chance)}`).join(", "), "."),
      make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Candidates" },
        make("table", { class: "candidates" },
          make("caption", {}, "Choices the analyst looked at. Share: how much it favours the choice. Visits: how often it tried it. Seat: the result it expects for that seat, from 1 (sure to be first) to −1 (sure to be last)"),
          make("thead", {}, make("tr", {}, ["Choice", "Share", "Visits", ...seats.map((seat) => `Seat ${seat}`)]
            .map((title) => make("th", { scope: "col" }, title)))),
          make("tbody", {}, last.candidates.map(row)))),
      last.line.length ? make("details", {}, make("summary", {}, "Expected line of play"),
        make("ol", { class: "line-of-play" }, last.line.map((step) => make("li", {}, step)))) : null);
  }

  function row(candidate) {
    const values = candidate.values ?? view.players.map(() => null);
    return make("tr", { onpointerenter: () => acts.point(candidate.token), onpointerleave: () => acts.point(null) },
      make("th", { scope: "row" }, candidate.words),
      make("td", {}, percent(candidate.probability),
        draw("svg", { viewBox: "0 0 40 6", class: "bar", "aria-hidden": "true" },
          draw("rect", { width: 40 * candidate.probability, height: 6 }))),
      make("td", {}, candidate.visits ?? "–"),
      values.map((value) => make("td", {}, value === null ? "–" : value.toFixed(2).replace("-", "−"))));
  }

  async function refresh() {
    if (!view) return;
    const asked = view;
    try {
      course = view.can_ask ? await api.graph(asked.game, select.value) : null;
    } catch { course = null; }
    if (view === asked) paintGraphs();
    if (always.checked) await analyse();
  }

  async function allChances() {
    if (!course) return;
    const mine = (drawing += 1);
    const asked = view.game;
    const known = new Set(course.chances.map((entry) => entry.at));
    const wanted = [...course.turns, course.points.length - 1].filter((at) => !known.has(at));
    try {
      for (let first = 0; first < wanted.length && drawing === mine && view.game === asked; first += PART) {
        const part = await api.chances(asked, wanted.slice(first, first + PART), select.value);
        if (drawing !== mine || view.game !== asked) return;
        course.chances = [...course.chances, ...part].sort((one, two) => one.at - two.at);
        paintGraphs();
      }
    } catch (error) { toast(error.message); }
  }

  function paintGraphs() {
    if (!course) { fill(graphs); return; }
    const common = {
      last: course.points.length - 1, rounds: course.rounds, at: view.at, go: acts.go,
      names: view.players.map((player) => player.name),
    };
    const most = Math.max(10, ...course.points.at(-1));
    fill(graphs,
      course.chances.length ? chart({ ...common, title: "Chance to win", top: 1, format: percent,
        points: course.chances.map((entry) => [entry.at, entry.chances]) }) : null,
      chart({ ...common, title: "VP", top: most, format: (value) => String(Math.round(value)),
        points: course.points.map((values, at) => [at, values]) }));
  }

  return {
    /** Another moment is shown; what was found about the one before goes. */
    show(next, chosen) {
      const same = view && view.game === next.game && view.at === next.at && view.version === next.version;
      view = next;
      if (same) {
        if (last) paint(); // the heat goes on
        return;
      }
      if (last) { last = null; paint(); }
      if (chosen) refresh();
    },
    refresh,
    /** The page has another layout: the picture with heat is asked for anew. */
    redraw() { if (last) analyse(); },
  };
}
