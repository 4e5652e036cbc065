"""The bot process: JSON lines in, JSON lines out, and no line that stops it (CONTRACTS of issue 2, part 7)."""

from __future__ import annotations

import json
import subprocess
import sys

import msgspec
import pytest

from tests.bots.play import after, begin, hands, question, shuffled
from triptych.bots.engine import BotReply, EngineWorker
from triptych.bots.learned import bot
from triptych.deal.actions import Action
from triptych.rulesets.load import resolve
from triptych.solve.value import weights

RULES = resolve("pineapple")


def _question(level: str = "steady", **changes: object) -> bytes:
    seen, task = question(begin(RULES, hands(RULES, 2), shuffled(RULES, 5)))
    body = {"id": 4, "level": level, "rules": RULES, "view": seen, "task": task, "budget_ms": 50}
    return msgspec.json.encode(body | changes)


def test_a_process_answers_each_line_and_ends_with_its_input() -> None:
    lines = [_question("random"), b"nonsense", b"", _question(id="b"), b'{"id": 5}']
    run = subprocess.run(
        [sys.executable, "-m", "triptych.bots.engine"], input=b"\n".join(lines), capture_output=True, check=True
    )
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [4, None, "b", 5]
    assert ["error" in answer for answer in answers] == [False, True, False, True]
    assert run.stderr == b""
    state = begin(RULES, hands(RULES, 2), shuffled(RULES, 5))
    for answer in (answers[0], answers[2]):
        after(state, msgspec.convert(answer["action"], Action))


@pytest.mark.parametrize(
    ("line", "code", "path"),
    [
        (b"[1]", "line.type", "$"),
        (b'{"id": 1', "line.json", "$"),
        (_question(level="nobody"), "level.unknown", "$.level"),
        (_question(budget_ms=0), "line.type", "$.budget_ms"),
        (_question(rules={"name": 3}), "line.type", "$.name"),
        (_question(view={}), "line.missing", "$.view.number"),
        (_question(task={"hand": 7, "kind": "place"}), "line.missing", "$.task.street"),
    ],
)
def test_a_bad_line_gets_one_clear_error(line: bytes, code: str, path: str) -> None:
    failure = EngineWorker(0).answer(line)
    assert isinstance(failure, dict)
    error = msgspec.convert(failure["error"], dict[str, str])
    assert (error["code"], error["path"]) == (code, path)


def test_prepared_rules_are_not_read_again_by_the_first_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 28: the first answer of the guide waits for no file, under the house rules of a table either."""
    for read_before in (bot._weights_for, weights.packaged, weights._cached_table):
        read_before.cache_clear()  # by other tests of this process
    worker, turbo = EngineWorker(0), {"preset": "turbo", "clock.kind": "none"}
    assert worker.answer(msgspec.json.encode({"prepare": resolve("turbo")})) is None
    monkeypatch.setattr("lzma.decompress", None)
    rules = resolve(turbo)
    seen, task = question(begin(rules, hands(rules, 2), shuffled(rules, 5)))
    assert isinstance(worker.answer(_question("guide", rules=rules, view=seen, task=task)), BotReply)


@pytest.mark.parametrize("line", [b'{"prepare": {"name": 3}}', b'{"prepare":{"name": 3}}', b'{"prepare":'])
def test_rules_that_cannot_be_prepared_get_an_error(line: bytes) -> None:
    failure = EngineWorker(0).answer(line)
    assert isinstance(failure, dict)
    assert "error" in failure


def test_an_impossible_position_does_not_stop_the_worker() -> None:
    worker = EngineWorker(0)
    seen, task = question(begin(RULES, hands(RULES, 2), shuffled(RULES, 5)))
    broken = msgspec.structs.replace(task, hand=9)
    failure = worker.answer(_question(task=broken, view=seen))
    assert isinstance(failure, dict)
    assert msgspec.convert(failure["error"], dict[str, str])["code"] == "position.impossible"
    assert isinstance(worker.answer(_question()), BotReply)
