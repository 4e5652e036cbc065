"""The options of the game as frozen data, the presets, and what they mean in words."""

from triptych.lazy import lazy_names

__getattr__, __dir__ = lazy_names(__name__, __file__)
