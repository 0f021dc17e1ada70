"""Terracotta Army as a research environment: a compiled engine with PettingZoo, Gymnasium and vector views.

    >>> from terracotta_env import terracotta_v0
    >>> env = terracotta_v0.env(players=2)

The modules at this level serve any game through the verbs of ``game.py``; ``army/`` is the game itself.
"""

__version__ = "0.1.0"
