// A line chart: a line for each seat over the decisions of a game. A click leads to the moment.

import { draw, make } from "./dom.js";

const WIDTH = 360;
const HEIGHT = 150;
const LEFT = 34;
const BOTTOM = 18;
const DASHES = ["none", "7 3", "2 3", "9 3 2 3"]; // seats differ without colour, too

/**
 * @param {object} chart `title`, `points` as [at, values by seat][], `last` decision, `top` of the scale, `format`,
 *   `rounds` first decisions, `at` the moment shown, `names`, `go(at)`
 */
export function chart({ title, points, last, top, format, rounds, at, names, go }) {
  const x = (moment) => LEFT + ((WIDTH - LEFT - 6) * moment) / Math.max(last, 1);
  const y = (value) => 6 + (HEIGHT - BOTTOM - 6) * (1 - value / Math.max(top, 1e-9));
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": summary() });
  for (const share of [0, 0.5, 1]) {
    svg.append(
      draw("line", { x1: LEFT, x2: WIDTH - 6, y1: y(top * share), y2: y(top * share), class: "grid" }),
      draw("text", { x: LEFT - 4, y: y(top * share) + 4, class: "tick", "text-anchor": "end" }, format(top * share)));
  }
  rounds.forEach((first, index) => svg.append(
    draw("line", { x1: x(first), x2: x(first), y1: 6, y2: HEIGHT - BOTTOM, class: "grid" }),
    draw("text", { x: x(first) + 3, y: HEIGHT - 5, class: "tick" }, `round ${index + 1}`)));
  names.forEach((name, seat) => svg.append(draw("polyline", {
    points: points.map(([moment, values]) => `${x(moment).toFixed(1)},${y(values[seat]).toFixed(1)}`).join(" "),
    class: `line${seat}`,
    "stroke-dasharray": DASHES[seat],
  }, draw("title", {}, name))));
  svg.append(draw("line", { x1: x(at), x2: x(at), y1: 2, y2: HEIGHT - BOTTOM, class: "now" }));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const moment = (((event.clientX - box.x) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - 6);
    go(Math.max(0, Math.min(last, Math.round(moment * last))));
  });

  function summary() {
    const end = points.at(-1);
    return end ? `${title}. At decision ${end[0]}: ${names.map((name, seat) => `${name} ${format(end[1][seat])}`).join(", ")}`
      : title;
  }

  const legend = make("ul", { class: "legend" }, names.map((name, seat) => make("li", {},
    draw("svg", { viewBox: "0 0 26 8", class: "key", "aria-hidden": "true" },
      draw("line", { x1: 1, x2: 25, y1: 4, y2: 4, class: `line${seat}`, "stroke-dasharray": DASHES[seat] })),
    ` seat ${seat}: ${name}`)));
  return make("figure", {}, make("figcaption", {}, title), svg, legend);
}
