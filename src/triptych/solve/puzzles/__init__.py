"""Puzzles: positions in which one placement is clearly best, as files of JSON Lines."""
