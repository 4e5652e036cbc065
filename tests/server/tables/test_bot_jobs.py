"""What the bots' process does with a request, and that no request stops it (CONTRACTS of issue 2, part 7)."""

from __future__ import annotations

import msgspec
import pytest

from tests.bots.play import after, begin, hands, question, shuffled
from triptych.bots.learned import bot
from triptych.deal.actions import Action
from triptych.rulesets.load import resolve
from triptych.server.jobs.bots import BotJobs
from triptych.server.jobs.protocol import JobRequest, JobResult
from triptych.server.jobs.worker import run_job
from triptych.solve.value import weights

RULES = resolve("pineapple")


def _question(level: str = "steady", **changes: object) -> bytes:
    view, task = question(begin(RULES, hands(RULES, 2), shuffled(RULES, 5)))
    body = {"level": level, "rules": RULES, "view": view, "task": task, "budget_ms": 50}
    return msgspec.json.encode(body | changes)


def _run(bots: BotJobs, body: bytes, job: str = "choose") -> JobResult:
    return run_job(JobRequest(job, body), bots.jobs)


def _code(result: JobResult) -> str:
    return "" if result.error is None else result.error.code


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b'{"level": 1', "server.failed"),
        (_question(level="nobody"), "level.unknown"),
        (_question(rules={"name": 3}), "server.failed"),
        (_question(view={}), "server.failed"),
        (_question(task={"hand": 7, "kind": "place"}), "server.failed"),
    ],
)
def test_a_bad_request_gets_an_error_and_the_next_one_its_action(body: bytes, code: str) -> None:
    bots = BotJobs(0)
    assert _code(_run(bots, body)) == code
    action = msgspec.json.decode(_run(bots, _question("random")).body, type=Action)
    after(begin(RULES, hands(RULES, 2), shuffled(RULES, 5)), action)


def test_prepared_rules_are_not_read_again_by_the_first_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 28: the first answer of the guide waits for no file, under the house rules of a table either."""
    for read_before in (bot._weights_for, weights.packaged, weights._cached_table):
        read_before.cache_clear()  # by other tests of this process
    bots, turbo = BotJobs(0), {"preset": "turbo", "clock.kind": "none"}
    assert _code(_run(bots, msgspec.json.encode(resolve("turbo")), "prepare")) == ""
    monkeypatch.setattr("lzma.decompress", None)
    rules = resolve(turbo)
    view, task = question(begin(rules, hands(rules, 2), shuffled(rules, 5)))
    assert _code(_run(bots, _question("guide", rules=rules, view=view, task=task))) == ""


def test_rules_that_cannot_be_prepared_get_an_error() -> None:
    assert _code(_run(BotJobs(0), b'{"name": 3}', "prepare")) == "server.failed"


def test_an_impossible_position_does_not_stop_the_worker() -> None:
    bots = BotJobs(0)
    view, task = question(begin(RULES, hands(RULES, 2), shuffled(RULES, 5)))
    failure = _run(bots, _question(task=msgspec.structs.replace(task, hand=9), view=view))
    assert _code(failure) == "server.failed"
    assert failure.fault
    assert _code(_run(bots, _question())) == ""
