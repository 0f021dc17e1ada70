// An example bot for Node.js, without any package.
//
//     terracotta record --players 2 --games 1 --bot-cmd "mine=node bot.mjs" --agents mine,busy --out games.jsonl
//
// The protocol is described in docs/protocol.md; bot.py beside this file says more about each message.

import { createInterface } from "node:readline";

const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");

// A small generator that can be seeded (Math.random cannot), so that a game can be played again.
// Seeds are whole numbers up to 2^53 - 1, which JavaScript's numbers hold exactly.
function makeGenerator(seed) {
  let state = (seed ^ Math.floor(seed / 2 ** 32)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// The rule of this bot: rather do something than nothing.
function choose(legal, generator) {
  const worthwhile = legal.filter((token) => token !== "decline" && token !== "ring:nothing");
  const tokens = worthwhile.length > 0 ? worthwhile : legal;
  return tokens[Math.floor(generator() * tokens.length)];
}

let generator = makeGenerator(0);

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    send({ type: "hello", protocol: 1, name: "example-node", version: 1 });
  } else if (message.type === "new_game") {
    generator = makeGenerator(message.seed);
    send({ type: "ready", game: message.game });
  } else if (message.type === "request") {
    send({ type: "answer", id: message.id, action: choose(message.legal, generator) });
  } else if (message.type === "quit") {
    break;
  } // game_over and error need no answer, and what is not known is passed over
}
process.exit(0);
