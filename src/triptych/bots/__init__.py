"""Bots: they get the same views and tasks as people."""

from triptych.lazy import lazy_names

__getattr__, __dir__ = lazy_names(__name__, __file__)
