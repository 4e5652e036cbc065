"""How the learned levels are made: self-play, its runs and states, what a fantasyland is worth."""
