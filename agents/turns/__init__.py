"""Planning a whole turn at once, shared by ``greedy`` and ``planner``: buffers, what is considered, search, memory."""
