"""Environments for other libraries; `gymnasium.make("triptych.envs:triptych/pineapple-v0")` finds its ids by this."""

from importlib.util import find_spec

if find_spec("gymnasium") is not None:  # an optional extra
    from triptych.envs.registration import register

    register()
