"""What the strategy notebooks share: which games they look at, intervals, pictures, and the page of full figures.

``TERRACOTTA_NOTEBOOK``        ``small`` (default): few games of quick agents, made in seconds; ``full``: as in the docs
``TERRACOTTA_NOTEBOOK_DATA``   folder of the data sets, default ``runs/notebooks`` of the repository
"""
