"""Bots against each other: many deals on the same decks, who is stronger, and how surely."""

from triptych.lazy import lazy_names

__getattr__, __dir__ = lazy_names(__name__, __file__)
