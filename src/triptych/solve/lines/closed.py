"""Answers one JSON line of `triptych solve closed --json -`.

In: `{"id":…, "cards":"AsKs…", "rules":{"preset":…}, "against":[{"front":…,"middle":…,"back":…}], "top":n}`, or
`"samples":[[{…}], …]` for deals that are each as likely, or `"opponents":n` against unknown hands; `"stakes":[…]`.
Out: `{"id":…, "advice":…, "settings":[{"front":…, …, "value":x, "won":[…], …}], "count":72072, "legal":n,
"surrender":x, "natural":{"kind":…,"value":x}}`, or `{"id":…, "error":{"code":…, "message":…, "path":…}}`. Against
unknown hands also `"strategy":{"name":…,"opponents":n,"gain":x,"interval":x,"deals":n}`: how they play, and what a
best response was measured to gain against it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from triptych.cards import cards_text
from triptych.rules.errors import RulesError
from triptych.rules.load import resolve
from triptych.solve.closed.settings import ALL_SETTINGS, closed
from triptych.solve.errors import SolveError
from triptych.solve.lines.cards import read_cards, read_rows
from triptych.solve.lines.fantasyland import OUT_OF_RANGE

if TYPE_CHECKING:
    from triptych.rules.model import Ruleset
    from triptych.solve.closed.settings import ClosedAnswer, ClosedSetting
    from triptych.solve.exact.setting import Rows

Json = dict[str, object]


class _BoardText(msgspec.Struct, forbid_unknown_fields=True):
    front: str
    middle: str
    back: str

    def rows(self, path: str) -> Rows:
        return read_rows({"front": self.front, "middle": self.middle, "back": self.back}, path)


class _Question(msgspec.Struct, forbid_unknown_fields=True):
    cards: str
    id: object = None
    rules: str | dict[str, object] = "closed_1_6"
    against: tuple[_BoardText, ...] = ()
    samples: tuple[tuple[_BoardText, ...], ...] | None = None
    opponents: int = 1
    stakes: tuple[float, ...] = ()
    top: int = 1


class _Named(msgspec.Struct):
    id: object = None


def answer(line: bytes | str) -> tuple[Json, bool]:
    """Return the answer to one line, and whether there was one; a bad line is answered with its error."""
    try:
        question = msgspec.json.decode(line, type=_Question)
        return {"id": question.id, **answer_json(_solve(question))}, True
    except msgspec.ValidationError as error:
        return _failure(line, _fault(str(error))), False
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return _failure(line, SolveError("line.json", f"not JSON: {error}")), False
    except (SolveError, RulesError) as error:
        return _failure(line, error), False


def answer_json(found: ClosedAnswer) -> Json:
    """Return an answer in its JSON form, cards as text."""
    natural = {"kind": found.natural_kind, "value": found.natural} if found.natural_kind else None
    body: Json = {
        "advice": found.advice,
        "settings": [_setting_json(setting) for setting in found.settings],
        "count": ALL_SETTINGS,
        "legal": found.legal,
        "surrender": found.surrender,
        "natural": natural,
    }
    if found.strategy:
        known = ("name", "opponents", "gain", "interval", "deals")
        body["strategy"] = {name: getattr(found.strategy, name) for name in known}
    return body


def _setting_json(setting: ClosedSetting) -> Json:
    body: Json = {name: cards_text(getattr(setting, name)) for name in ("front", "middle", "back")}
    return body | {
        name: getattr(setting, name) for name in ("legal", "value", "royalties", "won", "lost", "scoops", "scooped")
    }


def _solve(question: _Question) -> ClosedAnswer:
    if question.samples is not None and not question.samples:
        raise SolveError("against.count", "at least one sample of boards", "$.samples")
    against = tuple(board.rows(f"$.against[{index}]") for index, board in enumerate(question.against))
    samples = tuple(
        tuple(board.rows(f"$.samples[{number}][{index}]") for index, board in enumerate(boards))
        for number, boards in enumerate(question.samples or ())
    )
    return closed(
        read_cards(question.cards, "$.cards"),
        _rules(question.rules),
        against=against,
        samples=samples,
        opponents=question.opponents,
        stakes=question.stakes,
        top=question.top,
    )


def _rules(spec: str | dict[str, object]) -> Ruleset:
    try:
        return resolve(spec)
    except RulesError as error:
        raise SolveError(error.code, error.message, f"$.rules{error.path[1:]}") from error


def _fault(said: str) -> SolveError:
    """Return the error of a line that is JSON, but not of this form."""
    message, _, path = said.partition(" - at `")
    if message == OUT_OF_RANGE:
        return SolveError("value.range", "a number is too large")
    path = path.rstrip("`") or "$"
    for words, code in (("unknown field", "line.unknown_key"), ("missing required field", "line.missing")):
        if words in message:
            return SolveError(code, message, f"{path}.{message.split('`')[1]}")
    return SolveError("line.type", message, path)


def _failure(line: bytes | str, error: SolveError | RulesError) -> Json:
    try:
        found = msgspec.json.decode(line, type=_Named).id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        found = None
    return {"id": found, "error": {"code": error.code, "message": error.message, "path": error.path}}
