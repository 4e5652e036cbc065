"""Whole sessions at random: what holds after every event, at every table. Issue 2, shown by 5 and 6."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, Any
from zlib import crc32

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.deal.play import random_action
from tests.examples import examples
from tests.patched_view import apply_patch, expand_paths, proof
from tests.table.session import FOUL, LAND, LOW, PLAIN, QUADS, SEATS, Session
from triptych.board import Layout
from triptych.cards import card_text, deck
from triptych.deal.actions import Arrange, Forfeit
from triptych.deal.engine import acting_hands
from triptych.deal.timeout import timeout_action
from triptych.deal.visibility import Private, Sealed
from triptych.i18n.messages import plain_text
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import Ruleset, bankroll_mode
from triptych.table import commands as c
from triptych.table.absence import is_gone
from triptych.table.aggregate import evolve, next_wakeup, transfers, view
from triptych.table.codec import decode, encode
from triptych.table.errors import TableError
from triptych.table.ledger import balances, stack_account
from triptych.table.prompt import prompt, waiting_for
from triptych.table.view import TableViews
from triptych.table.view_diff import ViewDiff
from triptych.table.view_paths import PATHS

if TYPE_CHECKING:
    from triptych.table.state import TableState
    from triptych.table.view_types import TableView

CARD = re.compile(r'"([2-9TJQKA][cdhs]|X[12])"')
PRESETS = preset_names()
KINDS = ("deal_group", "orbit", "deals:2", "points:9", "endless")
VIEWERS = (*SEATS, "nobody")
# Two seats: somebody reaches fantasyland, stays in it, both do, nobody does.
CHOSEN = ({0: LAND, 1: PLAIN}, {0: PLAIN, 1: QUADS}, {0: LAND, 1: FOUL}, {0: LOW, 1: PLAIN})


@st.composite
def sessions(draw: st.DrawFn) -> tuple[Ruleset, int, int]:
    """Rules, the number of people who sit down, and the seed of everything else."""
    preset = draw(st.sampled_from(PRESETS))
    changes = {
        "match.kind": draw(st.sampled_from(KINDS)),
        "clock.kind": draw(st.sampled_from(["per_street", "per_deal", "none"])),
        "timeout.after": draw(st.sampled_from(["sit_out", "end_match", "none"])),
        "timeout.layout": draw(st.sampled_from(["received_back_first", "foul", "best_legal"])),
        "timeout.scope": draw(st.sampled_from(["street", "deal"])),
        "deal.first_cards": draw(st.sampled_from(["at_turn", "all"])),
        "deal.first_street": draw(st.sampled_from(["live", "on_confirm"])),
        "settlement.credit": draw(st.booleans()),
        "clock.bank_reset": draw(st.sampled_from(["off", "deals:2", "minutes:1"])),
        "match.prize": draw(st.sampled_from([0, "short", 5])),
        "settlement.cap": draw(st.sampled_from(["none", "min_stack_at_start", "min_current"])),
        "settlement.after_bust": draw(st.sampled_from(["continue", "stop"])),
        "fantasyland.order": draw(st.sampled_from(["after_others", "at_start_hidden"])),
        "fantasyland.button": draw(st.sampled_from(["stay", "move"])),
        "seats.buy_in_min": 10,
    }
    rules = resolve({"preset": preset, **changes})
    return rules, draw(st.integers(2, min(3, rules.seats.max))), draw(st.integers(0, 2**32))


class RandomPlay:
    """Plays a session at random: actions, requests that may be refused, time that passes, people who come and go."""

    def __init__(self, rules: Ruleset, people: int, seed: int) -> None:
        self.rng = Random(seed)
        buy_in = self.rng.choice([10, 40, 100]) if bankroll_mode(rules) == "stacks" else 0
        self.session = Session(rules, people=people, buy_in=buy_in, seed=seed, pause=3)
        self.chosen = False

    def step(self) -> None:
        session, rng = self.session, self.rng
        chance = rng.random()
        if chance < 0.04:
            self._try(rng.choice(SEATS), self._request())
        elif chance < 0.06:
            session.ask(rng.choice(SEATS), c.Connected() if rng.random() < 0.5 else c.Disconnected())
        elif chance < 0.07:
            session.now += 10**6
            session.ask("", c.ReportDowntime(rng.choice([0, session.now - 10**5])))
        elif session.state().settled or chance < 0.12:
            self._time()
        else:
            self._play()

    def _play(self) -> None:
        deal = self.session.state().deal
        assert deal is not None
        action = timeout_action(deal, acting_hands(deal)[0]) if self.chosen else random_action(deal, self.rng)
        if isinstance(action, Forfeit):
            self._time()  # only the clock can do this
            return
        self.session.now += self.rng.choice([0, 800, 20_000, 40_000])
        self.session.ask(self.session.owner(action.hand).player, action)

    def _time(self) -> None:
        session = self.session
        if next_wakeup(session.state()) is not None:
            two = {seat.seat for seat in session.state().seats if seat.player} == {0, 1}
            pineapple = session.rules.deal.game == "pineapple" and session.rules.rows.middle == "high"
            if session.state().settled:
                self.chosen = two and pineapple and self.rng.random() < 0.7
                session.boards = [self.rng.choice(CHOSEN)] if self.chosen else []
            session.strike()
            session.boards = []
            return
        for player in SEATS:
            buy_in = 0 if session.rules.settlement.credit else 10
            for request in (c.Connected(), c.SitIn(), c.TopUp(10), c.Sit(self.rng.randrange(4), buy_in)):
                self._try(player, request)

    def _request(self) -> c.PlayerRequest:
        rng = self.rng
        seat = rng.randrange(4)
        requests: list[c.PlayerRequest] = [
            c.Sit(seat, rng.choice([0, 10, 60])),
            c.Leave(),
            c.TopUp(rng.choice([5, 50])),
            c.SitOut(),
            c.SitIn(),
            c.Ready(),
            c.Say("hm"),
            c.SeatBot(seat, "first", rng.choice([0, 30])),
            c.Unseat(seat),
            c.Ban(seat),
            c.PlaceFor(seat),
            c.OfferStake(seat, rng.choice([1, 2, 5])),
            c.CloseTable(),
        ]
        return rng.choice(requests)

    def _try(self, player: str, request: c.PlayerRequest | c.SystemRequest) -> None:
        before = self.session.state()
        try:
            self.session.ask(player, request)
        except TableError:
            assert self.session.state() is before


class PatchedViews:
    """What viewers hold who are sent parts: after each update it is the whole view, to the letter."""

    def __init__(self) -> None:
        self._views: TableViews | None = None
        self._texts: dict[str, dict[str, Any]] = {}
        self._paths = msgspec.json.decode(msgspec.json.encode(PATHS))

    def view(self, player: str) -> TableView:
        """Return the view that a player was sent last."""
        assert self._views is not None
        return self._views.of(player)

    def update(self, session: Session) -> None:
        """Send everybody what has changed, and compare what they hold with views that are made again."""
        state = session.state()
        before, self._views = self._views, TableViews(state, self._views)
        changes = None if before is None else ViewDiff(before, self._views, session.now)
        whole = TableViews(state)
        for player in VIEWERS:
            text = msgspec.json.encode(whole.of(player), enc_hook=plain_text)
            if changes is None:
                self._texts[player] = msgspec.json.decode(text)
                continue
            shared, own = changes.for_player(player)
            parts = msgspec.json.decode(msgspec.json.encode([*shared, *own], enc_hook=plain_text))
            message = {"v": state.version, "now": session.now, "parts": parts}
            self._texts[player] = apply_patch(self._texts[player], expand_paths(message, self._paths))
            assert proof(self._texts[player]) == crc32(text)


def cards_lie_in_one_place(state: TableState) -> None:
    deal = state.deal
    if deal is None or not deal.deck:
        return
    places = [*deal.deck]
    for hand in deal.hands:
        places += [*hand.board.cards, *hand.drawn, *hand.discards]
    assert sorted(places) == list(deck(deal.rules.deal.jokers))


def someone_or_something_is_awaited(state: TableState) -> None:
    """A table never gets stuck: an awaited action, a time at which something happens, or a stated need."""
    if state.settled:
        need = prompt(state, None, "nobody", (), waiting_for(state)).text
        assert state.closed or state.next_at is not None or need.startswith(("Send", "Take", "Waiting", "The bots"))
        return
    assert state.deal is not None
    waiting = acting_hands(state.deal)
    assert waiting
    assert not any(is_gone(state.seats[state.deal.hands[hand].seat]) for hand in waiting)
    if state.config.rules.clock.kind != "none":
        assert {hand for clock in state.clocks for hand in clock.hands} == set(waiting)
    else:
        assert {turn.seat for turn in state.turns} == {state.deal.hands[hand].seat for hand in waiting}


def points_are_conserved(session: Session) -> None:
    """Double entry: all accounts together hold nothing, and each stack is its account."""
    held = balances(transfers(session.log))
    assert sum(held.values()) == 0
    for seat in session.state().seats:
        if seat.player:
            assert held.get(stack_account("t1", seat.player), 0) == seat.stack
            assert seat.stack >= 0 or session.rules.settlement.credit
    seated = {stack_account("t1", seat.player) for seat in session.state().seats if seat.player}
    assert all(
        points == 0 for account, points in held.items() if account.startswith("table:") and account not in seated
    )
    assert sum(account.points for account in session.see("nobody").accounts) == 0
    sheet = session.state().sheet
    if sheet is not None:
        assert sum(stack.change for stack in sheet.stacks) == 0


@settings(max_examples=examples(50))
@given(sessions())
def test_invariants_hold_at_every_table_at_all_times(drawn: tuple[Ruleset, int, int]) -> None:
    chance = RandomPlay(*drawn)
    session = chance.session
    total = 0
    screens = PatchedViews()
    for _ in range(80):
        chance.step()
        someone_or_something_is_awaited(session.state())
        screens.update(session)
        # What is taken over from earlier views is what would be made again.
        assert all(screens.view(player) == view(session.state(), player) for player in VIEWERS)
        if len(session.log) > total:
            points_are_conserved(session)
            total = len(session.log)
    state: TableState | None = None
    for event in session.log:
        state = evolve(state, decode(*encode(event)))
        cards_lie_in_one_place(state)
    assert state == session.state()
    for player in SEATS:
        assert view(state, player) == session.see(player)


def test_cards_that_are_laid_out_one_after_the_other() -> None:
    """Issue 35, part 4: of a list that goes on, parts have what comes behind the others."""
    session, screens = Session(), PatchedViews()
    session.strike()
    screens.update(session)
    deal = session.state().deal
    assert deal is not None
    hand = acting_hands(deal)[0]
    cards = [card_text(card) for card in deal.hands[hand].drawn]
    for count in range(1, len(cards) + 1):
        session.ask(session.owner(hand).player, Arrange(hand, Layout(back=tuple(cards[:count]))))
        screens.update(session)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_parts_lead_to_the_whole_view(preset: str) -> None:
    """Issue 35, shown by 3: over 20,000 deals of all presets."""
    rng = Random(preset)
    deals = 0
    while deals * len(PRESETS) < 20_000:
        rules = resolve({"preset": preset, "match.kind": rng.choice(KINDS), "seats.buy_in_min": 10})
        chance = RandomPlay(rules, rng.randint(2, min(3, rules.seats.max)), rng.randrange(2**32))
        screens = PatchedViews()
        screens.update(chance.session)
        for _ in range(300):
            chance.step()
            screens.update(chance.session)
        deals += chance.session.state().deals


@settings(max_examples=examples(75))
@given(sessions())
def test_no_viewer_is_sent_a_card_hidden_from_them(drawn: tuple[Ruleset, int, int]) -> None:
    """Issue 2, shown by 5: views and events hold only cards from events that are public or the viewer's own."""
    chance = RandomPlay(*drawn)
    session = chance.session
    position = 0
    knowledge: dict[str, set[str]] = {player: set() for player in VIEWERS}
    for _ in range(80):
        seats = {seat.seat: seat.player for seat in session.state().seats}
        chance.step()
        for event in session.log[position:]:
            if type(event.event).__name__ == "DealBegan":
                knowledge = {player: set() for player in VIEWERS}
            if isinstance(event, Sealed):
                continue
            cards = set(CARD.findall(msgspec.json.encode(event.event, enc_hook=plain_text).decode()))
            if type(event.event).__name__ == "DealSettled":
                assert cards <= knowledge["nobody"]  # the sheet shows what everybody has seen
            owner = seats.get(event.seat) if isinstance(event, Private) else None
            for player in knowledge:
                if not isinstance(event, Private) or player == owner:
                    knowledge[player] |= cards
        position = len(session.log)
        sheet = session.state().sheet
        open_now = (
            set(CARD.findall(msgspec.json.encode(sheet, enc_hook=plain_text).decode()))
            if sheet is not None
            else set()
        )
        for player in VIEWERS:
            view_cards = set(CARD.findall(msgspec.json.encode(session.see(player), enc_hook=plain_text).decode()))
            assert view_cards <= knowledge[player] | open_now
