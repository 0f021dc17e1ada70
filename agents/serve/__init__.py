"""The board in the browser: a server of games, and the page that it serves.  Documented in ``docs/serve.md``."""
