"""Random bots play session after session of every preset at tables, and everything holds. Issue 3, shown by 2.

Tables are driven as servers drive them: a bot sees its own view and its task, nothing else. What a viewer may know
is worked out from the stored cards by tests/server/knowledge.py, which does not look at the server's visibility.
"""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import msgspec
import pytest

from tests.server.knowledge import Knowledge
from tests.table.session import LAND, PLAIN, QUADS, Session
from triptych.bots.untrained.uniform import UniformBot
from triptych.cards import deck
from triptych.deal.actions import Action
from triptych.deal.engine import acting_hands
from triptych.deal.timeout import timeout_action
from triptych.i18n.messages import plain_text
from triptych.rulesets.load import preset_names, resolve
from triptych.store.types import StoredEvent
from triptych.table import commands as c
from triptych.table.aggregate import evolve, transfers, view
from triptych.table.codec import decode, encode
from triptych.table.ledger import balances, stack_account

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triptych.table.state import TableState

CARD = re.compile(r'"([2-9TJQKA][cdhs]|X[12])"')
DEALS = 20  # a session
# Two seats of plain Pineapple: somebody reaches fantasyland, or both do; a random bot all but never would.
LANDS = ({0: LAND, 1: PLAIN}, {0: PLAIN, 1: QUADS})


class BotSession(Session):
    """Random bots at a table, and what each viewer was shown at which version."""

    def __init__(self, preset: str, seed: int, **changes: object) -> None:
        rules = resolve({"preset": preset, **changes})
        super().__init__(rules, people=0, buy_in=rules.seats.buy_in_max, seed=seed)
        self.rng = Random(seed)
        self.bot = UniformBot(seed)
        self.seats = rules.seats.min + seed % (rules.seats.max - rules.seats.min + 1)
        self.helped = rules.deal.game == "pineapple" and rules.rows.middle == "high" and self.seats == 2
        self.shown: list[tuple[int, int | None, int, frozenset[str]]] = []
        for seat in range(self.seats):
            self.ask("ann", c.SeatBot(seat, "random", rules.seats.buy_in_max))

    def one_deal(self) -> None:
        """Begin a deal and play it to its end; every viewer looks after every action."""
        fantasylands = self.helped and self.rng.random() < 0.4
        self.boards = [self.rng.choice(LANDS)] if fantasylands else []
        while self.state().settled:
            self.strike()
        self.look()
        while not self.state().settled:
            deal = self.state().deal
            assert deal is not None
            hand = self.rng.choice(acting_hands(deal))
            owner = self.owner(hand)
            action = timeout_action(deal, hand) if fantasylands else self._choice(hand, owner.player)
            assert isinstance(action, Action)
            self.now += 1000
            self.ask(owner.player, action)
            self.look()

    def _choice(self, hand: int, player: str) -> Action:
        deal = self.see(player).deal
        assert deal is not None
        task = next(task for task in deal.tasks if task.hand == hand)
        return self.bot.choose(self.rules, deal, task)

    def look(self) -> None:
        """Note the cards of the deal that each seat and a spectator are shown now, and those of the sheet."""
        state = self.state()
        for seat in (*range(self.seats), None):
            deal_view = view(state, "nobody" if seat is None else state.seats[seat].player)
            self._note(seat, state.deals, deal_view.deal)
            if deal_view.sheet is not None and seat is None:
                self._note(None, deal_view.sheet.deal, deal_view.sheet)

    def _note(self, seat: int | None, deal: int, table_view: object) -> None:
        cards = frozenset(CARD.findall(msgspec.json.encode(table_view, enc_hook=plain_text).decode()))
        self.shown.append((self.state().version, seat, deal, cards))

    def stored(self) -> Iterator[StoredEvent]:
        """Return the session as it would lie in the store."""
        for version, event in enumerate(self.log, 1):
            visibility, seat, payload = encode(event)
            yield StoredEvent(version=version, visibility=visibility, seat=seat, payload=payload)


def verify(session: BotSession) -> None:
    """Check a whole session: its cards, its points, its ledger, its replay and what was shown."""
    state: TableState | None = None
    for stored in session.stored():
        state = evolve(state, decode(stored.visibility, stored.seat, stored.payload))
        _verify_cards(state)
    assert state == session.state()
    _verify_points(session)
    knowledge = Knowledge(tuple(session.stored()))
    for version, seat, deal, cards in session.shown:
        hidden = [card for card in cards if not knowledge.may_know(seat, deal, card, version)]
        assert not hidden, (version, seat, deal)
    # Nobody was shown nothing either: at the end of a deal the boards lie open.
    assert max(len(cards) for _, seat, _, cards in session.shown if seat is None) >= 13


def _verify_cards(state: TableState) -> None:
    deal = state.deal
    if deal is None or not deal.deck:
        return
    hands = [card for hand in deal.hands for card in (*hand.board.cards, *hand.drawn, *hand.discards)]
    assert sorted([*deal.deck, *hands]) == list(deck(deal.rules.deal.jokers))


def _verify_points(session: BotSession) -> None:
    held = balances(transfers(session.log))
    assert sum(held.values()) == 0
    for seat in session.state().seats[: session.seats]:
        assert held[stack_account("t1", seat.player)] == seat.stack >= 0
    for event in session.log:
        if type(event.event).__name__ == "DealSettled":
            sheet = msgspec.to_builtins(event.event, enc_hook=plain_text)["sheet"]
            assert sum(stack["change"] for stack in sheet["stacks"]) == 0
            assert all(stack["after"] == stack["before"] + stack["change"] for stack in sheet["stacks"])


def play(preset: str, seed: int, deals: int) -> None:
    session = BotSession(preset, seed)
    for _ in range(deals):
        session.one_deal()
    assert session.state().deals == deals
    verify(session)


@pytest.mark.parametrize("preset", preset_names())
def test_a_session_of_random_bots(preset: str) -> None:
    play(preset, 1, 3)


@pytest.mark.slow
@pytest.mark.parametrize("preset", preset_names())
def test_a_thousand_deals_at_tables(preset: str) -> None:
    for seed in range(1000 // DEALS):
        play(preset, seed, DEALS)


def test_random_bots_in_a_tournament() -> None:
    """The levels multiply what is paid, and the ledger still balances."""
    levels = {"tournament.levels": "deals:2", "tournament.chips_per_point": [1, 3, 7], "seats.buy_in_min": 200}
    session = BotSession("pineapple_tournament", 1, **levels)
    for _ in range(8):
        session.one_deal()
    verify(session)
    sheet = session.state().sheet
    assert sheet is not None
    assert {pair.stake for pair in sheet.pairs} == {7}
