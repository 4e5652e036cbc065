"""A scored deal by the players' names, as `triptych.score` and `Deal.result` return it."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from msgspec import Struct

from triptych.arguments import mapping
from triptych.i18n.localization import plain_messages
from triptych.scoring.errors import RequestError
from triptych.scoring.jsonl.answer import response_for
from triptych.scoring.jsonl.request import Request
from triptych.scoring.session import session_deal_from_request
from triptych.scoring.settle import Amount
from triptych.scoring.sheet.types import ScoreSheet


class Score(Struct, frozen=True, dict=True):
    """A scored deal by name: totals, pairs, royalties, legal boards, cards of the next fantasyland.

    `totals` are after stakes and before caps, `stacks` after both (None where none were given). `sheet` has the
    reason of every point.

    >>> import triptych
    >>> score = triptych.score({"Ann": "QhQd7c/KsKc9d8c2c/AcAdTcJc2d", "Bob": "9h6c5d/9s9c8d7h2h/KdKhTdJs3d"})
    >>> score.totals, score.fantasyland
    ({'Ann': 13, 'Bob': -13}, {'Ann': 14, 'Bob': 0})
    >>> score.sheet.pairs[0].scoop.why
    'Ann won all three rows'
    """

    totals: dict[str, Amount]
    pairs: dict[str, Amount]
    royalties: dict[str, dict[str, int]]
    legal: dict[str, bool]
    fantasyland: dict[str, int]
    stacks: dict[str, Amount] | None
    request: Request
    number: int = 1

    @cached_property
    def sheet(self) -> ScoreSheet:
        """The score sheet, with the reason of every point; built on first use."""
        return plain_messages(session_deal_from_request(self.request, self.number).sheet)

    def __repr__(self) -> str:
        return f"<Score {', '.join(f'{name} {points:+g}' for name, points in self.totals.items())}>"

    def _repr_html_(self) -> str:
        return self.sheet._repr_html_()


def money_from_input(stakes: object, stacks: object) -> dict[str, object]:
    """Return stakes and stacks as the scoring contract takes them; None: not given. Raises ArgumentError."""
    money = {"stakes": (stakes, "stakes by pair, such as {'Ann-Bob': 2}"), "stacks": (stacks, "stacks by name")}
    return {
        key: mapping(value, f"$.{key}", f"a mapping of {form}")
        for key, (value, form) in money.items()
        if value is not None
    }


def score_from_request(request: Request, number: int = 1) -> Score:
    """Return the score of a request of the scoring contract, as deal `number`. Raises RequestError."""
    if not request.hands:
        raise RequestError("line.missing", "give every player's board", "$.players")
    response: dict[str, Any] = {"stacks": None} | response_for(request)
    return Score(**response, request=request, number=number)
