"""Boards, positions and deals as text for people and programs."""

from triptych.lazy import lazy_names

__getattr__, __dir__ = lazy_names(__name__, __file__)
