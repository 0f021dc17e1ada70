"""Playing and replaying in a terminal: the session, words for everything, the screen, the commands."""
