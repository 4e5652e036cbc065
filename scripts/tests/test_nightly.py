"""The long proofs by hand (scripts/nightly.py), issue 29.3."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from scripts import nightly, rerun_failed
from scripts.nightly import PROOFS, SEED, SLICES, SLOW_TESTS, Proof, command, failed_tests, main, report, run, sample
from tests.case_notes import case

if TYPE_CHECKING:
    from pathlib import Path


def test_proofs_name_modules_that_are_there() -> None:
    for proof in (*PROOFS, SLOW_TESTS, *SLICES):
        with case(proof.name):
            module = proof.arguments[0]
            path = nightly.ROOT / module.replace(".", "/")
            assert module == "pytest" or path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
            files = [argument for argument in proof.arguments if argument.endswith(".py")]
            assert all((nightly.ROOT / file).is_file() for file in files)


def test_a_seed_is_given_where_a_proof_takes_one() -> None:
    assert command(Proof("a", ("x", "--seed", SEED)), 7) == (sys.executable, "-m", "x", "--seed", "7")
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


QUICK = Proof("versions", ("platform",))
ENDLESS = Proof("sleep", ("timeit", "-n", "1", "import time; time.sleep(600)"))


def test_a_proof_that_has_not_ended_is_stopped_and_has_found_nothing(tmp_path: Path) -> None:
    outcome = run(ENDLESS, 1, tmp_path, 0.5)
    assert (outcome.status, outcome.stopped) == (0, True)
    assert "| sleep | stopped |" in report([outcome], "0123abcd", 1)
    assert run(Proof("missing", ("no_such_module",)), 1, tmp_path, 60).status == 1


def test_a_sample_begins_with_slow_tests_and_goes_on_in_an_order_by_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nightly, "SLOW_TESTS", QUICK)
    monkeypatch.setattr(nightly, "SLICES", tuple(QUICK._replace(name=str(number)) for number in range(5)))
    by_day = [[outcome.proof.name for outcome in sample(day, 60, tmp_path)] for day in (20261127, 20261128)]
    assert by_day[0][0] == by_day[1][0] == QUICK.name
    assert sorted(by_day[0][1:]) == sorted(by_day[1][1:]) == list("01234")
    assert by_day[0] != by_day[1]


def test_a_sample_ends_when_its_time_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nightly, "SLOW_TESTS", ENDLESS)
    assert [(outcome.proof.name, outcome.stopped) for outcome in sample(1, 0.02, tmp_path)] == [("sleep", True)]


@pytest.mark.parametrize("flaky", [True, False])
def test_a_slow_test_that_fails_is_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, flaky: bool) -> None:
    failing = tmp_path / "test_it.py"
    # With more lines in its message than the report's tail has.
    failing.write_text("def test_it():\n    raise AssertionError('line\\n' * 60)\n")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("CI", "true")  # pytest prints whole messages then
    arguments = ("pytest", "-c", "/dev/null", "-p", "no:cacheprovider", str(failing))
    monkeypatch.setattr(nightly, "SLOW_TESTS", Proof("slow-tests", arguments))
    runs: list[str] = []

    def passes_alone(test: str) -> bool:
        runs.append(test)
        return flaky

    monkeypatch.setattr(rerun_failed, "passes_alone", passes_alone)
    monkeypatch.setattr(nightly, "SLICES", ())
    (outcome,) = sample(1, 60, tmp_path)
    assert outcome.status == int(not flaky)
    assert "test_it.py::test_it\n" in outcome.tail
    assert [test.rpartition("::")[2] for test in runs] == ["test_it"]


def test_a_night_that_was_cut_short_goes_on_with_what_has_not_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = Proof("missing", ("no_such_module",))
    monkeypatch.setattr(nightly, "FOLDER", tmp_path)
    monkeypatch.setattr(nightly, "PROOFS", (QUICK, failing, QUICK._replace(name="last")))
    ran: list[str] = []

    def run_and_note(proof: Proof, seed: int, folder: Path) -> nightly.Outcome:
        ran.append(proof.name)
        return run(proof, seed, folder)

    monkeypatch.setattr(nightly, "run", run_and_note)
    assert main(["--seed", "7", QUICK.name, failing.name]) == 1
    assert main(["--seed", "7", "--resume"]) == 1
    assert ran == [QUICK.name, failing.name, failing.name, "last"]
    assert "2 passed, 1 failed." in (tmp_path / "report.md").read_text()
    # Another seed is another night.
    main(["--seed", "8", "--resume", QUICK.name])
    assert ran[4:] == [QUICK.name]


def test_tests_that_failed_are_read_from_what_pytest_printed() -> None:
    printed = "FAILED tests/a.py::test_one[x - y] - assert 1 == 2\nERROR tests/b.py::test_two\nFAILED (errors=1)\n"
    assert failed_tests(printed) == ["tests/a.py::test_one[x - y]", "tests/b.py::test_two"]
