"""Bots that play by what they learned from themselves."""
