"""Monte Carlo tree search for any game of 2 or more seats; see ``docs/search.md``.

Knows only the verbs of :mod:`terracotta_env.game` and of :mod:`terracotta_env.rollout`.
"""
