"""Register the presets with Gymnasium: `gymnasium.make("triptych.envs.ids:triptych/pineapple-v0")`."""

from __future__ import annotations

import gymnasium

from triptych.rulesets.load import preset_names


def register() -> None:
    """Register `triptych/PRESET-v0` for every preset, single and vectorized, unless it is registered already."""
    for preset in preset_names():
        name = f"triptych/{preset}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                "triptych.envs.gymnasium_env:TriptychEnv",
                vector_entry_point="triptych.envs.vector_env:TriptychVectorEnv",
                kwargs={"rules": preset},
            )


register()
