"""Programs that play: the example of the guide, and broken, slow or cheating ones (issue 5, shown by 7).

Each fault is named, costs that decision only, and never holds the match up.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

import msgspec
import pytest

import triptych
from tests.case_sample import sample_cases
from triptych.arena.contender import Entrant, Limits, read_entrants
from triptych.arena.errors import ArenaError
from triptych.arena.faults import KINDS
from triptych.arena.match import Plan, play_batches
from triptych.arena.report import BotReport, match_result
from triptych.arena.tally import MatchAccumulator
from triptych.cli.main import app
from triptych.deal.actions import Action, Announce, ClaimNatural, Declare, Place
from triptych.rulesets.load import preset_names, resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

OFTEN = ("pineapple", "pineapple_joker", "ofc_27", "closed_2_4", "criss_cross", "first_to_11")
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "first_fit.py"

# A program that behaves until its third question, whatever it does then.
BROKEN = """
import itertools, json, os, subprocess, sys, time
sys.path.insert(0, {folder!r})
asked = itertools.count(1)
def say(message):
    print(message if isinstance(message, str) else json.dumps(message), flush=True)
def good(message):
    task = message["task"]
    cards, layout = task["cards"][: task["place"]], {{}}
    for row in ("back", "middle", "front"):
        layout[row], cards = cards[: task["open"][row]], cards[task["open"][row] :]
    return {{"id": message["id"], "action": {{"do": "place", "hand": task["hand"], "layout": layout}}}}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({{"type": "hello", "protocol": 1}})
    if message["type"] == "ask":
        answer = good(message)
        if next(asked) == 3:
            {fault}
        else:
            say(answer)
"""


def play(
    command: tuple[str, ...], deals: int = 2, preset: str = "pineapple", limits: Limits | None = None
) -> BotReport:
    entrants = (Entrant("program", command=command), Entrant("random", "random"))
    plan = Plan(resolve(preset), entrants, deals, seed="3", limits=limits or Limits(2000, 1000, 5))
    tally = MatchAccumulator(plan)
    for block in play_batches(plan):
        tally.add(block)
    result = match_result(tally, "all")
    assert result.deals == deals
    return result.bots[0]


def broken(folder: Path, fault: str, limits: Limits | None = None) -> BotReport:
    file = folder / "broken.py"
    file.write_text(BROKEN.format(folder=str(folder), fault=fault))
    return play((sys.executable, str(file)), limits=limits)


@pytest.mark.parametrize("preset", sample_cases(preset_names(), OFTEN))
def test_the_example_of_the_guide_plays_every_preset(preset: str) -> None:
    assert play((sys.executable, str(EXAMPLE)), deals=2, preset=preset).faults == {}


def test_the_example_beats_random() -> None:
    """Issue 28.12: it lost."""
    program = f"cmd:{shlex.join((sys.executable, str(EXAMPLE)))}"
    report = triptych.play_match(program, "random", deals=100, seed="example").bots[0]
    assert report.plain.duplicate.mean > report.plain.duplicate.half
    assert report.faults == {}


def test_the_example_is_short_and_needs_no_library() -> None:
    source = EXAMPLE.read_text()
    assert len(source.splitlines()) <= 35
    assert "triptych" not in source.split('"""')[2]


# What the program does, the fault's name, what the message says, how many programs of the match do it: a program
# that was started again, or one for each of two decks in each of two seatings, comes to its third question again.
FAULTS = [
    (
        "say(dict(answer, action=dict(answer['action'], hand=1 - message['task']['hand'])))",
        "illegal",
        "not_your_turn",
    ),
    ("say(dict(answer, action=dict(answer['action'], layout={})))", "illegal", "deal.wrong_count"),
    ("answer['action']['layout']['front'] = ['Xx']; say(answer)", "illegal", "deal.card_unknown|card.unknown"),
    ("say(dict(answer, action=dict(answer['action'], do='arrange')))", "illegal", "arrange decides nothing"),
    ("time.sleep(0.6); say(answer)", "silence", "no answer within"),
    ("sys.exit(7)", "crash", "exit status 7"),
    ("raise RuntimeError('out of ideas')", "crash", "out of ideas"),
    ("os.kill(os.getpid(), 11)", "crash", "SIGSEGV"),
    ("os.close(1); time.sleep(30)", "crash", "closed its output"),
    ("say('thinking...')", "garbage", "thinking"),
    ("say([1, 2])", "garbage", "Expected `object`"),
    ("say({'id': message['id']})", "garbage", "without an action"),
    ("say(dict(answer, id=999))", "garbage", "id 999"),
    ("say(dict(answer, action={'do': 'deal'}))", "garbage", "Invalid value 'deal'"),
    ("[say('spam') for _ in range(5000)]", "flood", "nobody asked"),
    ("say('x' * 1000000)", "long_line", "65536"),
    ("say({'id': message['id'], 'error': {'code': 'me', 'message': 'no idea', 'path': '$'}})", "gave_up", "no idea"),
]


@pytest.mark.parametrize(("fault", "kind", "message"), sample_cases(FAULTS, FAULTS[1::2]))
def test_each_fault_is_named_and_costs_one_decision(tmp_path: Path, fault: str, kind: str, message: str) -> None:
    limits = Limits(300, 100, 9) if kind == "silence" else None
    report = broken(tmp_path, fault, limits)
    assert set(report.faults) == {kind}
    assert 1 <= sum(report.faults.values()) <= 6
    assert any(word in report.examples[0].message for word in message.split("|")), report.examples[0]
    assert report.examples[0].street == 3
    assert report.forfeited_blocks == 0


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("import time; time.sleep(60)", "no hello"),
        ("print('welcome', flush=True); input()", "not a hello"),
        ('print(\'{"type": "hello", "protocol": 2}\', flush=True); input()', "protocol 2"),
        ("raise SystemExit('cannot find my weights')", "cannot find my weights"),
    ],
)
def test_a_program_that_does_not_start(program: str, message: str) -> None:
    report = play((sys.executable, "-c", program), limits=Limits(500, 0, 2, startup_ms=1000))
    assert report.faults == {"no_start": 2}
    assert message in report.examples[0].message
    assert report.forfeited_blocks == 2
    assert report.is_unrated


def test_a_program_that_never_reads_and_never_answers(tmp_path: Path) -> None:
    file = tmp_path / "deaf.py"
    file.write_text('import time\nprint(\'{"type": "hello", "protocol": 1}\', flush=True)\ntime.sleep(60)\n')
    began = monotonic()
    report = play((sys.executable, str(file)), deals=40, limits=Limits(50, 100, 3))
    assert report.faults == {"silence": 3}  # then it is out, of the rest of the match too
    assert report.forfeited_blocks == 4
    assert monotonic() - began < 30


def test_a_program_that_hangs_loses_its_deal_and_gets_a_new_one(tmp_path: Path) -> None:
    """Streets 3, 4 and 5 of two decks in two seatings; the arrears of one deal do not go into the next."""
    assert broken(tmp_path, "time.sleep(30)", Limits(200, 0, 99)).faults == {"silence": 12}


def test_the_bank_is_used_up_within_a_deal(tmp_path: Path) -> None:
    """A program that is a little late each time lives off its bank, then loses decisions; a new deal fills it."""
    file = tmp_path / "late.py"
    file.write_text(
        BROKEN.format(folder="", fault="pass")
        .replace("answer = good(message)", "answer = good(message); time.sleep(0.4)")
        .replace("== 3", "== -1")
    )
    rich = play((sys.executable, str(file)), deals=1, limits=Limits(100, 20_000, 99))
    # Five decisions need 1,500 ms of it at least; on a busy machine already the first may need most of that.
    poor = play((sys.executable, str(file)), deals=1, limits=Limits(100, 1_400, 99))
    assert rich.faults == {}
    assert 1 <= poor.faults["silence"] < 10


@pytest.mark.skipif(os.name != "posix", reason="looks for processes by their id")
def test_its_own_programs_and_their_children_end_with_the_match(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    start = (
        f"child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); "
        f"open({str(file)!r}, 'a').write(f'{{os.getpid()}} {{child.pid}}\\n'); time.sleep(60)"
    )
    broken(tmp_path, start, Limits(300, 0, 9))
    pids = [int(word) for word in file.read_text().split()]
    assert len(pids) >= 2
    sleep(0.2)
    assert not [pid for pid in pids if _alive(pid)]


def test_a_program_never_sees_cards_hidden_from_its_seat(tmp_path: Path) -> None:
    """Every line it was sent: cards of others are those that lie open, the rest is ??."""
    log = tmp_path / "log"
    file = tmp_path / "spy.py"
    source = EXAMPLE.read_text().replace(
        "for line in sys.stdin:", f"for line in sys.stdin:\n    open({str(log)!r}, 'a').write(line)"
    )
    file.write_text(source)
    assert play((sys.executable, str(file)), deals=6).faults == {}
    questions = 0
    for line in log.read_text().splitlines():
        message = json.loads(line)
        assert set(message) <= {
            "type",
            "protocol",
            "arena",
            "budget_ms",
            "bank_ms",
            "rules",
            "number",
            "seat",
            "seats",
            "seed",
            "id",
            "view",
            "task",
            "points",
        }
        if message["type"] == "ask":
            questions += 1
            own = message["view"]["boards"][message["task"]["hand"]]
            for board in message["view"]["boards"]:
                if board["seat"] != own["seat"]:
                    assert _hidden(board)
    assert questions >= 60


def _hidden(board: Mapping[str, object]) -> bool:
    return all(card == "??" for field in ("discards", "draws") for card in board[field])  # type: ignore[attr-defined]


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z" if Path("/proc").exists() else True


def test_the_guide_shows_the_example_every_fault_and_real_actions() -> None:
    docs = EXAMPLE.parents[1]
    guide = (docs / "reference" / "bot-protocol.md").read_text()
    tutorial = (docs / "tutorials" / "first-bot.md").read_text()
    assert f"```python\n{EXAMPLE.read_text().rstrip()}\n```" in tutorial
    faults = guide.partition("\n## Faults\n")[2]
    assert dict(re.findall(r"^\| `(\w+)` \| ([^|`]+) \|$", faults, re.MULTILINE)) == KINDS
    actions = re.findall(r"\{\"do\": .*?\}(?=`|\}$)", guide, re.MULTILINE)
    assert {type(msgspec.json.decode(text, type=Action)) for text in actions} == {
        Place,
        Announce,
        Declare,
        ClaimNatural,
    }


def test_a_program_is_started_once_a_block_and_seating(tmp_path: Path) -> None:
    """Issue 15, part 7: one that takes two seconds to start cost as many for each deck."""
    starts = tmp_path / "starts"
    file = tmp_path / "counted.py"
    file.write_text(f"open({str(starts)!r}, 'a').write('x')\n" + EXAMPLE.read_text("utf-8"))
    assert play((sys.executable, str(file)), deals=20).faults == {}
    assert len(starts.read_text("utf-8")) == 4 * 2


def test_a_slow_hello_can_be_given_a_longer_limit(tmp_path: Path) -> None:
    file = tmp_path / "late.py"
    file.write_text("import time; time.sleep(1.5)\n" + EXAMPLE.read_text("utf-8"))
    command = (sys.executable, str(file))
    assert set(play(command, 1, limits=Limits(2000, 1000, 5, startup_ms=200)).faults) == {"no_start"}
    assert play(command, 1, limits=Limits(2000, 1000, 5, startup_ms=60_000)).faults == {}


@pytest.mark.skipif(os.name == "nt", reason="a first line names no interpreter there")
def test_the_interpreter_is_the_one_that_the_first_line_names(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.symlink_to(sys.executable)
    named = tmp_path / "named.py"
    named.write_text(f"#!{own}\n")
    assert read_entrants([str(named)])[0].command == (str(own), str(named))
    named.write_text("#! /usr/bin/env -S sh -c\n")  # all that follows is one argument, as to the system
    assert read_entrants([str(named)])[0].command == ("/usr/bin/env", "-S sh -c", str(named))
    named.write_text("print(1)\n")
    assert read_entrants([str(named)])[0].command == (sys.executable, str(named))
    nobody = tmp_path / "nobody"
    nobody.write_text("#!/no/such/interpreter\n")
    with pytest.raises(ArenaError, match=r"/no/such/interpreter, which .* names in its first line"):
        read_entrants([str(nobody)])


def test_a_bot_that_forfeits_most_decisions_gets_no_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    """Issue 15, part 7: `cmd:false` was called weaker by so many points, with exit status 0."""
    assert app(["arena", "cmd:false", "random", "--deals", "8"], result_action="return_value") == 1
    assert capsys.readouterr().out.startswith("No verdict: false forfeited 80 of 80 decisions.")


def test_a_bot_in_python_plays_in_this_process(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from triptych.bots.levels import get_level\n"
        "def bot(seed):\n    return get_level('fast').factory(seed)\n"
        "def broken(seed):\n    raise ValueError\n"
        "none = 3\n"
    )
    argv = ["arena", f"py:{file}", "fast", "--deals", "6", "--json"]
    assert app(argv, result_action="return_value") == 0
    bots = json.loads(capsys.readouterr().out)["outcome"]["bots"]
    assert [bot["bot"] for bot in bots] == ["mine.py", "fast"]
    assert bots[0]["plain"]["duplicate"]["mean"] == 0, "the same seeds make the same choices"
    assert (bots[0]["forfeited"], bots[0]["decisions"]) == (0, bots[1]["decisions"])
    argv[1] = f"py:{file}:broken"
    assert app(argv, result_action="return_value") == 1
    assert json.loads(capsys.readouterr().out)["outcome"]["bots"][0]["faults"] == {"no_start": 5}
    for named, text in (
        (f"{file}:none", "has no none"),
        (f"{file}x", "cannot be loaded"),
        ("no.such", "cannot be loaded"),
    ):
        argv[1] = f"py:{named}"
        assert app(argv, result_action="return_value") == 1
        assert text in capsys.readouterr().out
