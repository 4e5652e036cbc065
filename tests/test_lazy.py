"""What the packages offer (issue 33, shown by 2): every name is there, and loaded when it is first used."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import triptych

ROOT = Path(triptych.__file__).parent
PACKAGES = sorted(f"triptych.{stub.parent.name}" for stub in ROOT.glob("*/__init__.pyi"))


@pytest.mark.parametrize("name", PACKAGES)
def test_every_name_is_there_and_no_other(name: str) -> None:
    package = importlib.import_module(name)
    assert dir(package)
    for attribute in dir(package):
        assert getattr(package, attribute) is getattr(package, attribute)
        # A module that is loaded becomes an attribute of its package: no name may be that of a module.
        assert importlib.util.find_spec(f"{name}.{attribute}") is None, attribute
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'nothing'"):
        package.nothing  # noqa: B018 - what is asked


def test_a_package_loads_nothing_before_it_is_asked() -> None:
    code = "import sys, triptych.deal; print([name for name in sys.modules if name.startswith('triptych')])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "['triptych', 'triptych.lazy', 'triptych.deal']"
