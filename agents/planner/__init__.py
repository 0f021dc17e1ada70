"""The reference bot ``planner``."""
