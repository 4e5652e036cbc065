"""What `triptych.envs` offers at its front (issue 33, part 3)."""

from __future__ import annotations

import sys

import pytest

from triptych import envs


def test_a_missing_library_is_named_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "triptych.envs.pettingzoo_env", raising=False)
    monkeypatch.delitem(vars(envs), "TriptychAEC", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"triptych\.envs\.TriptychAEC needs pettingzoo: pip install"):
        _ = envs.TriptychAEC
