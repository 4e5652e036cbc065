"""One deal as decide and evolve: no clock, no I/O, no randomness inside."""

from triptych.lazy import lazy_names

__getattr__, __dir__ = lazy_names(__name__, __file__)
