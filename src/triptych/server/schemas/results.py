"""The bodies of a guest's results. Points: received (negative: paid), with stakes, caps and prizes."""

from __future__ import annotations

from msgspec import Struct

from triptych.table.results import DealResult, RulesetTotal


class SessionItem(Struct, frozen=True):
    """A session at a table: when it began and ended (ms), and the other players.

    `parts`: the totals by rules; `open`: the table is still open.
    """

    table: str
    name: str
    began: int
    ended: int
    company: tuple[str, ...]
    parts: tuple[RulesetTotal, ...]
    open: bool


class Sessions(Struct, frozen=True):
    """A page of sessions, newest first; `before`: the parameter for the next page, empty on the last one."""

    evenings: tuple[SessionItem, ...]
    before: str


class TotalStep(Struct, frozen=True):
    """A session's points under the rules with index `part` in the totals; `at`: when it ended (ms)."""

    at: int
    name: str
    part: int
    points: int
    deals: int


class MyResults(Struct, frozen=True):
    """The totals of all sessions by rules, the most played first, and the steps to them, oldest first."""

    evenings: int
    totals: tuple[RulesetTotal, ...]
    steps: tuple[TotalStep, ...]


class SessionDeals(Struct, frozen=True):
    """A session and a page of its deals in order.

    `after`: the parameter for the next page, 0 on the last one.
    """

    evening: SessionItem
    deals: tuple[DealResult, ...]
    after: int
