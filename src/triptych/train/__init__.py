"""Training of weights by self-play: its methods, runs and saved states, and the values of fantasylands."""
