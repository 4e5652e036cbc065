"""Answer one JSON line of `triptych solve closed --json -`.

In: `{"id":…, "cards":"AsKs…", "rules":{"preset":…}, "against":[{"front":…,"middle":…,"back":…}], "top":n}`, or
`"samples":[[{…}], …]` for deals that are each as likely, or `"opponents":n` against unknown hands; `"stakes":[…]`.
Out: `{"id":…, "advice":…, "settings":[{"front":…, …, "value":x, "won":[…], …}], "count":72072, "legal":n,
"surrender":x, "natural":{"kind":…,"value":x}}`, or `{"id":…, "error":{"code":…, "message":…, "path":…}}`. Against
unknown hands also `"strategy":{"name":…,"opponents":n,"gain":x,"interval":x,"deals":n}`: their strategy and
its exploitability.
"""

from __future__ import annotations

import msgspec

from triptych.cards import cards_text
from triptych.json_input import Json, convert_to, read_rules, reply_to_line
from triptych.solve.closed.settings import ALL_SETTINGS, ClosedSetting, ClosedSolution, solve_closed
from triptych.solve.errors import SolveError
from triptych.solve.exact.setting import Rows
from triptych.solve.jsonl.cards import read_cards, read_rows


class _BoardText(msgspec.Struct, forbid_unknown_fields=True):
    front: str
    middle: str
    back: str

    def rows(self, path: str) -> Rows:
        return read_rows({"front": self.front, "middle": self.middle, "back": self.back}, path)


class _Request(msgspec.Struct, forbid_unknown_fields=True):
    cards: str
    id: object = None
    rules: str | dict[str, object] = "closed_1_6"
    against: tuple[_BoardText, ...] = ()
    samples: tuple[tuple[_BoardText, ...], ...] | None = None
    opponents: int = 1
    stakes: tuple[float, ...] = ()
    top: int = 1


def process_line(line: bytes | str) -> tuple[Json, bool]:
    """Return the answer to one line, and whether there was one; a bad line is answered with its error."""
    return reply_to_line(line, lambda document: solution_json(_solve(convert_to(document, _Request))))


def solution_json(solution: ClosedSolution) -> Json:
    """Return an answer in its JSON form, cards as text."""
    natural = {"kind": solution.natural_kind, "value": solution.natural} if solution.natural_kind else None
    body: Json = {
        "advice": solution.advice,
        "settings": [_setting_json(setting) for setting in solution.settings],
        "count": ALL_SETTINGS,
        "legal": solution.legal,
        "surrender": solution.surrender,
        "natural": natural,
    }
    if solution.strategy:
        names = ("name", "opponents", "gain", "interval", "deals")
        body["strategy"] = {name: getattr(solution.strategy, name) for name in names}
    return body


def _setting_json(setting: ClosedSetting) -> Json:
    body: Json = {name: cards_text(getattr(setting, name)) for name in ("front", "middle", "back")}
    return body | {
        name: getattr(setting, name) for name in ("legal", "value", "royalties", "won", "lost", "scoops", "scooped")
    }


def _solve(request: _Request) -> ClosedSolution:
    if request.samples is not None and not request.samples:
        raise SolveError("against.count", "at least one sample of boards", "$.samples")
    against = tuple(board.rows(f"$.against[{index}]") for index, board in enumerate(request.against))
    samples = tuple(
        tuple(board.rows(f"$.samples[{number}][{index}]") for index, board in enumerate(boards))
        for number, boards in enumerate(request.samples or ())
    )
    return solve_closed(
        read_cards(request.cards, "$.cards"),
        read_rules(request.rules),
        against=against,
        samples=samples,
        opponents=request.opponents,
        stakes=request.stakes,
        top=request.top,
    )
