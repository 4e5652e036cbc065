"""A deal as one viewer knows it, step by step: the content of a history file.

`record` builds it from a deal's events; `text.py` writes it, `read.py` parses it, `replay.py` replays it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from triptych.board import ROWS, Layout, RowName
from triptych.board_svg import table_html
from triptych.cards import UNKNOWN_CARD
from triptych.deal import events as e
from triptych.deal.engine import finished, result
from triptych.deal.evolve import evolve_all
from triptych.deal.state import DealState, HandStart
from triptych.deal.visibility import Private, Public
from triptych.fair.record import DeckRecord
from triptych.redacted import RedactedStruct
from triptych.rulesets.model import Ruleset

Viewer = int | Literal["all"] | None
Verb = Literal["deal", "arrange", "place", "natural", "announce", "declare", "dead", "show", "show_natural", "hint"]


class Step(RedactedStruct, frozen=True):
    """One action or event of a hand, `at` milliseconds after the deal began. Unknown cards are `??`.

    `cards`: those dealt, or those of a shown natural. `layout` and `discards`: those of an arrangement, a placement
    or a shown board; a placement face down has the number of its unknown cards in `covered` instead. `word`: a
    natural's kind, `play` or `surrender`. `rows`: those declared.
    """

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"cards", "discards"})

    at: int
    hand: int
    verb: Verb
    cards: tuple[str, ...] = ()
    layout: Layout = Layout()
    covered: int = 0
    discards: tuple[str, ...] = ()
    word: str = ""
    rows: tuple[RowName, ...] = ()


class HistoryResult(Struct, frozen=True):
    """A deal's score, by hand: points before stakes and caps; `pairs` in deal order (0-1, 0-2, …, 1-2, …).

    `fantasyland`: cards of the next deal. `stacks`: after settlement, by hand, empty when not kept.
    """

    status: tuple[str, ...]
    royalties: tuple[int, ...]
    pairs: tuple[int, ...]
    points: tuple[int, ...]
    fantasyland: tuple[int, ...]
    stacks: tuple[int, ...] = ()


class History(Struct, frozen=True):
    """A deal: its rules, its hands (the button last), every step, its result (None: not finished).

    `seen_by`: a seat, None for a spectator, `all` with every card. `started`: the time in ISO 8601, may be empty.
    `stacks`: before the deal, by hand. `stakes`: the value of a point for each pair, in the order of `pairs`; empty
    if each is one. `fair`: the record of the deck, with proofs of the cards that the viewer knows; None when the deck
    was not committed.
    """

    number: int
    rules: Ruleset
    hands: tuple[HandStart, ...]
    players: tuple[str, ...]
    steps: tuple[Step, ...]
    result: HistoryResult | None = None
    seen_by: Viewer = None
    table: str = ""
    started: str = ""
    stacks: tuple[int, ...] = ()
    stakes: tuple[int, ...] = ()
    fair: DeckRecord | None = None

    def __repr__(self) -> str:
        players = ", ".join(dict.fromkeys(self.players))
        if self.result is not None:
            scored = zip(self.players, self.result.points, strict=True)
            players = ", ".join(f"{name} {points:+d}" for name, points in scored)
        return f"<History of deal {self.number} of {self.rules.name}, {len(self.steps)} steps: {players}>"

    def _repr_html_(self) -> str:
        rows = [
            (self.players[step.hand], step.verb.replace("_", " "), _step_cards(step), f"{step.at / 1000:.1f} s")
            for step in self.steps
        ]
        return table_html(("player", "step", "cards", "at"), rows)


def _step_cards(step: Step) -> str:
    """Return a step's cards, rows, discards and word as text."""
    rows = [" ".join(getattr(step.layout, row)) for row in ROWS]
    parts = [" ".join(step.cards), " / ".join(row or "-" for row in rows) if any(rows) else ""]
    parts += [f"discards {' '.join(step.discards)}" if step.discards else "", step.word, " ".join(step.rows)]
    return " ".join(filter(None, parts))


def record(events: Iterable[tuple[int, e.DealEvent]], seen_by: Viewer, players: tuple[str, ...] = ()) -> History:
    """Return a viewer's history of a deal's events, each with its milliseconds since the start.

    `players`: names by hand, `p1`, `p2`, … when not given. Raises ValueError when there are no events.
    Rule: Rules §2; issue 3, part 7 (hidden cards only for those who knew them).
    """
    timed_events = list(events)
    state = evolve_all(None, [event for _, event in timed_events])
    if state is None:
        raise ValueError("no event, no deal")
    hands = tuple(HandStart(hand.seat, hand.fantasyland, hand.in_row) for hand in state.hands)
    return History(
        number=state.number,
        rules=state.rules,
        hands=hands,
        players=players or tuple(f"p{index + 1}" for index in range(len(hands))),
        steps=_merge_steps(state, [(at, event.event) for at, event in timed_events if _is_visible(seen_by, event)]),
        result=result_from_state(state) if finished(state) else None,
        seen_by=seen_by,
    )


def result_from_state(state: DealState) -> HistoryResult:
    """Return the result of a finished deal."""
    score = result(state)
    return HistoryResult(
        status=tuple(hand.status for hand in score.hands),
        royalties=tuple(sum(hand.royalties) for hand in score.hands),
        pairs=tuple(pair.points for pair in score.pairs),
        points=score.totals(),
        fantasyland=tuple(hand.fantasyland for hand in score.hands),
    )


def _is_visible(seen_by: Viewer, event: e.DealEvent) -> bool:
    """Return whether the viewer may see an event; no viewer may see the shuffled deck."""
    if isinstance(event, Private):
        return seen_by in ("all", event.seat)
    return isinstance(event, Public)


def _merge_steps(state: DealState, timed_events: list[tuple[int, e.Event]]) -> tuple[Step, ...]:
    """Return the steps; a public event and its private version for the owner become one step."""
    steps: list[Step] = []
    discards: dict[int, tuple[str, ...]] = {}
    for at, event in timed_events:
        last = steps[-1] if steps else None
        if isinstance(event, e.Discarded):
            discards[event.hand] = event.cards
            continue
        step = _step(state, at, event)
        if step is None:
            continue
        last_verb = last.verb if last is not None and last.hand == step.hand else None
        if step.covered and last_verb in ("place", "natural"):
            continue
        if step.verb == last_verb == "deal":
            steps.pop()
        steps.append(replace(step, discards=discards.pop(step.hand, step.discards)))
    return tuple(steps)


def _step(state: DealState, at: int, event: e.Event) -> Step | None:  # noqa: C901, PLR0912 - one case an event
    """Return an event as a step, with unknown discards."""
    match event:
        case e.Dealt():
            return Step(at, event.hand, "deal", cards=event.cards)
        case e.DealtFaceDown():
            return Step(at, event.hand, "deal", cards=(UNKNOWN_CARD,) * event.count)
        case e.Arranged():
            return Step(at, event.hand, "arrange", layout=event.layout)
        case e.Placed() | e.PlacedFaceDown():
            street = state.hands[event.hand].streets[event.street - 1]
            unknown = (UNKNOWN_CARD,) * street.discarded
            if isinstance(event, e.Placed):
                return Step(at, event.hand, "place", layout=event.layout, discards=unknown)
            return Step(at, event.hand, "place", covered=street.placed, discards=unknown)
        case e.Forfeited():
            return Step(at, event.hand, "dead")
        case e.NaturalClaimed():
            return Step(at, event.hand, "natural", word=event.natural)
        case e.NaturalShown():
            return Step(at, event.hand, "show_natural", cards=event.cards, word=event.natural)
        case e.Announced():
            return Step(at, event.hand, "announce", word="play" if event.play else "surrender")
        case e.Declared():
            return Step(at, event.hand, "declare", rows=event.rows)
        case e.Hinted():
            return Step(at, event.hand, "hint")
        case e.BoardShown():
            return Step(at, event.hand, "show", layout=event.layout)
        case _:
            return None
