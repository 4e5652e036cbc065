"""Tournaments over several tables: registration, levels, seats, places; decide() and evolve() as a table has them."""
