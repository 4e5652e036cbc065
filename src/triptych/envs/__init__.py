"""Environments for reinforcement learning: a batch in the kernel, and adapters to Gymnasium, PettingZoo, OpenSpiel.

A name is loaded when it is first used, so that a batch needs neither Gymnasium nor PettingZoo. OpenSpiel's games are
in `triptych.envs.openspiel`.
"""

from triptych.lazy import lazy_names

__getattr__, __dir__ = lazy_names(__name__, __file__, "envs")
