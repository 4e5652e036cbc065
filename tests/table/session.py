"""A session at one table, for any test that needs one: time and cards are in the test's hands."""

from __future__ import annotations

from copy import copy
from random import Random
from typing import TYPE_CHECKING

from triptych.board import ROW_CAPACITY, Layout
from triptych.cards import Card, card_text, deck, parse_cards
from triptych.deal.actions import Action, Arrange, Place
from triptych.deal.dealing_order import dealing_order
from triptych.deal.engine import acting_hands
from triptych.deal.state import HandStart, hand_streets
from triptych.deal.timeout import timeout_action
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset
from triptych.table import commands as c
from triptych.table.aggregate import TableConfig, decide, evolve, next_wakeup, open_table, view
from triptych.table.events import ClockStarted, ClockStopped
from triptych.table.match import from_the_left, lineup, next_button

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from triptych.deal.state import HandState
    from triptych.table.events import TableEvent
    from triptych.table.state import Match, Seat, TableState
    from triptych.table.view_types import TableView

START = 1_700_000_000_000
SEATS = ("ann", "bob", "cid", "dan")

# Boards, front/middle/back; the first three have no card in common. Laid out by the clock they lie as written.
LAND = "QhQd2c/KsKd3c4c5h/AsAdAh7h8h"  # queens in front: fantasyland
PLAIN = "5s6s7d/9h9dJc4h3h/ThTdJhJd8c"
LOW = "2d3d6h/8s8d5c6c9c/TsTcKhKcQs"
THIRD = "2h3s4d/7c7s5d6d9s/AcAsAdQcJs"  # together with PLAIN and LOW
FOUL = "AcKh3d/7c2h4d9s5d/8dTs6dJs2s"  # not together with PLAIN or LOW
QUADS = "QhQd2c/KsKd3c4c5h/AsAdAhAc8h"  # repeats a fantasyland; not together with FOUL


class Session:
    """A table and everything that has happened at it; `now` in ms moves only when a test moves it.

    `boards` of the next deals by seat, each deal once; when there are none the cards are shuffled by `seed`, or, with
    a `secret`, come from decks that are committed before they are dealt.
    """

    def __init__(
        self,
        rules: Ruleset | str | Mapping[str, object] = "pineapple",
        *,
        people: int = 2,
        buy_in: int = 100,
        host: str = "ann",
        pause: int = 5,
        bots: bool = True,
        seed: int = 1,
        boards: Sequence[Mapping[int, str]] = (),
    ) -> None:
        self.rules = rules if isinstance(rules, Ruleset) else resolve(rules)
        self.now = START
        self.log: list[TableEvent] = []
        self.boards = list(boards)
        self.secret: Callable[[], bytes] | None = None
        self._rng = Random(seed)
        self._state: TableState | None = None
        config = TableConfig("t1", "Our table", host, self.rules, bots_allowed=bots, pause=pause)
        self._fold(open_table(config, self.now))
        for seat in range(people):
            self.ask(SEATS[seat], c.Sit(seat, buy_in))

    def state(self) -> TableState:
        assert self._state is not None
        return self._state

    def set(self, state: TableState) -> None:
        """Go on from a state that no events have led to."""
        self._state = state

    def match(self) -> Match:
        current = self.state().match
        assert current is not None
        return current

    def hands(self) -> tuple[HandState, ...]:
        deal = self.state().deal
        assert deal is not None
        return deal.hands

    def ask(
        self, player: str, request: c.PlayerRequest | c.AccessRequest | c.SystemRequest, **more: object
    ) -> tuple[TableEvent, ...]:
        """Ask something of the table and let it happen; the decision knows the state that its events lead to."""
        command = c.Command(player, request, player.title(), **more)  # type: ignore[arg-type]
        draft = decide(self.state(), command, self.now, self._shuffle, self.secret)
        events = tuple(draft.events)
        self._fold(events)
        assert draft.state == self.state()
        return events

    def rename(self, player: str, name: str) -> None:
        """Let a player who was away come back under another name."""
        self.ask(player, c.Disconnected())
        command = c.Command(player, c.Connected(), name)
        self._fold(decide(self.state(), command, self.now, self._shuffle, self.secret).events)

    def branch(self) -> Session:
        """Return the same session, to try something that this one does not do."""
        other = copy(self)
        other.log = list(self.log)
        return other

    def wait(self, seconds: float) -> tuple[TableEvent, ...]:
        """Let time pass, and the clock strike once at its end."""
        self.now += int(seconds * 1000)
        return self.ask("", c.Tick())

    def strike(self) -> tuple[TableEvent, ...]:
        """Let time pass until something is due."""
        due = next_wakeup(self.state())
        assert due is not None
        self.now = max(self.now, due)
        return self.ask("", c.Tick())

    def begin(self) -> None:
        """Let the pause before a deal pass."""
        assert self.state().settled
        while self.state().settled:
            self.strike()

    def act(self) -> None:
        """Let everybody who is to act now do what the clock would do."""
        deal = self.state().deal
        assert deal is not None
        for hand in acting_hands(deal):
            action = timeout_action(deal, hand)
            assert isinstance(action, Action)
            self.ask(self.owner(hand).player, action)

    def arranging(self) -> Arrange:
        """Return the first card of the hand that is to act, moved into its back."""
        deal = self.state().deal
        assert deal is not None
        hand = acting_hands(deal)[0]
        return Arrange(hand, Layout(back=(card_text(deal.hands[hand].drawn[0]),)))

    def play(self) -> None:
        """Begin a deal if none is played, and play it to its end."""
        if self.state().settled:
            self.begin()
        while not self.state().settled:
            self.act()

    def owner(self, hand: int) -> Seat:
        deal = self.state().deal
        assert deal is not None
        return self.state().seats[deal.hands[hand].seat]

    def see(self, player: str) -> TableView:
        return view(self.state(), player)

    def kinds(self, events: Sequence[TableEvent] | None = None) -> list[str]:
        """Return the names of events, of the whole session unless some are given."""
        return [type(event.event).__name__ for event in (self.log if events is None else events)]

    def waited(self, seat: int) -> float:
        """Return for how many seconds a seat's clock has run so far: what the others have waited for it."""
        total, since = 0, None
        for event in self.log:
            happened = event.event
            if isinstance(happened, ClockStarted) and happened.seat == seat and since is None:
                since = happened.started
            elif isinstance(happened, ClockStopped) and happened.seat == seat and since is not None:
                total, since = total + happened.at - since, None
        return (total + (0 if since is None else self.now - since)) / 1000

    def stacks(self) -> tuple[int, ...]:
        return tuple(seat.stack for seat in self.state().seats)

    def _fold(self, events: Sequence[TableEvent]) -> None:
        for event in events:
            self._state = evolve(self._state, event)
            self.log.append(event)

    def _shuffle(self, jokers: int) -> tuple[Card, ...]:
        if not self.boards:
            cards = list(deck(jokers))
            self._rng.shuffle(cards)
            return tuple(cards)
        boards = self.boards.pop(0)
        seats = lineup(self.state())
        order = from_the_left(seats, next_button(self.state(), seats))
        hands = [self.state().seats[seat] for seat in order]
        starts = tuple(HandStart(hand.seat, hand.fantasyland, hand.in_row) for hand in hands)
        return stacked(self.rules, starts, [boards[seat] for seat in order])


def fair_session(
    rules: str | Mapping[str, object] = "pineapple", *, people: int = 2, seed: int = 5, buy_in: int = 100
) -> Session:
    """Return a table whose decks are committed before they are dealt."""
    rng = Random(seed)
    session = Session(rules, people=0)
    session.secret = lambda: rng.randbytes(32)
    for seat in range(people):
        session.ask(SEATS[seat], c.Sit(seat, buy_in))
    return session


def stacked(rules: Ruleset, hands: tuple[HandStart, ...], boards: Sequence[str]) -> tuple[Card, ...]:
    """Return a deck from which the clock would lay these boards; what is discarded is what no board needs."""
    wanted = [parse_cards(back + middle + front) for front, middle, back in (board.split("/") for board in boards)]
    spare = [card for card in deck(rules.deal.jokers) if not any(card in cards for cards in wanted)]
    order = dealing_order(rules, hands)
    left = [list(cards) for cards in wanted]
    dealt: list[Card] = []

    def street(hand: int, number: int) -> None:
        step = hand_streets(rules, hands[hand].fantasyland)[number]
        dealt.extend(left[hand][: step.placed])
        del left[hand][: step.placed]
        dealt.extend(spare.pop() for _ in range(step.discarded))

    for hand in order.at_start:
        street(hand, 0)
    if rules.deal.first_cards == "all":
        for hand in order.in_turn:
            street(hand, 0)
    for number in range(rules.deal.first_cards == "all", len(hand_streets(rules, 0))):
        for hand in order.in_turn:
            street(hand, number)
    for hand in order.at_end:
        street(hand, 0)
    return (*dealt, *spare)


def placing(session: Session, hand: int | None = None) -> Place:
    """Return the clock's own placement of a hand that is to act, the first one unless another is named."""
    deal = session.state().deal
    assert deal is not None
    action = timeout_action(deal, acting_hands(deal)[0] if hand is None else hand)
    assert isinstance(action, Place)
    return action


def layout(text: str) -> Layout:
    """Return `Ah/KdKs/-` as a layout."""
    rows = (tuple(card_text(card) for card in parse_cards(row.strip("-"))) for row in text.split("/"))
    by_row = dict(zip(ROW_CAPACITY, rows, strict=True))
    return Layout(**by_row)
