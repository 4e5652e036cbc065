"""The bodies of one's results. Points are what was received (negative: paid), with stakes, caps and prizes."""

from __future__ import annotations

from msgspec import Struct

from triptych.table.results import DealResult, RulesetTotal


class SessionItem(Struct, frozen=True):
    """A session at a table: when it began and ended (ms), with whom, and what came of it, by rules.

    `open`: the table is still there to go back to.
    """

    table: str
    name: str
    began: int
    ended: int
    company: tuple[str, ...]
    parts: tuple[RulesetTotal, ...]
    open: bool


class Sessions(Struct, frozen=True):
    """A page of sessions, newest first; `before` asks for the next page, empty on the last one."""

    evenings: tuple[SessionItem, ...]
    before: str


class TotalStep(Struct, frozen=True):
    """What one session brought under the rules number `part` of the totals; `at`: when it ended (ms)."""

    at: int
    name: str
    part: int
    points: int
    deals: int


class MyResults(Struct, frozen=True):
    """What all sessions come to: the totals by rules, the most played first, and the way there, oldest first."""

    evenings: int
    totals: tuple[RulesetTotal, ...]
    steps: tuple[TotalStep, ...]


class SessionDeals(Struct, frozen=True):
    """A session and a page of its deals in order; `after` asks for the next page, 0 on the last one."""

    evening: SessionItem
    deals: tuple[DealResult, ...]
    after: int
