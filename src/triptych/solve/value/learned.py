"""What has been learned for a ruleset, where an answer cannot do without it."""

from __future__ import annotations

from triptych import _kernel
from triptych.rulesets.model import Ruleset
from triptych.solve.errors import SolveError
from triptych.solve.value.points import can_learn
from triptych.solve.value.weights import Weights, packaged


def require_weights(rules: Ruleset, path: str = "$.rules", advice: str = "") -> tuple[Weights, _kernel.Learner]:
    """Return the installed weights for a ruleset, and what plays by them.

    Raises SolveError `value.none` at `path`, which ends with `advice`, and WeightsError.
    """
    weights = packaged(rules) if can_learn(rules) else None
    if weights is None:
        raise SolveError("value.none", f"nothing has been learned for {rules.name}{advice}", path)
    return weights
