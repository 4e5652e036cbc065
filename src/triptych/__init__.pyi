"""The types of the front door, whose names are loaded when they are asked for."""

from triptych.api import *  # noqa: F403 - all that it offers, and nothing else

__version__: str
