"""Games that the browsers' kernel plays by itself: the deal engine's turns and points, and the levels' own choices.

Issue 14: what a deal played wholly in the browser rests on. Rules §2 to 5 are the engine's; its cards are given to
both.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from tests.case_sample import sample_cases
from tests.web_kernel.host import RefusedError, WebKernel, browser_bundle, u32
from tests.web_kernel.solo import DISCARD, SoloGame, Twin
from triptych.bots.learned.bot import LearnedBot, SearchSettings
from triptych.bots.levels import SEARCH_SETTINGS
from triptych.bots.untrained.typical_boards import typical_boards
from triptych.cards import Card, card_text
from triptych.deal.seeding import seeded_deck
from triptych.deal.state import HandStart
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import fantasyland_sizes, is_closed
from triptych.solve.analysis.decision import Decision
from triptych.solve.value.carried import rules_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from triptych.deal.actions import Place
    from triptych.rulesets.model import Ruleset

GAMES = 170  # of each open preset
OFTEN = [(preset, 30) for preset in ("pineapple", "pineapple_joker", "turbo", "ofc_27")]
OPEN = [name for name in preset_names() if not is_closed(resolve(name))]


@pytest.fixture(scope="module")
def web() -> Iterator[WebKernel]:
    with WebKernel() as kernel:
        yield kernel


def _starts(game: SoloGame) -> list[HandStart]:
    return [HandStart(hand.player, hand.fantasyland, hand.in_row) for hand in game.look()]


def _random_street(chance: Random, rows: Sequence[bytes], count: int, discard: int) -> bytes:
    free = [row for row, size in enumerate((3, 5, 5)) for _ in range(size - len(rows[row]))]
    chance.shuffle(free)
    actions = free[: count - discard] + [DISCARD] * discard
    chance.shuffle(actions)
    return bytes(actions)


def _fantasylands(rules: Ruleset, players: int, chance: Random) -> list[int]:
    sizes = [size for size in fantasyland_sizes(rules) if size * players <= 52]
    return [chance.choice(sizes) if sizes and chance.random() < 0.3 else 0 for _ in range(players)]


def test_thousands_of_games_are_played() -> None:
    assert GAMES * len(OPEN) >= 2000


@pytest.mark.parametrize(("preset", "games"), sample_cases([*OFTEN, *((preset, GAMES) for preset in OPEN)], OFTEN))
def test_random_games_agree_with_the_deal_engine(web: WebKernel, preset: str, games: int) -> None:
    """The same hands act, the same cards bring the same points and fantasylands; a deal's points add up to zero."""
    rules, chance = resolve(preset), Random(preset)
    number = web.keep("keep_rules", rules_bytes(rules))
    for at in range(games):
        seed = chance.getrandbits(64)
        players = chance.randint(rules.seats.min, min(rules.seats.max, 3))
        game = SoloGame(web, rules, number, players, seed, _fantasylands(rules, players, chance), first=at)
        while not _played(game, rules, seed, at, chance):
            pass
        game.drop()


def _played(game: SoloGame, rules: Ruleset, seed: int, first: int, chance: Random) -> bool:
    """Play a deal in both; tell whether the game has ended with it."""
    starts = _starts(game)
    twin = Twin(rules, seeded_deck(seed, first + game.deals - 1, rules.deal.jokers), starts)
    points = None
    while points is None:
        hands, turn = game.look(), game.turn
        hand = hands[turn]
        _, task = twin.question(turn)
        assert (len(task.cards), task.discard) == (hand.holds, hand.to_discard)
        actions = _random_street(chance, hand.rows, hand.holds, hand.to_discard)
        points = game.act(actions)
        twin.place(turn, hand.draws, actions)
    assert twin.is_over
    assert sum(points) == 0
    assert dict(enumerate(points)) == twin.totals()
    after = game.look()
    fantasylands = (
        {} if game.is_over else {hand.player: (hand.fantasyland, hand.in_row) for hand in after if hand.fantasyland}
    )
    assert fantasylands == twin.fantasylands()
    return bool(game.is_over)


def test_a_looker_sees_what_the_engines_viewer_sees(web: WebKernel) -> None:
    """Rules §2: another's draws and discards never, nor the rows of a fantasyland before the showdown."""
    rules, chance = resolve("pineapple"), Random(8)
    number = web.keep("keep_rules", rules_bytes(rules))
    for seed in range(40):
        game = SoloGame(web, rules, number, 2, seed, _fantasylands(rules, 2, chance))
        points = None
        while points is None:
            hands, turn = game.look(), game.turn
            for viewer in range(2):
                for hand, all_of_it in zip(game.look(viewer), hands, strict=True):
                    own = hand.player == viewer
                    assert hand.draws == (all_of_it.draws if own else b"")
                    assert hand.discards == (all_of_it.discards if own else b"")
                    hides = not own and all_of_it.face_down
                    assert hand.laid == (() if hides else all_of_it.laid)
                    lying = tuple(map(len, hand.rows))
                    assert hand.fantasyland or hides or hand.laid[-1:] == ((lying,) if any(lying) else ())
                    assert hand.rows == tuple(bytes([255] * len(row)) if hides else row for row in all_of_it.rows)
            points = game.act(_random_street(chance, hands[turn].rows, hands[turn].holds, hands[turn].to_discard))
        game.drop()


EFFORT = SearchSettings(width=16, rollouts=400)  # as `strong`, of which it is too much to play whole games
LEVELS: Mapping[str, tuple[SearchSettings, int]] = {
    "fast": (SEARCH_SETTINGS["fast"], 9),
    "medium": (SEARCH_SETTINGS["medium"], 2),
    "strong": (EFFORT, 2),
}
# Preset, players, and of how many of a level's deals one is played.
CASES = [("pineapple_joker", 2, 2)] + [
    (preset, players, 1)
    for preset, players in (
        ("pineapple", 2),
        ("pineapple_joker", 2),
        ("pineapple_27", 3),
        ("turbo", 2),
        ("ofc_american", 3),
    )
]


@pytest.mark.parametrize("name", LEVELS)
@pytest.mark.parametrize(("preset", "players", "share"), sample_cases(CASES, CASES[:1]))
def test_the_levels_choose_as_the_servers_do(
    web: WebKernel, preset: str, players: int, share: int, name: str
) -> None:
    """The same street and seed, the same placement; fantasylands too."""
    rules, chance = resolve(preset), Random(name)
    (effort, deals), typical = LEVELS[name], typical_boards(rules)
    bot = LearnedBot(name, effort)
    number, player = web.keep("keep_rules", rules_bytes(rules)), web.keep("keep_player", browser_bundle(rules) or b"")
    worths = struct.pack("<67d", *typical.fantasyland_values, *typical.front, *typical.middle, *typical.back)
    for seed in range(deals // share):
        game = SoloGame(web, rules, number, players, seed, _fantasylands(rules, players, chance))
        twin = Twin(rules, seeded_deck(seed, 0, rules.deal.jokers), _starts(game))
        points = None
        while points is None:
            hands, turn = game.look(), game.turn
            deal_view, task = twin.question(turn)
            if hands[turn].fantasyland:
                actions = web.ask("solo_set", u32(game.number), worths)
            else:
                head = u32(game.number, player, effort.width, effort.rollouts, effort.lookahead)
                decision = Decision.from_view(rules, deal_view, task)
                actions = web.ask("solo_choose", head, struct.pack("<dQ", 0.0, decision.seed))
            chosen: Any = bot.choose(rules, deal_view, task, 1000)
            twin.place(turn, hands[turn].draws, actions)
            assert _rows(chosen) == [sorted(_cards(hands[turn].draws, actions, row)) for row in range(3)]
            points = game.act(actions)
        game.drop()
    web.ask("drop", u32(player))


UNTOLD = 1  # of two hands


def test_an_order_that_was_not_sent_is_not_believed(web: WebKernel) -> None:
    """A game that began at a written position without it: both hands choose as who does not know it."""
    rules = resolve("pineapple")
    bot, effort = LearnedBot("strong", EFFORT), EFFORT
    number, player = web.keep("keep_rules", rules_bytes(rules)), web.keep("keep_player", browser_bundle(rules) or b"")
    game = SoloGame(web, rules, number, 2, 4, untold=1 << UNTOLD)
    twin = Twin(rules, seeded_deck(4, 0, rules.deal.jokers), _starts(game))
    others, points = 0, None
    while points is None:
        hands, turn = game.look(), game.turn
        orders = [hand.laid for hand in hands]
        assert orders[UNTOLD] == ()
        assert orders[0] == twin.state.hands[0].laid
        deal_view, task = twin.question(turn)
        hidden = replace(
            deal_view, boards=tuple(replace(board, laid=orders[board.hand]) for board in deal_view.boards)
        )
        decision = Decision.from_view(rules, hidden, task)
        others += decision.street_orders != Decision.from_view(rules, deal_view, task).street_orders
        head = u32(game.number, player, effort.width, effort.rollouts, effort.lookahead)
        actions = web.ask("solo_choose", head, struct.pack("<dQ", 0.0, decision.seed))
        chosen: Any = bot.choose(rules, hidden, task, 1000)
        assert _rows(chosen) == [sorted(_cards(hands[turn].draws, actions, row)) for row in range(3)]
        twin.place(turn, hands[turn].draws, actions)
        points = game.act(actions)
    assert others > 2
    game.drop()
    with pytest.raises(RefusedError, match="there is no such hand"):
        SoloGame(web, rules, number, 2, 4, untold=4)
    web.ask("drop", u32(player))


def _rows(chosen: Place) -> list[list[str]]:
    return [sorted(row) for row in (chosen.layout.front, chosen.layout.middle, chosen.layout.back)]


def _cards(draws: bytes, actions: bytes, row: int) -> list[str]:
    return [card_text(Card(card)) for card, action in zip(draws, actions, strict=True) if action == row]


def test_the_clients_levels_are_the_servers() -> None:
    """client/src/features/solo/model/match.ts names the same limits as bots/levels.py."""
    text = (Path(__file__).parents[2] / "client/src/features/solo/model/match.ts").read_text("utf-8")
    line = r"(\w+): \{ width: ([\d_]+), rollouts: ([\d_]+), lookahead: (true|false), noise: ([\d.]+) \}"
    levels = {
        name: SearchSettings(int(width), int(rollouts), lookahead == "true", noise=float(noise))
        for name, width, rollouts, lookahead, noise in re.findall(line, text)
    }
    assert levels == {
        name: replace(SEARCH_SETTINGS[name], closed_noise=0.0) for name in ("novice", "fast", "medium", "strong")
    }


def test_a_wrong_street_is_refused_and_changes_nothing(web: WebKernel) -> None:
    rules = resolve("pineapple")
    number = web.keep("keep_rules", rules_bytes(rules))
    game = SoloGame(web, rules, number, 2, 5)
    before = game.look()[0].draws
    for wrong in (b"\0\0\0\0\1", b"\0\0\1\1", b"\0\0\1\1\3", b"\0\0\1\1\7"):
        with pytest.raises(RefusedError):
            game.act(wrong)
        assert game.look()[0].draws == before
    with pytest.raises(RefusedError, match="no fantasyland"):
        web.ask("solo_set", u32(game.number), bytes(67 * 8))
    assert game.act(b"\0\1\2\2\2") is None
