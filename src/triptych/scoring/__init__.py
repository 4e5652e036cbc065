"""Score finished boards, with the reason of every number."""

from triptych.lazy import lazy_names

__getattr__, __dir__ = lazy_names(__name__, __file__)
