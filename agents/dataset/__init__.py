"""Data sets: many games by chosen agents as Parquet files, for people who read games and not code.

    players.py   who plays, and how: kernels, row policies side by side, or one game at a time
    collect.py   a replay that turns the decisions of games into arrays: turns, ledger, ranks
    extras.py    what a game adds of its own to these tables; army.py: what Terracotta Army adds
    tables.py    arrays as typed Arrow tables, and what each column means
    folder.py    the folder on disk: manifest, whole parts, resuming
    making.py    the parts, one after another or on several processes

Only ``army.py`` and the command know this game.
"""
