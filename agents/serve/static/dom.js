// Making elements. Attributes are set one by one, never as markup, so nothing that comes from a record can become code.

export const find = (selector, within = document) => within.querySelector(selector);

/** An element: `make("button", {type: "button", class: "x", onclick: f}, "text", child, ...)`; null children are left out. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

/** An SVG element, in the same way. */
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity));
  return element;
}

export const fill = (element, ...children) => element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null));

/** The button that was made with `make`, and a short way to write it. */
export const button = (text, onclick, attributes = {}) => make("button", { type: "button", onclick, ...attributes }, text);

/** A table with a header row; the first cell of each row names it. */
export function table(caption, head, rows) {
  return make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption },
    make("table", {},
      make("caption", {}, caption),
      make("thead", {}, make("tr", {}, head.map((cell) => make("th", { scope: "col" }, cell)))),
      make("tbody", {}, rows.map(([name, ...cells]) =>
        make("tr", {}, make("th", { scope: "row" }, name), cells.map((cell) => make("td", {}, cell)))))));
}

let shownUntil = 0;

/** A message that goes by itself, for what went wrong and for what was done. */
export function toast(text) {
  const alert = find("#alert");
  alert.textContent = text;
  alert.classList.add("shown");
  const mine = (shownUntil = Date.now() + 6000);
  setTimeout(() => { if (shownUntil === mine) alert.classList.remove("shown"); }, 6000);
}

/** Tells a screen reader. */
export function announce(text) {
  find("#live").textContent = text;
}

export const percent = (share) => `${Math.round(100 * share)} %`;
