"""Bots against each other: many deals on the same decks, who is stronger, and how surely."""
