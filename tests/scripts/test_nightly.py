"""The long proofs by hand (scripts/nightly.py), issue 29.3."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from scripts import nightly
from scripts.nightly import PROOFS, Proof, command, main, report, run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.name)
def test_proofs_name_modules_that_are_there(proof: Proof) -> None:
    module = proof.arguments[0]
    path = nightly.ROOT / module.replace(".", "/")
    assert module == "pytest" or path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
    assert all((nightly.ROOT / argument).is_file() for argument in proof.arguments if argument.endswith(".py"))


def test_a_seed_is_given_where_a_proof_takes_one() -> None:
    assert command(Proof("a", ("x",), ("--seed",)), 7) == (sys.executable, "-m", "x", "--seed", "7")
    assert command(Proof("a", ("x",)), 7) == (sys.executable, "-m", "x")


def test_a_failed_proof_is_reported_with_what_it_printed_last(tmp_path: Path) -> None:
    passed = run(Proof("versions", ("platform",)), 1, tmp_path)
    failed = run(Proof("missing", ("no_such_module",)), 1, tmp_path)
    page = report([passed, failed], "0123abcd", 1)
    assert (passed.status, failed.status) == (0, 1)
    assert "1 passed, 1 failed." in page
    assert "| versions | passed |" in page
    assert "| missing | **failed (1)** |" in page
    assert "No module named no_such_module" in page


def test_an_unknown_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["nonsense"])
    assert "no proof is called 'nonsense'" in capsys.readouterr().err
