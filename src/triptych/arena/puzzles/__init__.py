"""Generate puzzles: positions of self-play, verified by search, rated by the levels that miss them."""
