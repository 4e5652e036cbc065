"""A whole tournament without a server: real tables, a clock that only this file moves, players who set quickly.

What a tournament and its tables tell each other is told twice, as after a crash: the second time it must do nothing.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any

from triptych.board import Board, layout_from_board
from triptych.cards import deck, is_joker, rank_of
from triptych.deal.actions import Action, ClockAction, Place
from triptych.deal.engine import acting_hands
from triptych.deal.timeout import best_legal, timeout_action
from triptych.rulesets.load import resolve
from triptych.table import aggregate
from triptych.table import commands as rc
from triptych.table.state import TableConfig
from triptych.table.tournament_orders import match_results
from triptych.tournament import commands as c
from triptych.tournament.aggregate import decide, next_wakeup, open_tournament
from triptych.tournament.config import normalize_rules
from triptych.tournament.evolve import evolve
from triptych.tournament.levels import awaits_entries
from triptych.tournament.places import places, places_news
from triptych.tournament.state import TournamentConfig, entry_of, open_tables, remaining, table_id, waiting_for_seat

if TYPE_CHECKING:
    from triptych.cards import Card
    from triptych.deal.state import DealState, HandState
    from triptych.table.events import TableEvent
    from triptych.table.state import TableState
    from triptych.tournament.events import TournamentEvent
    from triptych.tournament.state import TournamentState

START = 1_700_000_000_000
LEVELS = (1, 2, 4, 8, 15, 30, 60, 125, 250, 500, 1000, 2000, 4000, 8000)


def config(preset: str | dict[str, object] = "pineapple", **more: Any) -> TournamentConfig:
    """Return a tournament of 50 at full tables; `more`: fields that are otherwise."""
    rules = normalize_rules(resolve(preset))
    wanted: dict[str, Any] = {
        "cup": "cup1",
        "name": "Test cup",
        "host": "host",
        "rules": rules,
        "seats": rules.seats.max,
        "stack": 100,
        "levels": LEVELS,
        "level_kind": "deals",
        "level_length": 4,
        "most": 50,
        "pause": 1,
    }
    return TournamentConfig(**(wanted | more))


class SimulatedTournament:
    """A tournament, its tables and everything that has happened; `now` in ms."""

    def __init__(self, wanted: TournamentConfig, seed: int = 1) -> None:
        self.rng = Random(seed)
        self.now = START
        self.log: list[TournamentEvent] = []
        self.tables: dict[int, TableState] = {}
        self.table_log: dict[int, list[TableEvent]] = {}
        self.ends: list[tuple[int, int, int]] = []  # when, in which order, at which table a match is over
        self.numbers = count()
        self.most_tables = 0
        self.gone: set[str] = set()  # players who never move
        self.state = evolve(None, self._note(open_tournament(wanted, self.now))[0])

    def _note(self, events: tuple[TournamentEvent, ...]) -> tuple[TournamentEvent, ...]:
        self.log += events
        return events

    def draw(self, number: int) -> tuple[int, ...]:
        numbers = list(range(number))
        self.rng.shuffle(numbers)
        return tuple(numbers)

    def ask(self, player: str, request: c.TournamentRequest | c.SystemRequest) -> tuple[TournamentEvent, ...]:
        """Ask something of the tournament, let it happen, and pass its orders on to the tables."""
        before = self.state
        draft = decide(before, c.Command(player, request, player.title()), self.now, self.draw)
        for event in self._note(tuple(draft.events)):
            self.state = evolve(self.state, event)
        assert self.state == draft.state
        if draft.events:
            verify(before, self.state)
        self.most_tables = max(self.most_tables, len(open_tables(self.state)))
        for table in self.state.tables:
            order = table.order
            news = places_news(self.state, table)
            if news is not None and self.tables[table.number].cup_places_order < news.order:
                self._tell(table.number, news, self.now)
                assert not self._tell(table.number, news, self.now), "places that come again do nothing"
            if order is not None and order.number > self._done(table.number):
                self._obey(table.number, order)
        return tuple(draft.events)

    def _done(self, number: int) -> int:
        return self.tables[number].order if number in self.tables else 0

    def _obey(self, number: int, order: rc.MatchOrder) -> None:
        if number not in self.tables:
            wanted = self.state.config
            table = TableConfig(
                table_id(self.state, number), "", "", wanted.rules, pause=wanted.pause, start="host", cup=wanted.cup
            )
            self._fold(number, aggregate.open_table(table, self.now))
        self._tell(number, order, self.now)
        again = aggregate.decide(self.tables[number], rc.Command("", order), self.now, self._shuffled).events
        assert not again, "an order that comes again does nothing"
        for chair in order.chairs:
            if not chair.bot and chair.player not in self.gone:
                self._tell(number, rc.Connected(), self.now, chair.player)
        if order.chairs:
            heappush(self.ends, (self._play(number), next(self.numbers), number))

    def _fold(self, number: int, events: tuple[TableEvent, ...]) -> None:
        self.table_log.setdefault(number, []).extend(events)
        state = self.tables.get(number)
        for event in events:
            state = aggregate.evolve(state, event)
        assert state is not None
        self.tables[number] = state

    def _tell(
        self, number: int, request: rc.PlayerRequest | rc.SystemRequest, now: int, player: str = ""
    ) -> tuple[TableEvent, ...]:
        draft = aggregate.decide(
            self.tables[number], rc.Command(player, request, player.title()), now, self._shuffled
        )
        self.tables[number] = draft.state
        self.table_log[number] += draft.events
        return tuple(draft.events)

    def _shuffled(self, jokers: int) -> tuple[Card, ...]:
        cards = list(deck(jokers))
        self.rng.shuffle(cards)
        return tuple(cards)

    def _play(self, number: int) -> int:
        """Play the ordered match; return when it was over."""
        now = self.now
        while not match_results(state := self.tables[number]):
            hands = [] if state.deal is None or state.settled else list(acting_hands(state.deal))
            here = [hand for hand in hands if self._owner(state, hand) not in self.gone]
            if here and state.deal is not None:
                now += self.rng.randint(100, 2_000)
                hand = here[0]
                action = quick(state.deal, hand)
                assert isinstance(action, Action)
                self._tell(number, action, now, self._owner(state, hand))
            else:
                due = aggregate.next_wakeup(state)
                assert due is not None, "a table waits for nothing"
                now = max(now, due)
                self._tell(number, rc.Tick(), now)
        return now

    def _owner(self, state: TableState, hand: int) -> str:
        assert state.deal is not None
        return state.seats[state.deal.hands[hand].seat].player

    def step(self) -> None:
        """Let the next thing happen: a table's match is over, or something is due."""
        due = next_wakeup(self.state)
        ends = self.ends[0][0] if self.ends else None
        assert due is not None or ends is not None, "the tournament waits for nothing"
        if ends is None or (due is not None and due <= ends):
            assert due is not None
            self.now = max(self.now, due)
            self.ask("", c.Tick())
            return
        self.now, _, number = heappop(self.ends)
        self.report(number)

    def report(self, number: int) -> None:
        """Let a table tell how its match ended, twice."""
        table = self.tables[number]
        request = c.ReportMatch(number, table.order, match_results(table), table.deals)
        before = {entry.player: entry.chips for entry in self.state.entries}
        assert self.ask("", request)
        removed = sum(
            result.chips
            for result in request.results
            if (entry := entry_of(self.state, result.player)) and entry.disqualified and entry.out
        )
        assert sum(entry.chips for entry in self.state.entries) + removed == sum(before.values())
        assert not self.ask("", request), "a result that comes again does nothing"

    def play(self, most_steps: int = 20_000) -> TournamentState:
        """Play to the winner."""
        for _ in range(most_steps):
            if self.state.phase != "running":
                return self.state
            self.step()
        message = f"no winner after {most_steps} steps"
        raise AssertionError(message)


def filled(wanted: TournamentConfig, seed: int = 1, *, people: int = 2) -> SimulatedTournament:
    """Return a tournament with so many people and bots for all other places, which has begun."""
    whole = SimulatedTournament(wanted, seed)
    whole.ask("host", c.AddBots("steady", wanted.most - people))
    for number in range(people):
        whole.ask(f"p{number}", c.Register())
    assert whole.state.phase == "running"
    return whole


def verify(before: TournamentState, state: TournamentState) -> None:
    """Say what holds after every event: chips are conserved, seats are one each, nobody waits beside a free seat."""
    settings = state.config
    if state.phase in ("open", "cancelled"):
        return
    bought = sum(entry.entries for entry in state.entries) * settings.stack
    chips = sum(entry.chips for entry in state.entries)
    # The chips of whom the host took out are out of play.
    assert chips <= bought if any(entry.disqualified for entry in state.entries) else chips == bought
    tables = open_tables(state)
    seated = [player for table in tables for player in table.players]
    assert len(seated) == len(set(seated))
    for entry in state.entries:
        assert entry.out == (entry.chips == 0)
        if entry.table and state.phase == "running":
            table = next(seated for seated in tables if seated.number == entry.table)
            assert table.seats[entry.seat] == entry.player
    for table in before.tables:
        now = next(current for current in state.tables if current.number == table.number)
        if table.playing and now.playing and now.order == table.order:
            assert now.seats == table.seats, "a match is split"
    resting = state.break_due or state.break_ends is not None or state.paused is not None
    if state.phase == "running" and not settings.rounds and not resting:
        _verify_nobody_waits(state)
    place_of = places(state)
    assert set(place_of) >= {entry.player for entry in state.entries if entry.out}


def _verify_nobody_waits(state: TournamentState) -> None:
    size = state.config.seats
    idle = [table for table in open_tables(state) if not table.playing]
    playing = [table for table in open_tables(state) if table.playing]
    assert all(len(table.players) <= 1 for table in idle), "two at a table wait for nothing"
    alone = [table for table in idle if table.players]
    assert len(alone) <= 1, "two wait alone who could play each other"
    assert not (alone and waiting_for_seat(state)), "one waits at a table with free seats, another for a seat"
    if alone or waiting_for_seat(state):
        last = len(remaining(state)) == 1 and awaits_entries(state)
        assert playing or last, "somebody waits though no match is on"
    needed = -(-len(remaining(state)) // size)
    # More tables than are needed go on only while their matches do.
    assert len(idle) == 0 or len(open_tables(state)) <= max(1, needed)
    assert len(open_tables(state)) >= needed


def quick(deal: DealState, hand: int) -> ClockAction:
    """Return what a quick player does: high cards behind, low ones in front; at first two queens in front."""
    action = timeout_action(deal, hand)
    if not isinstance(action, Place):
        return action
    held = deal.hands[hand]
    queens = _pair(held.drawn, 10) if not held.board.front else ()
    if queens and held.streets[held.street].placed == 5:
        return Place(hand, layout_from_board(_with_front(held, queens)))
    # Whoever is on the way to fantasyland takes care not to foul.
    if _pair(held.board.front, 10):
        return best_legal(deal, hand)
    return Place(hand, layout_from_board(_by_rank(held)))


def _pair(cards: tuple[Card, ...], least: int) -> tuple[Card, ...]:
    high = [card for card in cards if _height(card) >= least]
    return next(((a, b) for a in high for b in high if a < b and _height(a) == _height(b)), ())


def _with_front(held: HandState, front: tuple[Card, ...]) -> Board:
    others = sorted((card for card in held.drawn if card not in front), key=_height)
    return Board(front=front, back=tuple(others))


def _by_rank(held: HandState) -> Board:
    wanted = held.streets[held.street].placed
    cards = sorted(held.drawn, key=_height)
    rows: dict[str, list[Card]] = {"front": [], "middle": [], "back": []}
    for card in cards[-wanted:]:
        for row in _liking(_height(card)):
            if held.board.free_slots(row) > len(rows[row]):  # type: ignore[arg-type]
                rows[row].append(card)
                break
    return Board(*(tuple(rows[row]) for row in ("front", "middle", "back")))


def _height(card: Card) -> int:
    return 13 if is_joker(card) else rank_of(card)


def _liking(height: int) -> tuple[str, str, str]:
    if height >= 8:
        return "back", "middle", "front"
    return ("middle", "front", "back") if height >= 4 else ("front", "middle", "back")
