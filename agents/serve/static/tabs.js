// The tabs beside the board: story, analysis, points, the board in words.

import { fill, find, make } from "./dom.js";

/** @param {{id: string, title: string}[]} tabs; returns the panel of each, by id, and `onshow(id, act)` */
export function makeTabs(tabs) {
  const holder = find("#tabs");
  const acts = new Map();
  const heads = tabs.map(({ id, title }) => make("button", {
    type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, onclick: () => select(id),
  }, title));
  const panels = tabs.map(({ id }) => make("div", {
    role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}`, tabindex: "0",
  }));
  const bar = make("div", { role: "tablist", "aria-label": "About the game" }, heads);
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const here = heads.findIndex((head) => head === document.activeElement);
    const next = (here + step + heads.length) % heads.length;
    select(tabs[next].id);
    heads[next].focus();
  });
  fill(holder, bar, panels);

  let chosen = null;
  function select(id) {
    chosen = id;
    tabs.forEach((tab, index) => {
      const on = tab.id === id;
      heads[index].setAttribute("aria-selected", String(on));
      heads[index].tabIndex = on ? 0 : -1;
      panels[index].hidden = !on;
    });
    acts.get(id)?.();
  }
  select(tabs[0].id);

  return {
    panel: (id) => panels[tabs.findIndex((tab) => tab.id === id)],
    onshow: (id, act) => acts.set(id, act),
    chosen: () => chosen,
  };
}
