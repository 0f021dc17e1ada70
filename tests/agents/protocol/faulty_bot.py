"""A bot that speaks the protocol until it misbehaves, for tests: ``faulty_bot.py MODE [FLAG]``.

It misbehaves in its second request (some modes at the start), and where FLAG is given only while a file of that name
exists, which it removes: so the next process plays well.  ``chaos`` draws how and when in every game.
"""

import json
import os
import random
import signal
import sys
import time

HANG = 600


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def write(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def hang(*_):
    time.sleep(HANG)


def answer(request, **changes):
    send({"type": "answer", "id": request["id"], "action": request["legal"][0], **changes})


def crash(_):
    print("about to crash", file=sys.stderr, flush=True)
    os._exit(3)


def flood(stream, line):
    while True:
        os.write(stream, line)


def stubborn(_):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    hang()


def leave_child(session):
    """A child that ignores SIGTERM and holds the pipes, orphaned at once, perhaps in a session of its own."""
    if os.fork() == 0:
        if session:
            os.setsid()
        if os.fork() == 0:
            stubborn(None)
        os._exit(0)
    os.wait()


def orphan(request, session=False, then=crash):
    leave_child(session)
    then(request)


def fork_many(_):
    for _ in range(20):
        if os.fork() == 0:
            if os.fork() == 0:
                os.setsid()
            stubborn(None)
    hang()


def close_input(request):
    os.close(0)
    answer(request)
    hang()


def close_output(_):
    os.close(1)
    hang()


def late(request):
    time.sleep(4.0)
    answer(request)


def twice(request):
    answer(request)
    answer(request)


def killed(_):
    os.kill(os.getpid(), signal.SIGSEGV)


FAULTS = {  # how it misbehaves when it is asked, and the reason that it is to be charged with
    "text": ("junk", lambda request: write(b"I would build a wall\n")),
    "cut": ("junk", lambda request: write(b'{"type": "answer", "id\n')),
    "array": ("junk", lambda request: write(b"[1, 2]\n")),
    "deep": ("junk", lambda request: write(b"[" * 50_000 + b"\n")),
    "digits": ("junk", lambda request: write(b'{"type": "answer", "id": ' + b"9" * 5000 + b"}\n")),
    "not-utf8": ("junk", lambda request: write(b'{"type": "answer", "action": "\xff\xfe"}\n')),
    "no-type": ("junk", lambda request: send({"id": request["id"]})),
    "odd-type": ("junk", lambda request: send({"type": "dance"})),
    "no-action": ("junk", lambda request: send({"type": "answer", "id": request["id"]})),
    "odd-action": ("junk", lambda request: answer(request, action=7)),
    "old-id": ("junk", lambda request: answer(request, id=request["id"] - 1)),
    "twice": ("junk", twice),
    "not-asked": ("junk", lambda request: send({"type": "hello", "protocol": 1, "name": "again", "version": 1})),
    "illegal": ("illegal", lambda request: answer(request, action="pick:77")),
    "long-illegal": ("illegal", lambda request: answer(request, action="\x1b[31m" + "x" * 30_000)),
    "silence": ("timeout", hang),
    "late": ("timeout", late),
    "half-line": ("timeout", lambda request: (write(b'{"type": "answer",'), hang())),
    "blank": ("timeout", lambda request: (write(b"\n\n  \n"), hang())),
    "stubborn": ("timeout", stubborn),
    "fork-many": ("timeout", fork_many),
    "orphan-silence": ("timeout", lambda request: orphan(request, then=hang)),
    "crash": ("crash", crash),
    "killed": ("crash", killed),
    "leaves": ("crash", lambda request: sys.exit(0)),
    "gives-up": ("crash", lambda request: send({"type": "error", "message": "no memory left"})),
    "orphan": ("crash", orphan),
    "orphan-session": ("crash", lambda request: orphan(request, session=True)),
    "close-output": ("crash", close_output),
    "close-input": ("crash", close_input),
    "flood-text": ("junk", lambda request: flood(1, b"x" * 4095 + b"\n")),
    "flood-lines": ("flood", lambda request: flood(1, b"\n" * 4096)),
    "flood-info": ("flood", lambda request: flood(1, b'{"type": "info", "text": "thinking"}\n' * 100)),
    "flood-error": ("flood", lambda request: flood(2, b"thinking\n" * 400)),
    "huge-line": ("flood", lambda request: answer(request, info="x" * 70_000)),
    "endless-line": ("flood", lambda request: flood(1, b"x" * 4096)),
}


def start_junk():
    write(b"Welcome to my bot!\n")


def start_crash():
    os._exit(4)


def start_flood():
    flood(1, b"banner\n" * 500)


def start_old():
    send({"type": "hello", "protocol": 0, "name": "old", "version": 1})
    hang()


def start_nameless():
    send({"type": "hello", "protocol": 1, "name": "", "version": 1})
    hang()


STARTS = {
    "start-text": ("junk", start_junk),
    "start-crash": ("crash", start_crash),
    "start-silence": ("timeout", hang),
    "start-flood": ("junk", start_flood),
    "start-old": ("junk", start_old),
    "start-nameless": ("junk", start_nameless),
}


def main(mode, flag=None):
    def armed():
        if flag is None:
            return True
        there = os.path.exists(flag)
        if there:
            os.remove(flag)
        return there

    if mode in STARTS and armed():
        STARTS[mode][1]()
    generator, asked, when, fault = random.Random(), 0, 2, mode
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            send({"type": "hello", "protocol": 1, "name": "faulty", "version": 3, "author": "extra fields are allowed"})
        elif kind == "new_game":
            asked = 0
            generator.seed(message["seed"])
            if mode == "chaos":
                fault = generator.choice([*FAULTS, *["good"] * len(FAULTS)])
                when = generator.randrange(1, 60)
            if mode == "not-ready" and armed():
                hang()
            send({"type": "ready", "game": message["game"]})
        elif kind == "request":
            asked += 1
            if asked == when and fault in FAULTS and armed():
                FAULTS[fault][1](message)
            else:
                send({"type": "info", "text": "a move"})
                answer(message, action=generator.choice(message["legal"]), info={"score": 0.5})
            last = message
        elif kind == "game_over":
            if mode == "afterthought":
                answer(last)
            elif mode == "one-game":
                time.sleep(0.05)
                return
        elif kind == "quit":
            if mode == "will-not-quit":
                stubborn(None)
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
