"""Programs in any language as players, and analysis for other programs: JSON lines over standard streams.

Knows no game, only :mod:`terracotta_env.game`, positions and records.  ``docs/protocol.md`` describes the protocol.

    ``messages.py``   what is said: messages made and checked
    ``limits.py``     how long a bot may take and how much it may write
    ``warden.py``     the program that starts one bot and leaves nothing of it behind
    ``process.py``    lines in and out with deadlines
    ``agent.py``      the bot as a policy
    ``options.py``    bots named on the command line
    ``analyze.py``    the other direction: positions in, what a search finds out
    ``examples/``     bots without this package, to copy from
"""
