"""Monte Carlo tree search for any game of 2 or more seats; see ``docs/search.md``.

Knows only the verbs of :mod:`terracotta_env.game` and of :mod:`terracotta_env.rollout`.  A game must be deterministic
after its setup and hide nothing from its players: the search plays on copies of the record and sees all that is in it.

    ``settings.py``   what can be set
    ``tree.py``       the arrays that hold a forest of trees
    ``kernels.py``    select, expand, backup, reuse
    ``rollouts.py``   evaluation by roll-outs, in one kernel with those
    ``search.py``     one position: budgets, threads, results
    ``batch.py``      many positions at once, with an evaluator in the middle
    ``guided.py``     the same with budgets and a rule of the root, for networks; see ``docs/alphazero.md``
    ``root_kernels.py``   its kernels
    ``agent.py``      the bot ``mcts`` and its codes
"""
