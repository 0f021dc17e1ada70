// The page: which game is shown, at which moment, and what happens when somebody acts.

import * as api from "./api.js";
import { makeAnalysis } from "./analysis.js";
import { makeAsk } from "./ask.js";
import { makeBoard } from "./board.js";
import { save, showBranch, showRules, showShare } from "./dialogs.js";
import { announce, find, toast } from "./dom.js";
import { showStart } from "./start.js";
import { makeStory, showPoints, showWords } from "./story.js";
import { makeTabs } from "./tabs.js";
import { makeTimeline } from "./timeline.js";

const about = await api.about();
let now = null; // the view of the game's present
let shown = null; // the view that is on the page, of the present or of an earlier moment
let heated = null; // the picture with heat that is shown instead of the plain one
let hinted = null; // the token of the last hint
let waiting = null; // ends the request that waits for the bots
let asked = 0; // grows with every moment asked for: answers that come late are dropped
let busy = false; // a decision is on its way

const board = makeBoard(choose, point);
const ask = makeAsk({
  choose, point, hint, undo: () => change(api.undo), redo: () => change(api.redo), present: () => go(now.decisions),
  branch: () => showBranch(about, shown, open),
});
const timeline = makeTimeline(go);
const tabs = makeTabs([
  { id: "story", title: "Story" }, { id: "analysis", title: "Analysis" }, { id: "points", title: "Points" },
  { id: "words", title: "In words" },
]);
const story = makeStory(tabs.panel("story"), go);
const analysis = makeAnalysis(tabs.panel("analysis"), about.analysts, { go, point, heat: (picture) => { if (heated !== picture) { heated = picture; paint(); } } });
tabs.onshow("analysis", () => analysis.refresh());

// showing ---------------------------------------------------------------------------------------------------------------

const isPresent = (view) => view.at === view.decisions && view.version === now?.version;

function paint() {
  if (!shown) return;
  const live = isPresent(shown) && shown.asked === "person";
  board.show(heated ?? shown.picture, live ? shown.choices : []);
  find("#board").classList.toggle("live", live);
}

/** Puts a view on the page; the focus stays with whoever had it. */
function show(view) {
  const from = board.focused() ? board : ask.focused() ? ask : null;
  const present = isPresent(view);
  shown = view;
  heated = null;
  find("#start").hidden = true;
  find("#play").hidden = false;
  for (const element of document.querySelectorAll(".in-game")) element.hidden = false;
  find("#state").textContent = view.state;
  paint();
  ask.show(view, { present, hinted });
  timeline.show(view);
  story.show(view, present);
  showPoints(tabs.panel("points"), view);
  showWords(tabs.panel("words"), view);
  analysis.show(view, tabs.chosen() === "analysis");
  if (from && !(from === board && board.focus())) ask.focus();
  history.replaceState(null, "", `#${view.game}`);
}

/** A view of the present. */
function take(view) {
  const follow = !shown || shown.game !== view.game || !now || shown.at === shown.decisions;
  now = view;
  hinted = null;
  if (follow) show(view);
  else timeline.show({ ...shown, decisions: view.decisions, turns: view.turns });
  if (view.asked === "bot" && !view.fault) wait();
}

function open(view) {
  waiting?.abort();
  shown = null;
  take(view);
  find("#question").focus();
}

/** Looks at an earlier moment, or at the present again. */
async function go(at) {
  const mine = (asked += 1);
  const from = shown;
  if (at === now.decisions) { hinted = null; show(now); return; }
  try {
    const view = await api.look(from.game, at);
    if (mine === asked && shown.game === view.game && view.decisions === now.decisions) show(view);
  } catch (error) { toast(error.message); }
}

async function home() {
  waiting?.abort();
  now = shown = null;
  history.replaceState(null, "", "#");
  find("#play").hidden = true;
  for (const element of document.querySelectorAll(".in-game")) element.hidden = true;
  await showStart(about, open);
  find("#start").hidden = false;
  find("#start-title").focus();
}

// acting ----------------------------------------------------------------------------------------------------------------

function point(token) {
  board.mark(token);
  ask.mark(token);
  const words = token === null ? "" : shown?.choices.find((choice) => choice.token === token)?.words ?? "";
  find("#preview").textContent = words;
}

async function choose(token) {
  if (busy || !shown || !isPresent(shown) || shown.asked !== "person") return;
  if (!shown.choices.some((choice) => choice.token === token)) return;
  busy = true;
  try {
    take(await api.decide(shown.game, token, shown.at));
  } catch (error) {
    toast(error.message);
    await again();
  } finally { busy = false; }
}

async function change(act) {
  if (busy || !now) return;
  busy = true;
  waiting?.abort();
  try {
    const answer = await act(now.game);
    const view = answer.view ?? answer;
    asked += 1;
    shown = null;
    take(view);
    ask.focus();
  } catch (error) {
    toast(error.message);
    await again(); // also waits for the bots again
  } finally { busy = false; }
}

async function hint() {
  const from = now;
  try {
    const found = await api.hint(from.game);
    if (now !== from) return;
    hinted = found.token;
    ask.show(shown, { present: true, hinted });
    board.mark(found.token);
    find("#preview").textContent = found.words;
    announce(`Hint of ${found.bot}: ${found.words}`);
    toast(`Hint of ${found.bot}: ${found.words}`);
  } catch (error) { toast(error.message); }
}

/** Waits until the bots have moved; a new wait ends the one before. */
async function wait() {
  waiting?.abort();
  const mine = (waiting = new AbortController());
  const from = now;
  try {
    const view = await api.wait(from.game, from.version, mine.signal);
    if (waiting === mine && now === from) take(view);
  } catch (error) {
    if (error.name === "AbortError") return;
    toast(error.message);
    if (error.status === 404) { home(); return; }
    setTimeout(() => { if (waiting === mine) wait(); }, 3000);
  }
}

/** Shows the game as the server has it. Only a game that is gone leads back to the start: a lost connection does not. */
async function again() {
  const game = (now ?? shown)?.game;
  if (!game) return;
  try {
    const view = await api.look(game);
    shown = null;
    take(view);
  } catch (error) {
    if (error.status === 404) await home();
  }
}

// the page itself ---------------------------------------------------------------------------------------------------------

find("#to-start").addEventListener("click", home);
find("#to-rules").addEventListener("click", () => showRules(about));
find("#to-share").addEventListener("click", () => showShare(shown));
find("#to-save").addEventListener("click", () => save(now));
api.onLayout(async () => {
  if (!shown) return;
  await go(shown.at);
  if (shown && isPresent(shown)) await again();
  analysis.redraw();
});
// The second click of a double click would take what has just appeared under the mouse.
document.addEventListener("click", (event) => {
  if (event.detail > 1 && event.target.closest?.("[data-token], [data-choice], #begin, #begin-branch")) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}, true);

const theme = find("#theme");
function colours(value) {
  if (value) document.documentElement.dataset.theme = value;
  else delete document.documentElement.dataset.theme;
  theme.value = value;
}
theme.addEventListener("change", () => {
  colours(theme.value);
  try { localStorage.setItem("terracotta-theme", theme.value); } catch { /* no storage: until the page is left */ }
});
try { colours(localStorage.getItem("terracotta-theme") ?? ""); } catch { colours(""); }

const named = location.hash.slice(1);
try {
  if (/^[A-Za-z0-9_-]{16}$/.test(named)) open(await api.look(named));
  else await home();
} catch (error) {
  await home();
  toast(error.message);
}
document.documentElement.dataset.ready = "true";
