"""The fixed positions: heads-up `pineapple`, 200 of each street, from deals that `fast` plays with some noise."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from random import Random

from msgspec import Struct

from triptych.board import ROW_CAPACITY, ROWS, Layout
from triptych.bots.learned.bot import LearnedBot, SearchSettings
from triptych.bots.untrained.uniform import UniformBot
from triptych.cards import deck, parse_card
from triptych.deal.engine import decide, start
from triptych.deal.events import DealEvent
from triptych.deal.evolve import evolve
from triptych.deal.project import view
from triptych.deal.state import DealState, HandStart, acting_hands
from triptych.deal.view_types import BoardView, DealView, FreeSlots, RowView, Task
from triptych.notation.position import Position, PositionHand, parse_position, position_from_view, position_link
from triptych.rulesets.load import resolve
from triptych.rulesets.model import streets

PRESET = "pineapple"
STREETS = (1, 2, 3, 4, 5)
EACH = 200
FILE = Path(__file__).with_name("positions.txt")

_RANDOM, _BLURRED = 0.1, 0.3  # shares of moves that are made at random, and by `novice`


class Spot(Struct, frozen=True):
    """One of the positions: its number from 0, the street from 1, and its text."""

    number: int
    street: int
    text: str


def read(file: Path = FILE) -> tuple[Spot, ...]:
    """Return the positions of the file."""
    lines = [line.split() for line in file.read_text().splitlines() if line and not line.startswith("#")]
    return tuple(Spot(number, int(street), text) for number, (street, text) in enumerate(lines))


def make(seed: int) -> str:
    """Return the file's text: every position is of a deal of its own."""
    lines = [
        f"# {EACH} decisions of each street, heads-up {PRESET}: street and position, the hand to act starred.",
        f"# uv run python -m bench.decisions --positions {seed}, by weights {weights_digest()}",
    ]
    for street in STREETS:
        for index in range(EACH):
            random = Random(f"{seed}/{street}/{index}")
            lines.append(f"{street} {position_link(_position(random, PRESET, 2, street))}")
    return "\n".join(lines) + "\n"


def spot(preset: str, players: int, street: int, seed: str) -> Position:
    """Return a decision of a street of any open game, made in the same way."""
    return _position(Random(f"{preset}/{players}/{street}/{seed}"), preset, players, street)


def _position(random: Random, preset: str, players: int, street: int) -> Position:
    state = _played(random, preset, players, players * (street - 1) + random.randrange(players))
    return position_from_view(view(state, state.hands[acting_hands(state)[0]].seat))


def _played(random: Random, preset: str, players: int, moves: int) -> DealState:
    """Return a deal after so many placements."""
    rules = resolve(preset)
    bots = (
        LearnedBot("fast", SearchSettings()),
        LearnedBot("novice", SearchSettings(noise=1.5), seed=random.getrandbits(32)),
    )
    wild = UniformBot(random.getrandbits(32))
    cards = list(deck(rules.deal.jokers))
    random.shuffle(cards)
    state = _after(None, start(rules, 1, tuple(map(HandStart, range(players))), tuple(cards)).events)
    for _ in range(moves):
        hand = acting_hands(state)[0]
        deal_view = view(state, state.hands[hand].seat)
        draw = random.random()
        bot = wild if draw < _RANDOM else bots[draw < _RANDOM + _BLURRED]
        state = _after(state, decide(state, bot.choose(rules, deal_view, deal_view.tasks[0])).events)
    return state


def _after(state: DealState | None, events: Iterable[DealEvent]) -> DealState:
    for event in events:
        state = evolve(state, event)
    if state is None:
        raise ValueError("a deal begins with an event")
    return state


def weights_digest() -> str:
    """Return a digest of what the players have learned."""
    file = Path(__file__).parents[2] / "weights/src/triptych_weights" / f"{PRESET}.tw"
    return blake2b(file.read_bytes(), digest_size=8).hexdigest()


def seen_by(text: str) -> tuple[DealView, Task]:
    """Return what the hand to act sees at a position, and its task: the question that a bot gets."""
    rules = resolve(PRESET)
    position = parse_position(text)
    me = position.acting[0]
    mine = position.hands[me]
    sizes = [len(getattr(mine, row)) for row in ROWS]
    before = [sum(step.placed for step in streets(rules)[:number]) for number in range(len(streets(rules)))]
    street = before.index(sum(sizes))
    step = streets(rules)[street]
    free = FreeSlots(*(ROW_CAPACITY[row] - size for row, size in zip(ROWS, sizes, strict=True)))
    cards = tuple(sorted(mine.drawn, key=parse_card))
    task = Task(me, "place", street + 1, cards, step.placed, step.dealt - step.placed, free, Layout())
    boards = tuple(_board(position, hand, before) for hand in range(len(position.hands)))
    return DealView(1, rules.deal.game, "placing", street + 1, len(before), boards, (task,)), task


def _board(position: Position, hand: int, before: list[int]) -> BoardView:
    own: PositionHand = position.hands[hand]
    placed = len(own.front) + len(own.middle) + len(own.back)
    return BoardView(
        hand,
        hand,
        RowView(own.front),
        RowView(own.middle),
        RowView(own.back),
        street=sum(needed <= placed for needed in before),
        acting=hand in position.acting,
        done=placed == 13,
        face_down=False,
        fantasyland=own.fantasyland,
        in_row=int(own.fantasyland > 0),
        draws=own.drawn,
        pending=(),
        discards=own.discards,
        laid=own.row_counts,
    )
