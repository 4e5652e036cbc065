"""Where puzzles come from: self-play, a search that makes sure, and levels that miss them."""
