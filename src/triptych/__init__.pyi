"""The types of the public API; its names are loaded on first use."""

from triptych.api import *  # noqa: F403 - the public names, and nothing else

__version__: str
