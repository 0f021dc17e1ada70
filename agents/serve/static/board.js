// The picture of a position. What can be chosen carries `data-token`; nothing else reacts.
// One Tab stop for the whole board: the arrow keys go on to the nearest choice in that direction, Enter or Space chooses.

import { find, fill } from "./dom.js";

const DIRECTIONS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * @param {(token: string) => void} choose what was clicked
 * @param {(token: string | null) => void} point what is pointed at
 */
export function makeBoard(choose, point) {
  const holder = find("#board");
  let words = new Map();

  const tokenOf = (event) => event.target.closest?.("[data-token]")?.dataset.token ?? null;
  const stops = () => [...holder.querySelectorAll("[data-token][tabindex]")];

  function show(picture, choices) {
    const parsed = new DOMParser().parseFromString(picture, "image/svg+xml").documentElement;
    words = new Map(choices.map((choice) => [choice.token, choice.words]));
    const svg = document.importNode(parsed, true);
    for (const element of svg.querySelectorAll("[data-token][tabindex]")) {
      element.setAttribute("tabindex", "-1");
      const said = words.get(element.dataset.token);
      if (said) {
        element.setAttribute("aria-label", said);
        element.querySelector("title")?.replaceChildren(said);
      }
    }
    fill(holder, svg);
    stops()[0]?.setAttribute("tabindex", "0");
  }

  function mark(token) {
    for (const element of holder.querySelectorAll(".pointed")) element.classList.remove("pointed");
    if (token === null) return;
    for (const element of holder.querySelectorAll(`[data-token="${CSS.escape(token)}"]`)) element.classList.add("pointed");
  }

  function go(element) {
    for (const other of stops()) other.setAttribute("tabindex", other === element ? "0" : "-1");
    element.focus();
  }

  function neighbour(from, [dx, dy]) {
    const middle = (element) => {
      const box = element.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(from);
    let best = null;
    let least = Infinity;
    for (const element of stops()) {
      if (element === from) continue;
      const [u, v] = middle(element);
      const ahead = (u - x) * dx + (v - y) * dy;
      const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      if (ahead > 1 && ahead + 2.5 * aside < least) [best, least] = [element, ahead + 2.5 * aside];
    }
    return best;
  }

  holder.addEventListener("click", (event) => {
    const token = tokenOf(event);
    if (token !== null) choose(token);
  });
  holder.addEventListener("pointerover", (event) => point(tokenOf(event)));
  holder.addEventListener("pointerleave", () => point(null));
  holder.addEventListener("focusin", (event) => point(tokenOf(event)));
  holder.addEventListener("focusout", () => point(null));
  holder.addEventListener("keydown", (event) => {
    const from = event.target.closest?.("[data-token][tabindex]");
    if (!from || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(from.dataset.token);
    } else if (event.key in DIRECTIONS) {
      event.preventDefault();
      event.stopPropagation();
      const next = neighbour(from, DIRECTIONS[event.key]);
      if (next) go(next);
    }
  });

  return {
    show,
    mark,
    words: (token) => words.get(token) ?? null,
    focus: () => { const first = stops()[0]; if (first) go(first); return Boolean(first); },
    focused: () => holder.contains(document.activeElement),
  };
}
