"""An example bot in plain Python: it needs nothing but the standard library, least of all the project.

Try it:

    terracotta record --players 2 --games 1 --bot-cmd "mine=python3 bot.py" --agents mine,busy --out games.jsonl

The protocol is described in docs/protocol.md.  In short: one JSON object a line, requests come on standard input,
answers go to standard output.  Standard error is free for notes (notes on standard output would cost the game: they are
no JSON).
"""

import json
import random
import sys


def send(message):
    """Write one message.  The flush matters: without it the answer stays in a buffer and the time runs out."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def choose(request, generator):
    """The rule of this bot: perform what can be performed, use weapons, otherwise draw lots.

    A better bot would look at request["snapshot"], the whole position, and think.  Whatever it does, it has
    request["seconds"] for it, and the answer must be one of request["legal"].
    """
    for favourite in ("ring:perform", "weapon:use"):
        if favourite in request["legal"]:
            return favourite
    return generator.choice(request["legal"])


def main():
    generator = random.Random()
    for line in sys.stdin:  # ends when standard input is closed, which means the same as "quit"
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            # The first message.  Answer with our name and version; "protocol" is the version we speak.
            send({"type": "hello", "protocol": 1, "name": "example-python", "version": 1})
        elif kind == "new_game":
            # message["seat"] is our place.  The seed lets a bot that draws lots play the same game twice.
            generator.seed(message["seed"])
            send({"type": "ready", "game": message["game"]})
        elif kind == "request":
            send({"type": "answer", "id": message["id"], "action": choose(message, generator)})
        elif kind == "game_over":
            # Needs no answer.  The next message is another new_game, or quit.
            print(f"game {message['game']}: points {message['vp']}, ranking {message['ranking']}", file=sys.stderr)
        elif kind == "error":
            # We did something wrong and have lost the game; this process will be ended.
            print(f"our fault: {message['reason']}: {message['message']}", file=sys.stderr)
        elif kind == "quit":
            break
        # Other types may come in later versions of the protocol: a bot passes over what it does not know.


if __name__ == "__main__":
    main()
