"""The reference bot ``greedy``."""
