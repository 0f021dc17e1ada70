// Talking to the server. The visitor's secret is drawn here and sent with every request: it says whose games are meant.

const KEY = "terracotta-visitor";

function visitor() {
  let key = null;
  try { key = localStorage.getItem(KEY); } catch { /* no storage: a new visitor at each load */ }
  if (!/^[A-Za-z0-9_-]{22,64}$/.test(key ?? "")) {
    const bytes = crypto.getRandomValues(new Uint8Array(24));
    key = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
    try { localStorage.setItem(KEY, key); } catch { /* as above */ }
  }
  return key;
}

const ME = visitor();
const phone = matchMedia("(max-width: 760px)");

export const layout = () => (phone.matches ? "tall" : "wide");
export const onLayout = (act) => phone.addEventListener("change", act);

// refusals whose words are meant for programs, in words for players
const PLAIN = {
  no_such_game: "You have no such game here: it belongs to somebody else, or it was left alone for too long. Your own games are under “Games”; whoever began this one can send you a moment of it with “Share”.",
};

/** What the server refuses, in its own words where there are none above. */
export class Refused extends Error {
  constructor(status, problem) {
    super(PLAIN[problem?.code] ?? (problem ? `${problem.message}. What to do: ${problem.do}.` : `The server answered ${status}.`));
    this.status = status;
    this.code = problem?.code ?? "";
  }
}

async function call(method, path, body, query = {}, signal = undefined) {
  const address = new URL(`api/${path}`, document.baseURI);
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) address.searchParams.set(name, value);
  }
  const headers = { "X-Visitor": ME };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(address, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, { message: "The server cannot be reached", do: "see whether it is still running", code: "gone" });
  }
  if (answer.status === 204) return null;
  const content = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refused(answer.status, content?.error);
  return content;
}

const shape = () => ({ layout: layout() });

export const about = () => call("GET", "about");
export const games = () => call("GET", "games");
export const begin = (game) => call("POST", "games", game, shape());
export const openRecord = (record) => call("POST", "records", { record }, shape());
export const openText = (text, seats = null) => call("POST", "positions", { text, seats }, shape());
export const branch = (game, at, seats) => call("POST", `games/${game}/branches`, { at, seats }, shape());
export const end = (game) => call("DELETE", `games/${game}`);
export const look = (game, at = null) => call("GET", `games/${game}`, undefined, { at, ...shape() });
export const wait = (game, since, signal) =>
  call("GET", `games/${game}`, undefined, { since, wait: 20, ...shape() }, signal);
export const decide = (game, token, at) => call("POST", `games/${game}/decisions`, { token, at }, shape());
export const undo = (game) => call("POST", `games/${game}/undo`, undefined, shape());
export const redo = (game) => call("POST", `games/${game}/redo`, undefined, shape());
export const hint = (game) => call("POST", `games/${game}/hint`);
export const explain = (game, token, at) => call("GET", `games/${game}/explanation`, undefined, { token, at });
export const analyse = (game, at, analyst) => call("POST", `games/${game}/analysis`, { at, analyst }, shape());
export const chances = (game, at, analyst) => call("POST", `games/${game}/chances`, { at, analyst });
export const graph = (game, analyst) => call("GET", `games/${game}/graph`, undefined, { analyst });
export const record = (game) => call("GET", `games/${game}/record`);
export const text = (game, at) => call("GET", `games/${game}/text`, undefined, { at });
