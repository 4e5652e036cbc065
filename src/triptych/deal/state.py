"""The state of a deal, and functions that derive facts from it."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

from triptych.board import EMPTY, Board, RowName
from triptych.cards import Card
from triptych.deal.memoize import memoize_last
from triptych.redacted import RedactedStruct
from triptych.rulesets.model import Ruleset, Street, is_closed, streets

Phase = Literal["placing", "announcing", "declaring", "done"]


class HandStart(Struct, frozen=True, gc=False):
    """A hand at the start: one hand is one board, so a criss-cross player has two.

    `fantasyland`: its cards, 0 = none; `in_row`: its number in a row, 1 for the first.
    """

    seat: int
    fantasyland: int = 0
    in_row: int = 0


class DealingOrder(Struct, frozen=True, gc=False):
    """The order in which hands receive cards: at once at the start, street by street in turn, or at once at the end.

    `face_down`: hands whose boards the others see only at the showdown.
    """

    at_start: tuple[int, ...]
    in_turn: tuple[int, ...]
    at_end: tuple[int, ...]
    face_down: tuple[int, ...]


class HandState(RedactedStruct, frozen=True):
    """One hand: its confirmed cards, and the street in progress.

    `street` counts confirmed streets; `drawn` are the cards of the street in progress in the order received, and
    `pending` says where some of them lie so far. `laid`: the sizes of the rows after each street, where they
    are known; rows keep the order of placement. `dead`: a foul by time-out. `shown`: everyone sees the board.
    """

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"board", "pending", "drawn", "discards"})

    seat: int
    streets: tuple[Street, ...]
    fantasyland: int = 0
    in_row: int = 0
    street: int = 0
    board: Board = EMPTY
    laid: tuple[tuple[int, int, int], ...] = ()
    pending: Board = EMPTY
    drawn: tuple[Card, ...] = ()
    discards: tuple[Card, ...] = ()
    natural: str = ""
    dead: bool = False
    shown: bool = False
    plays: bool | None = None
    declared: tuple[RowName, ...] | None = None

    @property
    def is_set(self) -> bool:
        """Return whether all cards are placed."""
        return self.street == len(self.streets) or bool(self.natural)

    @property
    def placing(self) -> bool:
        """Return whether the hand has cards to place."""
        return bool(self.drawn) and not self.natural

    @property
    def surrendered(self) -> bool:
        """Return whether the hand was surrendered."""
        return self.plays is False


class DealState(RedactedStruct, frozen=True):
    """A deal: its rules, its hands (0 = left of the button, the last one the button) and the rest of the deck."""

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"deck"})

    rules: Ruleset
    number: int
    hands: tuple[HandState, ...]
    plan: DealingOrder
    deck: tuple[Card, ...] = ()
    ended: bool = False


def hand_streets(rules: Ruleset, fantasyland: int) -> tuple[Street, ...]:
    """Return the streets of one hand; a fantasyland is one street of 13 to 17 cards (Rules §5)."""
    return (Street(fantasyland, 13, fantasyland - 13),) if fantasyland else streets(rules)


def is_face_down(state: DealState, hand: int) -> bool:
    """Return whether a hand's board is hidden from the others now."""
    return hand in state.plan.face_down and not state.hands[hand].shown


def draws_are_public(state: DealState, hand: int) -> bool:
    """Return whether everyone sees the cards that a hand receives in its next street.

    A street with a discard is always hidden; the first street is open as `deal.first_street` says, but hidden until
    it is placed where all have their first cards at once (source 000 L196); the later ones of classic and Turbo lie
    face up. Rule: Rules §2; source 000 ("Cards are issued and laid out face up").
    """
    hand_state = state.hands[hand]
    if hand in state.plan.face_down or hand_state.streets[hand_state.street].discarded:
        return False
    deal = state.rules.deal
    return hand_state.street > 0 or (deal.first_street == "live" and deal.first_cards == "at_turn")


def arranging_is_public(state: DealState, hand: int) -> bool:
    """Return whether everyone sees a hand's cards being arranged: only in a live first street (Rules §2)."""
    hand_state = state.hands[hand]
    is_hidden = hand in state.plan.face_down or hand_state.streets[hand_state.street].discarded
    return hand_state.street == 0 and not is_hidden and state.rules.deal.first_street == "live"


@memoize_last
def phase(state: DealState) -> Phase:
    """Return what the deal waits for."""
    if state.ended:
        return "done"
    for hand in state.hands:
        if hand.street < len(hand.streets) and not hand.natural:  # `is_set`, inlined for speed
            return "placing"
    return "announcing" if to_announce(state) is not None else "declaring"


def to_announce(state: DealState) -> int | None:
    """Return the hand that announces play or surrender next, clockwise from the button's left (Rules §2).

    None when all others have naturals: there is no opponent to surrender to.
    """
    without_natural = [i for i, hand in enumerate(state.hands) if not hand.natural]
    has_no_opponent = len(without_natural) <= 1
    if has_no_opponent or not state.rules.surrender.points or not is_closed(state.rules):
        return None
    return next((i for i in without_natural if state.hands[i].plays is None), None)


def to_declare(state: DealState) -> int | None:
    """Return the hand that declares its royalties next, clockwise from the button's left (Rules §2, 4)."""
    if state.rules.royalties.declare != "must" or not is_closed(state.rules):
        return None
    playing = (i for i, hand in enumerate(state.hands) if not hand.natural and not hand.surrendered)
    return next((i for i in playing if state.hands[i].declared is None), None)


@memoize_last
def acting_hands(state: DealState) -> tuple[int, ...]:
    """Return the hands that have to act now; several while hands are set at the same time.

    Of those that play in turn only one acts; others may have their first cards already (`deal.first_cards = all`).
    """
    hands = state.hands
    placing = [i for i, hand in enumerate(hands) if hand.drawn and not hand.natural]
    if len(placing) == 1:
        return (placing[0],)
    if placing:
        in_turn = [i for i in state.plan.in_turn if i in placing]
        turn = min(in_turn, key=lambda i: hands[i].street, default=None)
        return tuple([i for i in placing if i == turn or i not in in_turn])
    current_phase = phase(state)
    if current_phase in ("placing", "done"):
        return ()
    hand_to_act = to_announce(state) if current_phase == "announcing" else to_declare(state)
    return () if hand_to_act is None else (hand_to_act,)


def finished(state: DealState) -> bool:
    """Return whether the deal is over and can be scored."""
    return state.ended
