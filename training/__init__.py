"""Who learns: self-play trainers, their settings, run folders and evaluation."""
