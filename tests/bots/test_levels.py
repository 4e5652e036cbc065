"""Every level plays every preset by the rules, avoids fouls at the end, and knows only what its seat may know.

Issue 2, part 7; issue 5, shown by 5.
"""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from tests.bots.play import BUDGET, begin, hands, played, question, shuffled
from tests.case_sample import sample_cases
from tests.rulesets.example_rules import example_ruleset
from triptych import _kernel
from triptych.board import ROWS, Board
from triptych.bots.levels import ALL_LEVELS, LOBBY_LEVELS, LevelError, get_level
from triptych.cards import Card, card_text, deck
from triptych.deal.actions import Place
from triptych.deal.project import view
from triptych.deal.state import DealState, finished
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.load import preset_names, resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from triptych.deal.view_types import BoardView

NAMES = [entry.name for entry in ALL_LEVELS]


def _deals(preset: str, count: int) -> Iterator[DealState]:
    rules = resolve(preset)
    most = rules.seats.max if rules.deal.game != "pineapple" else min(3, rules.seats.max)
    for seed in range(count):
        seats = 2 + seed % (most - 1)
        yield begin(rules, hands(rules, seats), shuffled(rules, seed))


# Every level plays every preset; those that think do so for long only in the slow suite.
CHEAP = ("random", "fast")
COMMON = ("pineapple", "closed_1_6")
# One of each kind of game: `fast` reads other weights for each.
OFTEN = ("pineapple_joker", "pineapple_27", "pineapple_progressive", "turbo", "ofc_american", "banker", "criss_cross")
PAIRS = [
    pytest.param(
        preset,
        name,
        marks=()
        if name == "random" or (name == "fast" and preset in OFTEN) or preset in COMMON
        else pytest.mark.slow,
    )
    for preset in preset_names()
    for name in NAMES
]


@pytest.mark.parametrize(("preset", "name"), PAIRS)
def test_every_level_plays_every_preset_by_the_rules(preset: str, name: str) -> None:
    """The engine refuses what is not legal, so a deal that ends was played by the rules."""
    bot = get_level(name).factory(7)
    for deal in _deals(preset, 2 if name in CHEAP and preset not in OFTEN else 1):
        *_, (_, _, _, last) = played([bot] * 4, deal)
        assert finished(last)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sizes", sample_cases([((14,),), ((17, 15),), ((14, 14, 14),)], [((17, 15),)]), ids=str)
def test_fantasylands_of_every_size(name: str, sizes: tuple[int, ...]) -> None:
    rules = resolve("pineapple_progressive")
    bot = get_level(name).factory(7)
    deal = begin(rules, hands(rules, 3, sizes), shuffled(rules, 1))
    *_, (_, _, _, last) = played([bot] * 3, deal)
    assert finished(last)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("rules", "sizes"),
    sample_cases(
        [("every_row", (0, 17)), ("royalties", (15, 13)), ("low_ladder", (0, 14))], [("every_row", (0, 17))]
    ),
)
def test_fantasylands_of_custom_rules(name: str, rules: str, sizes: tuple[int, ...]) -> None:
    """Lists of conditions that no preset has: every level plays by them (Rules §5)."""
    bot = get_level(name).factory(7)
    deal = begin(example_ruleset(rules), hands(example_ruleset(rules), 2, sizes), shuffled(example_ruleset(rules), 2))
    *_, (_, _, _, last) = played([bot] * 2, deal)
    assert finished(last)


def _is_legal(state: DealState, board: Board) -> bool:
    rules = compile_rules(state.rules)
    return _kernel.offending_rows(rules, *_kernel.row_values(rules, bytes(board.cards))) == 0


def _whole_boards(state: DealState, hand: int) -> Iterator[Board]:
    """Yield every board that the last street's cards can make."""
    held = state.hands[hand]
    free = [row for row in ROWS for _ in range(held.board.free_slots(row))]
    for chosen in permutations(held.drawn, len(free)):
        yield held.board.merged(
            Board(*(tuple(card for card, row in zip(chosen, free, strict=True) if row == name) for name in ROWS))
        )


@pytest.mark.parametrize(
    ("preset", "deals"),
    [
        ("pineapple", 4),
        ("turbo", 4),
        ("ofc_american", 2),
        ("pineapple_27", 2),
        *(pytest.param(preset, 4, marks=pytest.mark.slow) for preset in ("ofc_american", "pineapple_27")),
        pytest.param("pineapple_joker", 4, marks=pytest.mark.slow),
    ],
)
def test_steady_does_not_foul_on_the_last_street_when_it_can_help_it(preset: str, deals: int) -> None:
    """By enumeration of every layout of the last street with the scorer alone (issue 2, part 7)."""
    bots = [get_level("steady").factory(0), *[get_level("random").factory(3)] * 3]
    fouls = checked = 0
    for deal in _deals(preset, deals):
        for before, task, action, following in played(bots, deal):
            held = before.hands[task.hand]
            if held.seat != 0 or not isinstance(action, Place) or held.street + 1 < len(held.streets):
                continue
            checked += 1
            if not _is_legal(before, following.hands[task.hand].board):
                fouls += 1
                assert not any(_is_legal(before, board) for board in _whole_boards(before, task.hand))
    assert checked == deals
    assert fouls < checked


@pytest.mark.parametrize("name", [name for name in NAMES if name != "random"])
@pytest.mark.parametrize("preset", ["pineapple", "closed_1_6", "pineapple_progressive"])
def test_a_choice_does_not_depend_on_cards_hidden_from_the_seat(preset: str, name: str) -> None:
    """Cards of other seats that lie hidden, and the rest of the deck, are exchanged at random."""
    bot = get_level(name).factory(1)
    rules = resolve(preset)
    sizes = (14,) if preset == "pineapple_progressive" else ()
    exchanged = 0
    deal = begin(rules, hands(rules, 2, sizes), shuffled(rules, 0))
    for before, task, action, _ in played([bot, bot], deal):
        other = _exchanged(before, before.hands[task.hand].seat, Random(0))
        exchanged += other != before
        deal_view, pending_task = question(other)
        assert bot.choose(rules, deal_view, pending_task, BUDGET) == action
    assert exchanged > 0


def _exchanged(state: DealState, seat: int, random: Random) -> DealState:
    """Return the state with all cards that `seat` may not know shuffled among themselves."""
    visible = {text for board in view(state, seat).boards for text in _texts(board)}
    hidden = [card for card in deck(state.rules.deal.jokers) if card_text(card) not in visible]
    to = dict(zip(hidden, random.sample(hidden, len(hidden)), strict=True))

    def other(cards: Iterable[Card]) -> tuple[Card, ...]:
        return tuple(to.get(card, card) for card in cards)

    changed = [
        replace(
            hand,
            board=Board(*map(other, (hand.board.front, hand.board.middle, hand.board.back))),
            drawn=other(hand.drawn),
            discards=other(hand.discards),
        )
        for hand in state.hands
    ]
    return replace(state, hands=tuple(changed), deck=other(state.deck))


def _texts(board: BoardView) -> tuple[str, ...]:
    return (*board.front.cards, *board.middle.cards, *board.back.cards, *board.draws, *board.discards)


def test_an_unknown_level_is_named() -> None:
    with pytest.raises(LevelError) as caught:
        get_level("nobody")
    assert (caught.value.code, caught.value.path) == ("level.unknown", "$.level")
    assert "steady" in caught.value.message


def test_the_lobby_offers_the_ladder_and_the_arena_the_yardsticks_too() -> None:
    """Every step of the ladder is measured (docs: how-bots-learn); `steady` stands beside `fast`, so it is none."""
    assert [entry.name for entry in LOBBY_LEVELS] == ["random", "novice", "fast", "medium", "strong"]
    assert {entry.name for entry in ALL_LEVELS} - {entry.name for entry in LOBBY_LEVELS} == {
        "guide",
        "base",
        "steady",
        "hindsight",
        "hindsight_all",
    }


def test_levels_have_words_for_the_lobby() -> None:
    assert len({entry.name for entry in ALL_LEVELS}) == len(ALL_LEVELS)
    assert all(entry.title and entry.note for entry in ALL_LEVELS)
