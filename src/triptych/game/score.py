"""A scored deal by the players' names, as `triptych.score` and `Deal.result` return it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from triptych.scoring.jsonl.answer import response_for
from triptych.scoring.jsonl.request import Request
from triptych.scoring.session import session_deal_from_request
from triptych.scoring.settle import Amount
from triptych.scoring.sheet.types import ScoreSheet


class Score(Struct, frozen=True):
    """A scored deal by name: points in all, by pair, of royalties; who is legal; cards of the next fantasyland.

    `totals` are after stakes and before caps, `stacks` after both (None where none were given). `sheet` says what
    every point was paid for.
    """

    totals: dict[str, Amount]
    pairs: dict[str, Amount]
    royalties: dict[str, dict[str, int]]
    legal: dict[str, bool]
    fantasyland: dict[str, int]
    stacks: dict[str, Amount] | None
    sheet: ScoreSheet

    def __repr__(self) -> str:
        return f"<Score {', '.join(f'{name} {points:+g}' for name, points in self.totals.items())}>"

    def _repr_html_(self) -> str:
        return self.sheet._repr_html_()


def score_from_request(request: Request, number: int = 1) -> Score:
    """Return what a request of the scoring contract scores, as deal `number`. Raises RequestError."""
    response: dict[str, Any] = {"stacks": None} | response_for(request)
    return Score(**response, sheet=session_deal_from_request(request, number).sheet)
