"""Who plays: bots with versions, found by short code (``registry``), and the commands that need them."""
