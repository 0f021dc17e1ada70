"""Self-play on a Ray cluster: actors play jobs, the learner takes them.  Needs the extra ``ray``.

``player.py``   the actor
``source.py``   the learner's side: giving jobs out, taking their games, replacing the dead
``cluster.py``  a local cluster or an existing one
"""
