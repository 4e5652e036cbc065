"""How many examples hypothesis tries: few in every run, all of them at night (scripts/nightly.py)."""

from __future__ import annotations

from typing import Final

from hypothesis import settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

# The name of the profile for `--hypothesis-profile`.
NIGHTLY: Final = "nightly"
# Of the examples that a night tries, every run tries one in so many.
SHARE: Final = 8
# What hypothesis tries where a test asks for no number.
USUAL: Final = 100


def load_profiles() -> None:
    """Make both profiles and load that of every run: few examples, the same ones each time."""
    # How long an example takes depends on the machine, and is no fault.
    settings.register_profile("triptych", deadline=None, derandomize=True, database=None, max_examples=USUAL // SHARE)
    settings.register_profile(NIGHTLY, deadline=None, derandomize=False, database=None, max_examples=USUAL)
    settings.load_profile("triptych")
    # Numbers and words that stand in our sources are tried at night: to read 800 files takes each worker of a new
    # clone three seconds.
    vars(providers)["_get_local_constants"] = _local_constants


_read_sources = providers._get_local_constants


def _local_constants() -> Constants:
    return _read_sources() if settings.get_current_profile_name() == NIGHTLY else Constants()


def examples(nightly: int) -> int:
    """Return how many examples a test tries in this run, of so many that a night tries."""
    return nightly if settings.get_current_profile_name() == NIGHTLY else max(1, nightly // SHARE)
