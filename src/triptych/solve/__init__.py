"""Exact answers: the best setting of a fantasyland or a closed deal, and of the last streets."""

from triptych.lazy import lazy_names

__getattr__, __dir__ = lazy_names(__name__, __file__)
