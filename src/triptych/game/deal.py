"""A deal of any game as an object: inspect it, play it, take moves back, score it.

It keeps the deal engine's state (`triptych.deal`) after every move, so taking moves back is cheap.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from random import SystemRandom
from typing import Final, Literal, NamedTuple, TypeVar

from msgspec.structs import replace

from triptych.arguments import MAX_SEED, ArgumentError, choice, describe_value, whole_number
from triptych.board import ROWS, Board, RowName
from triptych.bots.levels import Bot
from triptych.cards import Card
from triptych.cards import deck as whole_deck
from triptych.deal.actions import Announce, Arrange, ClaimNatural, ClockAction, Declare, Place
from triptych.deal.board_projection import card_texts
from triptych.deal.closed_actions import natural_of, verify_announce, verify_claim, verify_declare
from triptych.deal.engine import decide, start, timeout_action
from triptych.deal.errors import DealError
from triptych.deal.events import DealEvent
from triptych.deal.place import verify_place, verify_turn
from triptych.deal.project import view
from triptych.deal.result import next_fantasyland, scored_hands
from triptych.deal.seeding import seeded_deck
from triptych.deal.state import DealState, HandState, Phase, acting_hands, phase
from triptych.deal.view_types import DealView, Task
from triptych.game.errors import GameError
from triptych.game.placements import LegalPlacements, PlacementLike, placement_from_input
from triptych.game.players import FantasylandLike, SeatLike, Seats
from triptych.game.score import Score, money_from_input, score_from_request
from triptych.game.show import deal_html, deal_line, deal_text, open_view
from triptych.i18n.localization import plain_messages
from triptych.inputs import CardsLike, cards_from_input, history_from_input
from triptych.notation.history.model import History, Viewer, record
from triptych.notation.history.replay import replay
from triptych.notation.history.text import history_text
from triptych.notation.position import Position, position_from_view
from triptych.rules_input import RulesLike
from triptych.rules_input import rules as rules_of
from triptych.rulesets.model import Ruleset
from triptych.scoring.jsonl.request import Request, request_for_hands
from triptych.scoring.settle import Amount
from triptych.scoring.sheet.hand_names import natural_name
from triptych.scoring.showdown import ScoredHand

_A = TypeVar("_A")
_MAX_NUMBER: Final = 1_000_000_000


class _Step(NamedTuple):
    """One move, `at` milliseconds after the start (0 without a clock): its events, and the state after it."""

    at: int
    events: tuple[DealEvent, ...]
    state: DealState


class Deal:
    """One deal of any game, as an object: inspect it, play it, take moves back, score it.

    Players sit from the button's left, the last one has the button. A hand is one board, numbered in that order; in
    criss-cross each player has two. Where a method takes a `seat`, that is a hand's number or a player's name, and
    without it the hand whose turn it is. Cards are text. The object knows all cards; `view` shows what a player may
    know.

    >>> deal = Deal("pineapple", ["Ann", "Bob"], seed=1)
    >>> deal.player, deal.cards
    ('Ann', ('7c', '3d', 'Kc', 'Jc', '3s'))
    >>> deal.place("Kc/3d3s/7cJc")
    >>> deal.board("Ann")
    <Board Kc/3d3s/7cJc>
    >>> deal.legal_placements()
    <LegalPlacements 232 of 7hTs7d2d5d>
    >>> deal.undo()
    >>> deal == Deal("pineapple", ["Ann", "Bob"], seed=1)
    True
    """

    __slots__ = ("_money", "_seats", "_steps")

    def __init__(
        self,
        rules: RulesLike = "pineapple",
        players: int | Iterable[str] = 2,
        *,
        seed: int | None = None,
        deck: CardsLike | None = None,
        number: int = 1,
        fantasyland: FantasylandLike | None = None,
        stakes: Mapping[str, Amount] | None = None,
        stacks: Mapping[str, Amount] | None = None,
    ) -> None:
        """Begin a deal: the first cards are dealt.

        `players`: names, or a number of players. `seed`: the deck of that seed, the same one everywhere; `deck`: its
        cards, top card first; without either the deck is shuffled. `number`: of a match. `fantasyland`: by name the
        number of cards, or cards and the number in a row, of each player in fantasyland. `stakes` and `stacks` by
        name and pair as `triptych.score` takes them.

        Raises RulesError, CardError, DealError, GameError, ArgumentError.
        """
        resolved = rules_of(rules)
        self._seats = seats = Seats.from_input(resolved, players)
        number = whole_number(number, "$.number", 0, _MAX_NUMBER)
        hands = seats.starts({} if fantasyland is None else fantasyland)
        beginning = start(resolved, number, hands, _deck(resolved, number, seed, deck))
        self._money = money_from_input(stakes, stacks)
        self._steps = [_Step(0, beginning.events, beginning.state)]
        if self._money:
            self._request(())

    @staticmethod
    def from_history(history: History | str | os.PathLike[str]) -> Deal:
        """Return the deal of a history, its text or its file, up to its last move; all moves can be taken back.

        Cards that the history does not know are replaced by possible ones. Raises as `triptych.read_history`.

        >>> deal = Deal.from_history("docs/examples/deal.toml")
        >>> deal.is_over, deal.result().totals
        (True, {'Ann': 11, 'Bob': -11})
        """
        history = history_from_input(history)
        seats = Seats.from_hands(history.hands, history.players)
        steps = [_Step(at, events, state) for at, _, events, state in replay(history)]
        return _build(seats, seats.money_from_history(history.stakes, history.stacks), steps)

    # Identity

    @property
    def rules(self) -> Ruleset:
        """The rules of the deal."""
        return self._state.rules

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players, from the button's left, the button last."""
        return self._seats.players

    @property
    def hands(self) -> tuple[str, ...]:
        """The names of the hands: those of the players; in criss-cross `Ann 1` and `Ann 2` are both Ann's."""
        return self._seats.hands

    @property
    def owners(self) -> tuple[int, ...]:
        """The owner of each hand, as an index of `players`."""
        return self._seats.owners

    @property
    def number(self) -> int:
        """The number of the deal in its match."""
        return self._state.number

    # State

    @property
    def is_over(self) -> bool:
        """Return whether every board is set and shown, so that the deal has a result."""
        return self._state.ended

    @property
    def phase(self) -> Phase:
        """The phase: `placing`, `announcing` or `declaring`; `done` when the deal is over."""
        return phase(self._state)

    @property
    def acting(self) -> tuple[int, ...]:
        """The hands that may act now: several while cards are set at the same time, none when the deal is over."""
        return acting_hands(self._state)

    @property
    def turn(self) -> int | None:
        """The hand that acts next, the first of `acting`; None when the deal is over."""
        hands = acting_hands(self._state)
        return hands[0] if hands else None

    @property
    def player(self) -> str | None:
        """The name of the player whose turn it is; None when the deal is over."""
        turn = self.turn
        return None if turn is None else self._seats.owner_names[turn]

    @property
    def street(self) -> int:
        """The street of the hand whose turn it is, from 1; the last one when the deal is over."""
        hand = self._state.hands[self.turn or 0]
        return min(hand.street + 1, len(hand.streets))

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that the hand whose turn it is has to place; empty when there are none."""
        turn = self.turn
        return () if turn is None else self.drawn(turn)

    def drawn(self, seat: SeatLike) -> tuple[str, ...]:
        """Return the cards of a hand's street in progress, in the order dealt."""
        hand = self._hand(seat)
        return card_texts(hand.drawn) if hand.placing else ()

    def discards(self, seat: SeatLike) -> tuple[str, ...]:
        """Return the cards that a hand has discarded so far."""
        return card_texts(self._hand(seat).discards)

    def board(self, seat: SeatLike) -> Board:
        """Return a hand's confirmed cards."""
        return self._hand(seat).board

    @property
    def boards(self) -> dict[str, Board]:
        """All confirmed cards by the name of the hand."""
        return {name: hand.board for name, hand in zip(self.hands, self._state.hands, strict=True)}

    def fantasyland(self, seat: SeatLike) -> int:
        """Return how many cards a hand has in fantasyland; 0 when it plays none."""
        return self._hand(seat).fantasyland

    def natural(self, seat: SeatLike | None = None) -> str:
        """Return the name of the natural that a hand holds or has claimed, in a closed game; else an empty text."""
        hand = self._state.hands[self._number(seat)]
        claimable = natural_of(self._state, hand)
        kind = hand.natural or (claimable.kind if claimable else "")
        return natural_name(kind) if kind else ""

    # Actions

    def legal_placements(self, seat: SeatLike | None = None) -> LegalPlacements:
        """Return all placements of a hand's street as a lazy sequence with a length.

        A placement that fouls is legal too (`triptych.can_still_be_legal`). Raises DealError when there is nothing to
        place.

        >>> len(Deal(seed=1, fantasyland={"p1": 14, "p2": 14}).legal_placements())
        1009008
        """
        hand = verify_turn(self._state, self._number(seat), "placing")
        board = hand.board
        free = board.free_slots("front"), board.free_slots("middle"), board.free_slots("back")
        return LegalPlacements(card_texts(hand.drawn), free, hand.streets[hand.street].placed)

    def verify_place(self, placement: PlacementLike, seat: SeatLike | None = None) -> None:
        """Raise DealError, GameError, BoardError, CardError or ArgumentError unless the placement is possible."""
        verify_place(self._state, self._placement(placement, seat))

    def can_place(self, placement: PlacementLike, seat: SeatLike | None = None) -> bool:
        """Return whether the placement is possible."""
        try:
            self.verify_place(placement, seat)
        except ValueError:
            return False
        return True

    def place(self, placement: PlacementLike, seat: SeatLike | None = None) -> None:
        """Confirm a street: `Kd/7s7h/` says which cards go into front, middle and back; the others are discarded.

        Takes a Placement, text, a Board, three rows, or a result of a solver or an analysis. Raises as
        `verify_place`; the deal is then unchanged.
        """
        self.apply(self._placement(placement, seat))

    def arrange(self, placement: PlacementLike, seat: SeatLike | None = None) -> None:
        """Arrange some cards of the street; the arrangement may change until `place`. Raises as `verify_place`."""
        layout, _ = placement_from_input(placement)
        self.apply(Arrange(self._number(seat), layout))

    def can_announce(self, seat: SeatLike | None = None) -> bool:
        """Return whether a hand now has to play or surrender."""
        return self._allows(verify_announce, Announce(self._number(seat), play=True))

    def announce(self, seat: SeatLike | None = None, *, play: bool = True) -> None:
        """Play a closed hand that is set; `play=False` surrenders it. Raises DealError."""
        self.apply(Announce(self._number(seat), play))

    def surrender(self, seat: SeatLike | None = None) -> None:
        """Surrender a closed hand for the price in the rules. Raises DealError.

        >>> import triptych
        >>> deal = Deal("closed_1_6", ["Ann", "Bob"], seed=4)
        >>> for hand in deal.acting:
        ...     deal.place(triptych.solve_closed(deal.drawn(hand)).settings[0], hand)
        >>> deal.surrender("Ann"); deal.announce("Bob")
        >>> deal.result().totals
        {'Ann': -3, 'Bob': 3}
        """
        self.announce(seat, play=False)

    def can_declare(self, seat: SeatLike | None = None) -> bool:
        """Return whether a hand now has to declare royalties."""
        return self._allows(verify_declare, Declare(self._number(seat), ()))

    def declare(self, rows: Iterable[RowName] = ROWS, seat: SeatLike | None = None) -> None:
        """Declare the royalties of some rows, where the rules require it. Raises DealError, ArgumentError."""
        self.apply(
            Declare(
                self._number(seat), tuple([choice(row, f"$.rows[{index}]", ROWS) for index, row in enumerate(rows)])
            )
        )

    def can_claim_natural(self, seat: SeatLike | None = None) -> bool:
        """Return whether a hand holds a natural that it may claim now."""
        return self._allows(verify_claim, ClaimNatural(self._number(seat)))

    def claim_natural(self, seat: SeatLike | None = None) -> None:
        """Claim the natural of 13 closed cards instead of setting them. Raises DealError."""
        self.apply(ClaimNatural(self._number(seat)))

    def time_out(self, seat: SeatLike | None = None) -> None:
        """Do the time-out action of a hand (`timeout.layout` of the rules). Raises DealError."""
        number = self._number(seat)
        verify_turn(self._state, number, phase(self._state))
        self.apply(timeout_action(self._state, number))

    # Bots and histories

    @property
    def task(self) -> Task | None:
        """The task of the hand whose turn it is, in the form for bots; None when the deal is over."""
        turn = self.turn
        if turn is None:
            return None
        return next(task for task in view(self._state, turn).tasks if task.hand == turn)

    def apply(self, action: ClockAction) -> None:
        """Do an action of a bot: `deal.apply(bot.choose(deal.rules, deal.view(deal.turn), deal.task))`.

        Raises DealError; the deal is then unchanged.
        """
        _verify_action(action)
        last = self._steps[-1]
        transition = decide(last.state, action)
        self._steps.append(_Step(last.at, transition.events, transition.state))

    def play_turn(self, bot: Bot, budget_ms: int = 1000) -> None:
        """Let a bot (`triptych.make_bot`, or an object of your own) do the current task.

        It sees only the view of its seat. Raises DealError for an illegal action, or when the deal is over.

        >>> import triptych
        >>> deal = Deal("closed_1_6", seed=1)
        >>> deal.play_turn(triptych.make_bot("random"))
        >>> deal.acting
        (1,)
        """
        turn, task = self._number(None), self.task
        if task is not None:
            self.apply(bot.choose(self.rules, self.view(turn), task, budget_ms))

    def undo(self) -> None:
        """Undo the last action. Raises GameError `deal.start` where there is none."""
        if len(self._steps) == 1:
            raise GameError("deal.start", "there is no action to take back")
        self._steps.pop()

    def copy(self) -> Deal:
        """Return an independent copy of the deal."""
        return _build(self._seats, self._money, self._steps.copy())

    @property
    def events(self) -> tuple[DealEvent, ...]:
        """All events in order, each with its visibility (`triptych.deal.events`)."""
        return tuple([event for step in self._steps for event in step.events])

    def view(self, seat: SeatLike | None = None) -> DealView:
        """Return the view of a player, or for None of a spectator. Hidden cards are `??`."""
        deal_view = view(self._state, None if seat is None else self._hand(seat).seat)
        # Only the names and warnings of rows are messages.
        boards = (
            replace(board, **{row: plain_messages(getattr(board, row)) for row in ROWS}) for board in deal_view.boards
        )
        return replace(deal_view, boards=tuple(boards))

    def text(self, seat: SeatLike | None = None) -> str:
        """Return the deal as a player (None: a spectator) sees it, one hand a line; `str(deal)` has every card.

        >>> print(Deal("pineapple", ["Ann", "Bob"], seed=1, fantasyland={"Bob": 14}).text("Bob"))
        Pineapple, street 1, Ann to place
        Ann           - / - / -  + ?? ?? ?? ?? ??
        Bob (button)  - / - / -
        """
        return deal_text(self.rules, self.view(seat), self.hands, self._status_text())

    def to_position(self, seat: SeatLike | None = None) -> Position:
        """Return the position as the player of a hand knows it, for `triptych.analyse`.

        >>> from triptych.notation.position import position_text
        >>> position_text(Deal(seed=1).to_position())
        '*// +7c3dKcJc3s | //'
        """
        number = self._number(seat)
        position = position_from_view(view(self._state, number))
        return replace(position, acting=(number,)) if number in position.acting else position

    def history(self, seen_by: SeatLike | Literal["all"] | None = "all") -> History:
        """Return the deal so far as a history: with every card, as a player knows it, or None: as a spectator."""
        viewer: Viewer = "all"
        if seen_by != "all":
            viewer = None if seen_by is None else self._hand(seen_by).seat
        events = [(step.at, event) for step in self._steps for event in step.events]
        stakes, stacks = self._seats.history_money(self._request(()))
        return replace(record(events, viewer, self._seats.owner_names), stakes=stakes, stacks=stacks)

    def history_text(self, seen_by: SeatLike | Literal["all"] | None = "all") -> str:
        """Return the history as the text of a file, which `triptych.read_history` reads."""
        return history_text(self.history(seen_by))

    def result(self) -> Score:
        """Return the score of the deal by name, with stakes and stacks, and the sheet with every reason.

        Raises GameError `deal.not_over` while the deal is not over.
        """
        if not self.is_over:
            raise GameError("deal.not_over", "the deal is not over, so it has no result")
        return score_from_request(self._request(scored_hands(self._state)), self.number)

    def next_fantasylands(self) -> dict[str, tuple[int, int]]:
        """Return the fantasylands of the next deal by name: cards, and the number in a row, as `Deal` takes them.

        Raises GameError `deal.not_over` while the deal is not over.
        """
        if not self.is_over:
            raise GameError("deal.not_over", "the deal is not over, so the next fantasylands are not known")
        names = dict(zip(self._seats.seats, self._seats.owner_names, strict=True))
        return {names[seat]: fantasyland for seat, fantasyland in next_fantasyland(self._state).items()}

    def __eq__(self, other: object) -> bool:
        """Return whether two deals are equal: same rules, players, cards, boards, stakes and stacks."""
        if not isinstance(other, Deal):
            return NotImplemented
        return (self._state, self._seats, self._money) == (other._state, other._seats, other._money)

    def __hash__(self) -> int:
        """Return the hash of the current state. It changes with every move: use a `copy` as a key."""
        return hash((self._state, self._seats))

    def __repr__(self) -> str:
        return f"<Deal {deal_line(self.rules, open_view(self._state), self._status_text())}>"

    def __str__(self) -> str:
        """Return all boards with every card, one hand a line, and the status."""
        return deal_text(self.rules, open_view(self._state), self.hands, self._status_text())

    def _repr_html_(self) -> str:
        return deal_html(self.rules, open_view(self._state), self.hands, self._status_text())

    # Private

    @property
    def _state(self) -> DealState:
        return self._steps[-1].state

    def _status_text(self) -> str:
        """Return what the deal waits for in a few words, or its result."""
        if self.is_over:
            return "over, " + ", ".join(f"{name} {points:+g}" for name, points in self.result().totals.items())
        names = " and ".join(self.hands[hand] for hand in self.acting)
        if self.phase == "placing":
            return f"street {self.street}, {names} to place"
        return f"{names} to {'announce' if self.phase == 'announcing' else 'declare'}"

    def _number(self, seat: SeatLike | None) -> int:
        """Return a hand's number; for a player with two hands the one that acts. Raises GameError, DealError."""
        acting_now = acting_hands(self._state)
        if seat is None:
            if not acting_now:
                raise DealError("deal.over", "the deal is over; nothing more can be done in it")
            return acting_now[0]
        return self._seats.hand(seat, acting_now)

    def _hand(self, seat: SeatLike) -> HandState:
        return self._state.hands[self._seats.hand(seat, acting_hands(self._state))]

    def _placement(self, value: PlacementLike, seat: SeatLike | None) -> Place:
        number = self._number(seat)
        layout, discards = placement_from_input(value)
        if discards is not None:
            placed = {*layout.front, *layout.middle, *layout.back}
            remaining = {*card_texts(self._state.hands[number].drawn)} - placed
            if remaining != {*discards}:
                message = f"the placement leaves over {' '.join(sorted(remaining)) or 'nothing'}"
                raise GameError("placement.discards", message, "$.placement.discards")
        return Place(number, layout)

    def _allows(self, verify: Callable[[DealState, _A], object], action: _A) -> bool:
        try:
            verify(self._state, action)
        except DealError:
            return False
        return True

    def _request(self, hands: tuple[ScoredHand, ...]) -> Request:
        seats = self._seats
        return request_for_hands(self.rules, seats.hands, hands, seats.players, seats.owners, self._money)


def _verify_action(action: object) -> None:
    """Raise ArgumentError unless the value is an action of the deal engine (`triptych.deal.actions`)."""
    if not isinstance(action, ClockAction):
        message = f"expected Place, Announce, Declare, ClaimNatural or Arrange, not {describe_value(action)}"
        raise ArgumentError("value.type", message, "$.action")


def _build(seats: Seats, money: dict[str, object], steps: list[_Step]) -> Deal:
    deal = Deal.__new__(Deal)
    deal._seats, deal._money, deal._steps = seats, money, steps  # noqa: SLF001 - `__init__` would deal new cards
    return deal


def _deck(rules: Ruleset, number: int, seed: int | None, deck: CardsLike | None) -> tuple[Card, ...]:
    """Return the cards of a deal, top card first."""
    if deck is not None:
        if seed is not None:
            raise ArgumentError("value.choice", "give a seed or a deck, not both", "$.seed")
        return cards_from_input(deck, "$.deck")
    if seed is not None:
        return seeded_deck(whole_number(seed, "$.seed", 0, MAX_SEED), max(number - 1, 0), rules.deal.jokers)
    cards = list(whole_deck(rules.deal.jokers))
    SystemRandom().shuffle(cards)
    return tuple(cards)
