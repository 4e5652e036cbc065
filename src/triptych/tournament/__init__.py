"""Tournaments over several tables: registration, levels, seats and places."""
