"""Exact answers: fantasyland, the last streets, outs."""
