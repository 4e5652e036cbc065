"""Exact answers: the best setting of a fantasyland or a closed deal, and of the last streets."""
