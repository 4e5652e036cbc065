"""The options of the game as immutable data, the presets, and their description in words."""

from triptych.lazy import lazy_names

__getattr__, __dir__ = lazy_names(__name__, __file__)
