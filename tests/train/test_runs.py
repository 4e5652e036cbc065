"""Training runs as files, pictures and several at once; issue 5 part 1: resumable, reproducible, over machines."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from cyclopts import App

from tests.case_sample import sample_cases
from triptych.cli.train import train as command
from triptych.parallel import JobsError, Parallelism, Pool
from triptych.rulesets.errors import RulesError
from triptych.rulesets.load import resolve
from triptych.solve.value import weights
from triptych.train import selfplay as train
from triptych.train.runs import TrainingRequest, plot, train_all
from triptych.train.state import StateError, restore, save

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        ("WARMUP_DEALS", 250),
        ("STRENGTH_SAMPLE_DEALS", 100),
        ("SLICE_DEALS", 50),
        ("FIT_SAMPLE_DEALS", 10),
    ):
        monkeypatch.setattr(train, name, value)
    monkeypatch.setattr(train, "EVALUATION_DEALS", 50)
    monkeypatch.setattr(weights, "_XZ_PRESET", 0)  # most of these tests' time was xz


def _run(preset: str = "pineapple", deals: int = 750) -> train.Training:
    return TrainingRequest(preset, {"preset": preset}, 2, deals, 3).start()


class _Stopped(Exception):  # noqa: N818 - no error
    pass


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("preset", sample_cases(["pineapple", "turbo"], ["turbo"]))
def test_a_run_that_goes_on_elsewhere_ends_with_the_same_bytes(preset: str, tmp_path: Path) -> None:
    """Stopped while it learns first, between two fits of fantasyland, and late; each time read from its file."""
    whole, run = _run(preset), _run(preset)
    whole.run()
    for stop in (150, 450, 700):

        def stop_at(progress: train.Progress, stop: int = stop) -> None:
            if progress.done == stop:
                raise _Stopped

        with pytest.raises(_Stopped):
            run.run(stop_at)
        save(run, tmp_path / "cut.run")
        if stop == 450:
            run.result()  # what has been learned so far is written too, and that plays deals of its own
        run = restore(tmp_path / "cut.run")
    run.run()
    assert run.history == whole.history
    assert run.result() == whole.result()


@pytest.mark.usefixtures("short")
def test_files_that_are_no_run_are_named(tmp_path: Path) -> None:
    run, file = _run(deals=400), tmp_path / "pineapple.run"
    run.run()
    save(run, file)
    whole = file.read_bytes()
    for bad in (b"", b"{}\n", whole[: len(whole) // 2], whole.partition(b"\n")[0] + b"\n"):
        file.write_bytes(bad)
        with pytest.raises(StateError) as caught:
            restore(file)
        assert caught.value.code == "run.file"
    file.write_bytes(whole.replace(b'"pineapple"', b'"pineapple_joker"', 2))
    with pytest.raises(StateError) as caught:
        restore(file)
    assert caught.value.code == "run.shape"


@pytest.mark.usefixtures("short")
def test_the_picture_shows_every_curve() -> None:
    run = _run("pineapple_progressive", 1_000)
    run.run()
    text = plot(run.history, "a run")
    drawn = [element for element in ET.fromstring(text).iter() if element.tag.endswith("polyline")]  # noqa: S314 - written here
    sizes = sum(value > 0 for value in run.fantasyland_values)
    assert len(drawn) == 3 + sizes == 7
    for name in ("foul", "fantasyland", "royalties", "17 cards"):
        assert name in text


@pytest.mark.slow
@pytest.mark.timeout(1800)  # minutes, on a machine that is free
def test_several_runs_bring_what_each_brings_alone() -> None:
    """Two seeds in two processes: the bytes of the same runs here."""
    requests = [TrainingRequest("pineapple", {"preset": "pineapple"}, 2, 60_000, seed) for seed in (1, 2)]
    results = list(train_all(requests, Parallelism(2)))
    assert [result.request for result in results] == requests
    assert results[0].weights != results[1].weights
    alone = requests[1].start()
    alone.run()
    assert results[1].weights == alone.result()
    assert weights.load(resolve("pineapple"), results[0].weights)[0].seed == 1


def test_a_closed_game_among_several_is_refused_before_anything_is_played() -> None:
    requests = [TrainingRequest(preset, {"preset": preset}, 2, 10**9, 1) for preset in ("pineapple", "closed_1_6")]
    with pytest.raises(RulesError) as caught:
        next(train_all(requests, Parallelism(2)))
    assert caught.value.code == "train.game"


@pytest.mark.parametrize(("spread", "code"), [(Parallelism(0), "jobs.count"), (Parallelism(2, "ray"), "jobs.ray")])
def test_work_that_cannot_be_spread(spread: Parallelism, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.parallel.find_spec", lambda _: None)
    with pytest.raises(JobsError) as caught:
        Pool(spread)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "$.presets"),
        (("pineapple", "--resume", "no.run"), "$.presets"),
        (("--resume", "no.run"), "$.resume"),
        (("pineapple", "closed_1_6"), "$.presets"),
        (("closed_1_6", "--set", "royalties.table=nobody"), "$.royalties.table"),
        (("pineapple", "turbo", "--output", "no/folder"), "$.output"),
        (("pineapple", "turbo", "--jobs", "0"), "$.jobs"),
    ],
)
def test_bad_commands_get_one_clear_error(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    app = App(result_action="return_value")
    app.default(command)
    assert app(arguments) == 1
    assert message in capsys.readouterr().err


def test_a_closed_game_is_measured_and_kept(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Issue 13, part 7; what comes with the package is not made again."""
    monkeypatch.setenv("TRIPTYCH_CACHE", str(tmp_path))
    monkeypatch.setattr("triptych.bots.strategy_cache.ROUNDS", 2)
    monkeypatch.setattr("triptych.bots.strategy_cache.DECKS", 40)
    monkeypatch.setattr("triptych.cli.train._MEASUREMENT_DEALS", 500)
    app = App(result_action="return_value")
    app.default(command)
    assert app(("closed_2_4", "--set", "royalties.table=none")) == 0
    assert "points a deal, measured on" in capsys.readouterr().out
    files = list((tmp_path / "strategies").iterdir())
    assert len(files) == 1
    assert app(("closed_2_4",)) == 0
    assert "it comes with the package" in capsys.readouterr().out
    assert list((tmp_path / "strategies").iterdir()) == files


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as a signal")
def test_ctrl_c_and_resume_give_the_weights_of_an_uninterrupted_run(tmp_path: Path) -> None:
    cut, whole = tmp_path / "cut.tw", tmp_path / "whole.tw"
    # Of all that a run goes through, learning after the strengths were measured (50,000 deals) comes last.
    begin = ("train", "pineapple", "--deals", "70000", "--checkpoint", "5000", "--output")
    process = subprocess.Popen(_command(*begin, str(cut)), stderr=subprocess.PIPE, text=True)
    state = cut.with_suffix(".run")
    while not state.exists():
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert "triptych train --resume" in errors
    stopped = cut.read_bytes()
    subprocess.run(_command("train", "--resume", str(state), "--output", str(cut)), check=True, capture_output=True)
    subprocess.run(_command(*begin, str(whole)), check=True, capture_output=True)
    assert cut.read_bytes() == whole.read_bytes() != stopped
    assert cut.with_suffix(".svg").exists()
    assert not state.exists()


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", "from triptych.cli.main import main; main()", *arguments]
