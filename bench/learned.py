"""What benches ask of learned weights, and the measured figures that come with them in the package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from triptych.rulesets.load import preset_names, resolve
from triptych.solve.value.points import can_learn
from triptych.solve.value.weights import packaged

if TYPE_CHECKING:
    from triptych import _kernel
    from triptych.solve.value.weights import Weights

_PACKAGE = Path(__file__).parents[1] / "weights/src/triptych_weights"


def presets() -> list[str]:
    """Return the presets that have learned weights of their own; others play by those."""
    open_ones = [name for name in preset_names() if can_learn(resolve(name))]
    return [name for name in open_ones if (own := packaged(resolve(name))) and own[0].preset == name]


def learned(preset: str) -> tuple[Weights, _kernel.Learner]:
    """Return what has been learned for a preset. Raises SystemExit when nothing has been."""
    package = packaged(resolve(preset))
    if package is None:
        raise SystemExit(f"nothing has been learned for {preset}")
    return package


def keep(file: str, figures: object) -> None:
    """Write figures to a file of the package."""
    (_PACKAGE / file).write_bytes(msgspec.json.format(msgspec.json.encode(figures), indent=2) + b"\n")
