"""Bots that learned by self-play."""
