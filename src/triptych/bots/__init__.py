"""Bots: a table asks them through the same views and tasks as a person."""

from triptych.lazy import lazy_names

__getattr__, __dir__ = lazy_names(__name__, __file__)
