"""Tournaments between agents of any game: ``terracotta arena``.

``schedule`` says which games are to be played, ``worker`` plays them in processes that ``run`` leads and whose results
it appends to ``folder``; ``ratings``, ``stats`` and ``sequential`` are the statistics, ``summary`` the tables and
``report`` their forms.  Nothing here knows a rule of a game: only what :mod:`terracotta_env.game` provides.
"""
