"""Twin sessions differ only in cards that one viewer may not know, and that viewer's streams are the same bytes.

The first twin is played and written down. For the second one, of each deal the cards that the viewer may not know by
then (worked out from the rules and the stored cards by tests/server/knowledge.py, which does not look at the server's
own visibility) are exchanged among themselves, in the deck and in what was done with them. Rule: Rules §2 (cards
seen). Everything that leaves the server is compared: whole views with events, parts, what a late device catches up
with, HTTP, replays, glances (lobby, metrics), what a bot is given, logs.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import structlog

from tests.deal.play import random_action, random_layout
from tests.memory_store.store import MemoryStore
from tests.server.knowledge import Knowledge
from tests.simulation.loop import SeededLoop
from tests.simulation.plan import rules_of
from triptych.board import ROWS, Layout
from triptych.cards import Card, card_text, deck, parse_card
from triptych.deal.actions import Action, Arrange, ClaimNatural, Place
from triptych.i18n.messages import plain_text
from triptych.rulesets.load import preset_names
from triptych.rulesets.model import bankroll_mode, is_closed, max_fantasyland_cards
from triptych.server.bots.driver import BotDriver
from triptych.server.bots.engine import BotEngineError
from triptych.server.clock import StallDetector
from triptych.server.jobs.replay import deal_query, replay_deal
from triptych.server.log import RateLimitedLogger
from triptych.server.tables.actor import TableActor, TableDeps
from triptych.server.tables.event_log import encode_events
from triptych.server.tables.summary import summarize
from triptych.server.wire.errors import ApiError
from triptych.server.wire.messages import ErrorMessage
from triptych.store.types import Append
from triptych.table import commands as c
from triptych.table.aggregate import evolve, open_table, view
from triptych.table.state import TableConfig

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.deal.state import DealState
    from triptych.i18n.languages import Language
    from triptych.rulesets.model import Ruleset
    from triptych.store.types import StoredEvent
    from triptych.table.state import TableState

NOW = 1_700_000_000_000
NAMES = ("ann", "bob", "cid", "dan")
STRANGER = "eve"  # looks on
FORMER = "fay"  # had a seat before the first deal
HEIR = "gus"  # takes a seat after the first deal
_JSON = msgspec.json.Encoder(enc_hook=plain_text)
PEOPLE = (*NAMES, STRANGER, FORMER, HEIR)
MOST_WAITS = 100
Swap = dict[Card, Card]
_LAND = ({"row": "front", "least": "pair", "cards": 14},)


class RecordingSubscriber:
    """A connection that keeps what it is sent."""

    language: Language = "en"

    def __init__(self, player: str) -> None:
        self.player = player
        self.texts: list[str] = []

    def send(self, text: str | bytes) -> None:
        """Keep a message."""
        self.texts.append(text if isinstance(text, str) else text.decode())

    def send_message(self, message: ErrorMessage) -> None:
        """Keep a message as its text."""
        self.send(msgspec.json.encode(message, enc_hook=plain_text))


class Move(NamedTuple):
    """What somebody did: in which deal, who, and their action."""

    deal: int
    player: str
    action: Action


class PlayedSession(NamedTuple):
    """A session: its moves, what was stored, each viewer's streams; `marks`: how long they were after each move.

    `naturals`: cards of naturals that were held, by deal: with others in their place they would be none.
    """

    moves: list[Move]
    events: Sequence[StoredEvent]
    versions: list[int]
    streams: dict[str, list[str]]
    marks: list[dict[str, int]]
    naturals: dict[int, set[Card]]
    seats: dict[str, int]


class Session(NamedTuple):
    """What both twins have: rules, seats, deals, and the seed of everything."""

    seed: int
    rules: Ruleset
    players: int
    deals: int
    heir: bool
    bot: bool


def session(seed: int, preset: str = "") -> Session:
    """Draw a session; every preset comes in turn."""
    rng = Random(seed)
    name = preset or preset_names()[seed % len(preset_names())]
    changes: dict[str, object] = {"match.show_all": False, "clock.kind": "none"}
    for option, values in (
        ("deal.first_street", ("live", "on_confirm")),
        ("deal.first_cards", ("at_turn", "all")),
        ("fantasyland.order", ("after_others", "at_start_hidden")),
        ("surrender.points", (0, 3)),
    ):
        if rng.random() < 0.4:
            changes[option] = rng.choice(values)
    rules = rules_of(name, changes) or rules_of(name, {"clock.kind": "none", "match.show_all": False})
    assert rules is not None
    if not is_closed(rules) and max_fantasyland_cards(rules) and rng.random() < 0.5:
        rules = rules_of(name, {**changes, "fantasyland.entry": _LAND}) or rules
    players = rng.randint(rules.seats.min, rules.seats.max)
    heir, bot = rng.choice(((False, False), (False, True), (True, False)))
    return Session(seed, rules, players, 2 if heir else rng.choice((1, 2)), heir, bot)


class RecordingEngine:
    """Keeps what bots are given, and plays nothing: their moves are those of the script."""

    def __init__(self, streams: dict[str, list[str]]) -> None:
        self._streams = streams

    async def choose(self, _level: str, _rules: object, view: Any, task: Any, _budget: int) -> Action:
        seat = view.boards[task.hand].seat
        self._streams[f"bot {seat}"].append(_JSON.encode((view, task)).decode())
        raise BotEngineError

    async def prepare(self, _rules: object) -> None:
        pass

    async def close(self) -> None:
        pass


class Table:
    """One of the twins while it is played."""

    def __init__(self, plan: Session, swaps: dict[int, Swap]) -> None:
        self._plan = plan
        self._swaps = swaps
        self._rng = Random(plan.seed)
        self._dealt = 0
        self.loop = SeededLoop(Random(plan.seed))
        self.store = MemoryStore()
        self.streams: dict[str, list[str]] = {f"bot {seat}": [] for seat in range(4)}
        self.done = PlayedSession([], (), [], self.streams, [], {}, {})

    def _now(self) -> int:
        return NOW + int(self.loop.time() * 1000)

    def _shuffle(self, jokers: int) -> tuple[Card, ...]:
        self._dealt += 1
        cards = list(deck(jokers))
        Random(f"{self._plan.seed} {self._dealt}").shuffle(cards)
        swap = self._swaps.get(self._dealt, {})
        return tuple(swap.get(card, card) for card in cards)

    def play(self, script: Sequence[Move] | None) -> PlayedSession:
        """Play the script, or, without one, at random."""
        asyncio.set_event_loop(None)
        try:
            with structlog.testing.capture_logs() as logs:
                self.loop.run_until_complete(self._play(script))
            self.streams["logs"] = [repr(line) for line in logs]
        finally:
            self.loop.bury()
        assert not self.loop.errors, self.loop.errors
        return self.done

    async def _play(self, script: Sequence[Move] | None) -> None:
        await self.store.open()
        live = self.live = await self._opened()
        self._bots.on_table_changed(live)
        buy_in = self._plan.rules.seats.buy_in_max if bankroll_mode(self._plan.rules) == "stacks" else 0
        await live.execute(c.Command(FORMER, c.Sit(0, buy_in), "Fay"))
        await live.execute(c.Command(FORMER, c.Leave()))
        viewers = (*NAMES[: self._plan.players], STRANGER, FORMER)
        for player in viewers:
            self._watch(player)
        for seat in range(self._plan.players):
            await self._sit(seat, buy_in)
        moves = iter(script) if script is not None else None
        while self._dealt < self._plan.deals or not live.state.settled:
            if live.state.settled:
                if self._dealt == 1 and self._plan.heir and HEIR not in self.done.seats:
                    await self._inherit(buy_in)
                await self._begin()
                continue
            move = self._chosen(live.state) if moves is None else next(moves, None)
            if move is None:
                break
            await live.execute(c.Command(move.player, move.action, move.player.title()))
            await asyncio.sleep(0.05)
            self._mark(move)
        self.done = self.done._replace(events=tuple(await self.store.load("t")))
        self._ask_http(viewers)
        await self._bots.close()
        await live.stop()

    async def _opened(self) -> TableActor:
        config = TableConfig("t", "Table", "ann", self._plan.rules, pause=20, start="host")
        events = open_table(config, self._now())
        await self.store.append(Append(table="t", expected_version=0, events=encode_events(events)))
        state: TableState | None = None
        for event in events:
            state = evolve(state, event)
        assert state is not None
        time = self.loop.time
        outside = TableDeps(
            store=self.store,
            now=self._now,
            shuffle=self._shuffle,
            grace_seconds=1.0,
            stall_detector=StallDetector(self._now, lambda: int(time() * 1000)),
            error_log=RateLimitedLogger(clock=time),
        )
        self._bots = BotDriver(RecordingEngine(self.streams), 0)
        live = TableActor(state, outside, self._bots.on_table_changed)
        live.start(tuple(enumerate(events, 1)))
        return live

    async def _sit(self, seat: int, buy_in: int) -> None:
        player = NAMES[seat]
        if seat == self._plan.players - 1 and self._plan.bot:
            await self.live.execute(c.Command("ann", c.SeatBot(seat, "random", buy_in)))
            player = self.live.state.seats[seat].player
        else:
            await self.live.execute(c.Command(player, c.Sit(seat, buy_in), player.title()))
        self.done.seats[player] = seat

    async def _begin(self) -> None:
        state = self.live.state
        if not state.begun:
            await self.live.execute(c.Command("ann", c.Start()))
        dealt = self._dealt
        for _ in range(MOST_WAITS):
            if self._dealt > dealt:
                return
            for number in range(len(self.live.state.seats)):
                seat = self.live.state.seats[number]
                if seat.person and not seat.ready and self.live.state.next_at is not None:
                    with suppress(ApiError):  # the deal may begin before that is known
                        await self.live.execute(c.Command(seat.player, c.Ready()))
            await asyncio.sleep(0.5)
        message = f"no deal begins: {[(s.player, s.stack, s.connected, s.ready) for s in self.live.state.seats]}"
        raise RuntimeError(message)

    async def _inherit(self, buy_in: int) -> None:
        """Let somebody take the second seat, who asks for all that was before."""
        await self.live.execute(c.Command("bob", c.Leave()))
        if self.live.state.seats[1].player:
            return  # not before the match is over
        await self.live.execute(c.Command(HEIR, c.Sit(1, buy_in), "Gus"))
        self.done.seats[HEIR] = 1
        del self.done.seats["bob"]
        self._watch(HEIR)

    def _watch(self, player: str) -> None:
        """Let one device be sent whole views, one parts, and one come with every move."""
        for whole in (True, False):
            screen = RecordingSubscriber(player)
            self.streams[f"{player} {'whole' if whole else 'parts'}"] = screen.texts
            self.live.subscribe(screen, player.title(), 0, whole=whole)
        self.streams[f"{player} late"] = []

    def _chosen(self, state: TableState) -> Move:
        deal = state.deal
        assert deal is not None
        action = random_action(deal, self._rng)
        if not isinstance(action, Action):  # the clock's own
            action = Place(action.hand, _first(deal, action.hand))
        hand = deal.hands[action.hand]
        if isinstance(action, ClaimNatural):
            self.done.naturals.setdefault(self._dealt, set()).update(hand.drawn)
        return Move(self._dealt, state.seats[hand.seat].player, action)

    def _mark(self, move: Move) -> None:
        live, done = self.live, self.done
        done.moves.append(move)
        done.versions.append(live.state.version)
        self.streams.setdefault("glance", []).append(_JSON.encode(summarize(live.state)).decode())
        late = RecordingSubscriber(self._rng_viewer(len(done.moves)))
        self.streams[f"{late.player} late"].append(
            live.subscribers.full_update(live.state, late, max(0, live.state.version - 20), self._now())
        )
        done.marks.append({name: len(texts) for name, texts in self.streams.items()})

    def _rng_viewer(self, count: int) -> str:
        players = [name.removesuffix(" late") for name in self.streams if name.endswith(" late")]
        return players[count % len(players)]

    def _ask_http(self, viewers: Sequence[str]) -> None:
        state = self.live.state
        for player in (*viewers, HEIR):
            texts = [_JSON.encode(view(state, player)).decode()]
            finished = self._dealt if state.settled else self._dealt - 1
            queries = [deal_query(state, self.done.events, number, player) for number in range(1, finished + 1)]
            texts += [_JSON.encode(replay_deal(query)).decode() for query in queries]
            self.streams[f"{player} http"] = texts


def _first(deal: DealState, hand: int) -> Layout:
    """Return a full placement in the order received."""
    return random_layout(deal, hand, Random(hand))


def viewers_of(done: PlayedSession, plan: Session) -> list[str]:
    """Return who may be the viewer of a pair."""
    if HEIR in done.seats and plan.seed % 2:
        return [HEIR]
    return [*NAMES[: plan.players], *(player for player in done.seats if player not in NAMES), STRANGER, FORMER]


def swaps(plan: Session, done: PlayedSession, viewer: str, upto: int) -> dict[int, Swap]:
    """Return, by deal, an exchange among the cards that a viewer may not know after so many moves."""
    version = done.versions[upto - 1]
    knowledge = Knowledge(done.events[:version])
    rng = Random(f"{plan.seed} {viewer} {upto}")
    exchanges: dict[int, Swap] = {}
    for deal in range(1, done.moves[upto - 1].deal + 1):
        seat = _seat(done, viewer, deal)
        unknown = [
            card
            for card in deck(plan.rules.deal.jokers)
            if card not in done.naturals.get(deal, ())
            and not knowledge.may_know(seat, deal, card_text(card), version)
        ]
        others = list(unknown)
        rng.shuffle(others)
        exchanges[deal] = dict(zip(unknown, others, strict=True))
    return exchanges


def _seat(done: PlayedSession, viewer: str, deal: int) -> int | None:
    if viewer == "bob" and HEIR in done.seats:
        return 1 if deal == 1 else None
    if viewer == HEIR:
        return 1 if deal > 1 else None
    return done.seats.get(viewer)


def swapped(move: Move, swap: Swap) -> Move:
    """Return what was done, with the other cards."""
    action = move.action
    if not isinstance(action, Place | Arrange):
        return move
    rows = {
        row: tuple(card_text(swap.get(parse_card(text), parse_card(text))) for text in getattr(action.layout, row))
        for row in ROWS
    }
    return move._replace(action=type(action)(action.hand, Layout(**rows)))


class Pairs(NamedTuple):
    """How many pairs were played, how many characters compared, and what a viewer could tell."""

    pairs: int
    compared: int
    found: list[str]


def streams_of(done: PlayedSession, viewer: str, upto: int) -> dict[str, list[str]]:
    """Return what reached a viewer up to a move, and what may say nothing of cards to anybody."""
    own = [name for name in done.streams if name.split(" ")[0] == viewer and not name.endswith("http")]
    bot = [] if viewer in PEOPLE else [f"bot {done.seats[viewer]}"]
    marks = done.marks[upto - 1]
    return {name: done.streams[name][: marks.get(name, 0)] for name in (*own, *bot, "glance")}


def pairs(seed: int, preset: str = "", cuts: int = 3) -> Pairs:
    """Play a session and its twins, each up to another move and for some viewer."""
    plan = session(seed, preset)
    first = Table(plan, {}).play(None)
    rng = Random(seed)
    findings: list[str] = []
    compared = 0
    places = {len(first.moves), *(rng.randint(1, len(first.moves)) for _ in range(cuts - 1))}
    for upto in sorted(places):
        viewer = rng.choice(viewers_of(first, plan))
        exchange = swaps(plan, first, viewer, upto)
        second = Table(plan, exchange).play([swapped(move, exchange[move.deal]) for move in first.moves[:upto]])
        mine = streams_of(first, viewer, upto)
        others = streams_of(second, viewer, upto)
        if upto == len(first.moves):
            for name in (f"{viewer} http", "logs"):
                mine[name], others[name] = first.streams.get(name, []), second.streams.get(name, [])
        differences = [name for name, texts in mine.items() if texts != others.get(name, [])]
        compared += sum(len(text) for texts in mine.values() for text in texts)
        if differences:
            findings.append(
                f"seed {seed} {plan.rules.name}: {viewer} tells the twins apart after move {upto} by {differences}"
            )
    return Pairs(len(places), compared, findings)
