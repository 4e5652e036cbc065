"""Whatever a client sends in the right form, a table grants it or refuses it; it never breaks (issue 2, part 10)."""

from __future__ import annotations

import contextlib
from functools import reduce
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from triptych.board import ROW_CAPACITY, ROWS, Layout
from triptych.cards import Card, card_text, deck
from triptych.deal.actions import Place
from triptych.deal.view_types import Task
from triptych.errors import TriptychError
from triptych.rulesets.load import resolve
from triptych.server.wire.decoding import decode_request
from triptych.server.wire.errors import ApiError
from triptych.server.wire.messages import ClientMessage, CommandMessage
from triptych.table.aggregate import decide, evolve, open_table, view
from triptych.table.codec import decode, encode
from triptych.table.commands import Command, Sit, Tick
from triptych.table.errors import TableError
from triptych.table.state import TableConfig, TableState

PLAYERS = ("ann", "bob", "cat")
READ = msgspec.json.Decoder(ClientMessage)
CARDS = st.sampled_from([*(card_text(card) for card in deck(2)), "Zz", "", "AhKd", "??"])
HANDS = st.integers(-2, 5)
LAYOUTS = st.fixed_dictionaries({}, optional={row: st.lists(CARDS, max_size=6) for row in ROWS})
NUMBERS = st.sampled_from([-1, 0, 1, 2, 3, 4, 50, 100, 200, 201, 1_000_000, 2**31, 2**63])
REQUESTS = st.one_of(
    st.fixed_dictionaries({"do": st.sampled_from(["arrange", "place"]), "hand": HANDS, "layout": LAYOUTS}),
    st.fixed_dictionaries({"do": st.just("announce"), "hand": HANDS, "play": st.booleans()}),
    st.fixed_dictionaries({"do": st.just("natural"), "hand": HANDS}),
    st.fixed_dictionaries({"do": st.just("declare"), "hand": HANDS, "rows": st.lists(st.sampled_from(ROWS))}),
    st.fixed_dictionaries({"do": st.just("sit"), "seat": NUMBERS, "buy_in": NUMBERS}),
    st.fixed_dictionaries({"do": st.just("top_up"), "points": NUMBERS}),
    st.fixed_dictionaries({"do": st.just("say"), "text": st.text(max_size=20)}),
    st.fixed_dictionaries(
        {"do": st.just("seat_bot"), "seat": NUMBERS, "level": st.text(max_size=8), "buy_in": NUMBERS}
    ),
    st.fixed_dictionaries({"do": st.just("unseat"), "seat": NUMBERS}),
    st.fixed_dictionaries({"do": st.just("offer_stake"), "seat": NUMBERS, "stake": NUMBERS}),
    st.fixed_dictionaries({"do": st.sampled_from(["leave", "sit_out", "sit_in", "ready", "close_table"])}),
)


def shuffle(rng: Random, jokers: int) -> tuple[Card, ...]:
    cards = list(deck(jokers))
    rng.shuffle(cards)
    return tuple(cards)


def table(preset: str, seats: int) -> TableState:
    rules = resolve(preset)
    events = open_table(TableConfig("t", "Table", "ann", rules, pause=0), 1)
    state: TableState | None = None
    for event in events:
        state = evolve(state, event)
    assert state is not None
    for seat, player in enumerate(PLAYERS[:seats]):
        state = step(state, Command(player, Sit(seat, rules.seats.buy_in_max), name=player), 2, Random(0))
    return state


def step(state: TableState, command: Command, now: int, rng: Random) -> TableState:
    """Do a command; its events must come back from the store as they were, and every viewer must see something."""
    draft = decide(state, command, now, lambda jokers: shuffle(rng, jokers))
    assert [decode(*encode(event)) for event in draft.events] == draft.events
    after = reduce(evolve, draft.events, state)
    assert draft.state == after
    for player in (*PLAYERS, "stranger"):
        assert view(after, player).v == after.version
    return after


def sensible(task: Task) -> Place | None:
    if task.kind != "place":
        return None
    cards = list(task.cards[: task.place])
    laid = {}
    for row in sorted(ROW_CAPACITY, key=lambda name: -getattr(task.open, name)):
        free = getattr(task.open, row)
        laid[row], cards = tuple(cards[:free]), cards[free:]
    return Place(task.hand, Layout(**laid))


@pytest.mark.parametrize(
    ("preset", "seats"), [("pineapple", 3), ("ofc_27", 2), ("closed_1_6", 3), ("criss_cross", 2)]
)
@settings(max_examples=examples(100))
@given(data=st.data())
def test_nothing_that_can_be_sent_breaks_a_table(preset: str, seats: int, data: st.DataObject) -> None:
    rng = Random(data.draw(st.integers(0, 1000)))
    state = table(preset, seats)
    now = 3
    for _ in range(data.draw(st.integers(0, 12))):
        # Play on a little, so that what is sent meets a table in any situation.
        open_tasks = [(player, task) for player in PLAYERS for task in tasks_of(state, player)]
        move = next(((player, place) for player, task in open_tasks if (place := sensible(task))), None)
        now += 1
        state = (
            step(state, Command(move[0], move[1]), now, rng) if move else step(state, Command("", Tick()), now, rng)
        )
    for _ in range(4):
        player = data.draw(st.sampled_from([*PLAYERS, "stranger"]))
        sent = {"t": "do", "cmd_id": "c", "table": "t", "seen": 0, "action": data.draw(REQUESTS)}
        now += data.draw(st.sampled_from([0, 1000, 500_000]))
        error: TriptychError | None = None
        try:
            message = decode_request(msgspec.json.encode(sent), READ)
            assert isinstance(message, CommandMessage)
            state = step(state, Command(player, message.action, name=player), now, rng)
        except (ApiError, TableError) as refused:
            error = refused
        assert error is None or (error.code and error.message and error.path.startswith("$"))


def tasks_of(state: TableState, player: str) -> tuple[Task, ...]:
    deal = view(state, player).deal
    return deal.tasks if deal else ()


@settings(max_examples=examples(500))
@given(
    st.one_of(
        st.binary(max_size=60),
        st.text(max_size=60),
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.text(max_size=5),
            lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=5), inside, max_size=4),
        ).map(msgspec.json.encode),
    )
)
def test_reading_ends_in_a_message_or_a_refusal(sent: bytes | str) -> None:
    with contextlib.suppress(ApiError):
        assert isinstance(decode_request(sent, READ), ClientMessage)
