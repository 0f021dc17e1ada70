// The moments of a game: a slider, buttons, and keys. Arrow keys step by decisions, Page keys by turns.

import { button, fill, find, make } from "./dom.js";

const KEYS = { ArrowLeft: "back", ArrowRight: "on", PageUp: "turnBack", PageDown: "turnOn", Home: "first", End: "last" };

/** @param {(at: number) => void} go asked to show a moment */
export function makeTimeline(go) {
  const holder = find("#timeline");
  let at = 0;
  let last = 0;
  let turns = [0];

  const slider = make("input", { type: "range", min: "0", id: "moment", "aria-label": "Moment of the game" });
  const where = make("output", { for: "moment" });
  const steps = {
    first: () => 0,
    turnBack: () => turns.filter((turn) => turn < at).at(-1) ?? 0,
    back: () => at - 1,
    on: () => at + 1,
    turnOn: () => turns.find((turn) => turn > at) ?? last,
    last: () => last,
  };
  const step = (name) => { const to = Math.max(0, Math.min(last, steps[name]())); if (to !== at) go(to); };
  const buttons = [["first", "|◀", "Beginning"], ["turnBack", "◀◀", "Turn before"], ["back", "◀", "Decision before"],
    ["on", "▶", "Next decision"], ["turnOn", "▶▶", "Next turn"], ["last", "▶|", "Present or end"]]
    .map(([name, sign, label]) => button(sign, () => step(name), { "aria-label": label, title: label, "data-step": name }));
  fill(holder, buttons.slice(0, 3), slider, buttons.slice(3), where);

  slider.addEventListener("input", () => go(Number(slider.value)));
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, select, textarea, dialog, [role=tablist], [data-token], .scroll");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS) || holder.closest("[hidden]")) return;
    event.preventDefault();
    step(KEYS[event.key]);
  });

  return {
    /** Shows where the game is looked at. */
    show(view) {
      at = view.at;
      last = view.decisions;
      turns = [0, ...new Set(view.turns)];
      slider.max = String(last);
      slider.value = String(at);
      slider.setAttribute("aria-valuetext", `decision ${at} of ${last}, round ${view.round}`);
      where.textContent = `${at} / ${last}`;
    },
  };
}
