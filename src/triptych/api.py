"""The public API of `import triptych`: functions that convert their input and call the other packages.

Cards, boards, rules and histories are given as text or as objects. Errors are TriptychErrors with a code, a message
and the path of the wrong value.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias, get_args

from numpy.typing import NDArray

from triptych.arena.match import Plan, make_entrants, play_in_process
from triptych.arena.match import verify_plan as _verify_plan
from triptych.arena.report import MatchResult, match_result
from triptych.arena.tally import MatchAccumulator
from triptych.arguments import MAX_SEED, ArgumentError, choice, describe_value, mapping, plain, switch, whole_number
from triptych.board import ROWS, Board
from triptych.bots.levels import Bot, get_level, is_bot
from triptych.bots.strategy_cache import ensure_strategy
from triptych.cards import CardError, cards_text, verify_unique
from triptych.deal.view_types import DealView, Stacks
from triptych.errors import TriptychError
from triptych.game.deal import Deal
from triptych.game.many import Scores, score_boards
from triptych.game.match import Match
from triptych.game.placements import LegalPlacements, Placement
from triptych.game.rank import Rank, known_rank, rank_of_cards
from triptych.game.score import Score, money_from_input, score_from_request
from triptych.inputs import (
    BoardLike,
    CardsLike,
    boards_from_input,
    cards_from_input,
    fantasyland_value_from_input,
    history_from_input,
    history_from_text,
    max_error_from_input,
    rows_from_input,
    stacks_from_input,
)
from triptych.notation.history.model import History
from triptych.notation.position import Position, position_from_view
from triptych.rules_input import RulesLike, rules
from triptych.rulesets.catalog import preset_names
from triptych.rulesets.model import Ruleset
from triptych.scoring.jsonl.request import parse_request as _read_request
from triptych.scoring.partial import row_bounds
from triptych.scoring.settle import Amount
from triptych.solve.analysis.analyse import Analysis, SearchBudget
from triptych.solve.analysis.analyse import analyse as _analyse
from triptych.solve.analysis.players import GroupBy, PlayerRate, player_rates
from triptych.solve.analysis.review import Review
from triptych.solve.analysis.review import review as _review
from triptych.solve.closed.settings import ClosedSolution
from triptych.solve.closed.settings import solve_closed as _closed
from triptych.solve.exact.fantasyland import fantasyland as _fantasyland
from triptych.solve.exact.outs import MAX_DRAWS, Outs
from triptych.solve.exact.outs import outs as _outs
from triptych.solve.exact.setting import MAX_AGAINST, FantasylandValue, Setting, verify_rows, verify_seed

__all__ = [
    "Board",
    "Bot",
    "Deal",
    "LegalPlacements",
    "Match",
    "Placement",
    "Rank",
    "Ruleset",
    "Score",
    "Scores",
    "TriptychError",
    "analyse",
    "can_still_be_legal",
    "error_rates",
    "make_bot",
    "outs",
    "play_match",
    "presets",
    "rank",
    "read_history",
    "review",
    "rules",
    "score",
    "score_many",
    "solve_closed",
    "solve_fantasyland",
]

HistoryLike: TypeAlias = "History | Deal | str | os.PathLike[str]"
FRONT_CARDS: Final = 3
_BY: Final[tuple[GroupBy, ...]] = get_args(GroupBy)
MAX_DEALS: Final = 10_000_000
_MAX_PLACEMENTS: Final = 100_000  # more than any street has


def presets() -> tuple[str, ...]:
    """Return the names of the presets, the default one first: each is a game for `rules`.

    >>> presets()[0]
    'pineapple'
    """
    return preset_names()


def rank(cards: CardsLike, /, *, low: bool = False) -> Rank:
    """Return the rank of three cards (a front) or five; jokers stand for the cards that make the highest rank.

    `low`: five cards as a deuce-to-seven low, where the higher rank is the better low.
    Raises CardError (`cards.count`, `card.duplicate`), ArgumentError.

    >>> rank("AsKsQsJsTs") > rank("9h9d9c9s2c")
    True
    >>> rank("QhQd7c"), rank("AhAdX1"), rank("8c6d4h3s2c", low=True)
    (<Rank Pair of queens>, <Rank Three aces>, <Rank 8-6-4-3-2 low>)
    """
    if not low and cards is not None and (result := known_rank(cards)):  # type: ignore[redundant-expr]
        return result
    row = cards_from_input(cards, "$")
    if len(row) not in (3, 5) or (low and len(row) == FRONT_CARDS):
        expected = "five cards have a rank as a low" if low else "three or five cards have a rank"
        raise CardError("cards.count", f"{expected}, not {len(row)}", 0)
    verify_unique(row)
    return rank_of_cards(row, low=low)


def score(
    boards: Mapping[str, BoardLike | Mapping[str, object]],
    rules: RulesLike = "pineapple",
    *,
    stakes: Mapping[str, Amount] | None = None,
    stacks: Mapping[str, Amount] | None = None,
    owners: Mapping[str, str] | None = None,
    order: Sequence[str] | None = None,
) -> Score:
    """Return the score of two to four players' boards; the last player has the button.

    `boards`: front/middle/back by name, or a mapping as the scoring contract takes it (docs, scoring: `surrender`,
    `natural`, `fantasyland`). `stakes` by pair (`"Ann-Bob": 10`, `"default": 1`); `stacks` by name, for table stakes;
    `owners` of the boards of criss-cross; `order` of the seats, the button last, by default that of `boards`.
    Raises JsonInputError, BoardError, RulesError, ArgumentError.

    >>> deal = score({"Ann": "QhQd7c/KsKc9d8c2c/AcAdTcJc2d", "Bob": "9h6c5d/9s9c8d7h2h/KdKhTdJs3d"})
    >>> deal
    <Score Ann +13, Bob -13>
    >>> deal.royalties["Ann"], deal.sheet.pairs[0].scoop.why
    ({'front': 7, 'middle': 0, 'back': 0}, 'Ann won all three rows')
    """
    if not isinstance(boards, Mapping):
        raise ArgumentError(
            "value.type", f"expected boards by player's name, not {describe_value(boards)}", "$.players"
        )
    document: dict[str, object] = {
        "players": {_name(name): _player(board, f"$.players.{name}") for name, board in boards.items()}
    }
    document |= money_from_input(stakes, stacks)
    if owners is not None:
        document["owners"] = mapping(owners, "$.owners", "a mapping of the owner's name by the board's")
    if order is not None:
        document["order"] = plain(order)
    return score_from_request(_read_request(document, _read(rules)))


def score_many(
    boards: Mapping[str, Sequence[BoardLike]] | NDArray[Any],
    rules: RulesLike = "pineapple",
    *,
    fantasyland: Mapping[str, Any] | None = None,
) -> Scores:
    """Return the scores of many deals as arrays: a hundred thousand in a fraction of a second.

    `boards`: by player's name a column (list, array, series) of boards, or of 13 card numbers each; or an array
    (deals, players, 13) of card numbers. The last player has the button. `fantasyland`: by name the cards of this
    deal's fantasyland, one number or one a deal. Boards only: no surrender, royalties count as declared.
    Raises BoardError, RulesError, ArgumentError.

    >>> scores = score_many({"Ann": ["QhQd7c/KsKc9d8c2c/AcAdTcJc2d"], "Bob": ["9h6c5d/9s9c8d7h2h/KdKhTdJs3d"]})
    >>> scores
    <Scores of 1 deals: Ann, Bob>
    >>> scores.totals.tolist(), scores.columns()["Ann royalties"].tolist()
    ([[13, -13]], [7])
    """
    return score_boards(boards, _read(rules), fantasyland)


def can_still_be_legal(board: BoardLike, rules: RulesLike = "pineapple") -> bool:
    """Return whether a board of 0 to 13 cards is not yet a certain foul; for a full board, whether it is legal.

    Each row is checked by itself with all cards that are not on the board; two rows that need the same card are
    detected only when it is placed. Raises BoardError, RulesError, ArgumentError.

    >>> can_still_be_legal("AhAdAs//2c3d"), can_still_be_legal("AhAdAs/2c3d5h7s9c/")
    (True, False)
    """
    resolved = _read(rules)
    rows = rows_from_input(board, "$")
    verify_rows(resolved, rows, "$", set(), whole=False)
    return not row_bounds(resolved, *rows)[1]


def solve_fantasyland(
    cards: CardsLike,
    rules: RulesLike = "pineapple",
    *,
    against: Sequence[BoardLike] = (),
    repeat_value: FantasylandValue = 0.0,
    in_row: int = 1,
) -> Setting:
    """Return the best setting of 13 to 17 cards, exact: royalties alone, or all points against finished boards.

    `repeat_value`: points of repeating. Raises SolveError, CardError, BoardError, RulesError, ArgumentError.

    >>> solve_fantasyland("AhAdAcKhKdQsQc9c8c7c6c5c2d2s").repeat
    True
    """
    boards = boards_from_input(against, "$.against")
    return _fantasyland(
        cards_from_input(cards, "$.cards"),
        _read(rules),
        against=boards,
        repeat_value=fantasyland_value_from_input(repeat_value, "$.repeat_value"),
        in_row=_whole(in_row, "$.in_row"),
    )


def solve_closed(
    cards: CardsLike,
    rules: RulesLike = "closed_1_6",
    *,
    against: Sequence[BoardLike] = (),
    opponents: int = 1,
    top: int = 1,
    nearest: bool = False,
) -> ClosedSolution:
    """Return the `top` best settings of 13 cards: exact `against` boards, else against good players.

    For custom rules without a strategy one is trained on first use, in less than a minute of processor time, and
    saved in the user's cache; `nearest` uses that of the nearest rules instead. The result's `strategy` names it.

    Raises SolveError, CardError, BoardError, RulesError, ArgumentError.

    >>> solve_closed("AhAdAcKhKdQsQc9c8c7c6c2d2s").advice
    'set'
    """
    boards = boards_from_input(against, "$.against")
    hand = cards_from_input(cards, "$.cards")
    resolved = _read(rules)
    opponents, top = _whole(opponents, "$.opponents"), _whole(top, "$.top")
    needs_strategy = not (switch(nearest, "$.nearest") or boards) and 1 <= opponents <= MAX_AGAINST
    strategy = ensure_strategy(resolved, opponents) if needs_strategy else None
    return _closed(hand, resolved, against=boards, opponents=opponents, top=top, strategy=strategy)


def outs(
    board: BoardLike,
    rules: RulesLike = "pineapple",
    *,
    dead: CardsLike = (),
    draws: int | None = None,
    seed: int = 0,
) -> Outs:
    """Return the categories that each row of a board between two streets can reach, and its chance to stay legal.

    `dead`: cards that cannot come. `draws`: how many are sampled where counting all is more work; by default what
    takes ten milliseconds. Raises SolveError, CardError, BoardError, RulesError, ArgumentError.

    >>> outs("QhQd/9d8c2c5s/Tc9cJc8h7s").cards_to_come
    3
    """
    if draws is not None:
        draws = whole_number(draws, "$.draws", 1, MAX_DRAWS)
    dead_cards = cards_from_input(dead, "$.dead")
    return _outs(rows_from_input(board, "$"), _read(rules), dead=dead_cards, draws=draws, seed=_seed(seed))


def analyse(
    position: Position | DealView | Deal | str,
    rules: RulesLike | None = None,
    *,
    error: float = 0.1,
    top: int = 4,
    hand: int | None = None,
    seed: int = 1,
    stacks: Stacks | Sequence[int] | None = None,
) -> Analysis:
    """Return what every placement of the hand to act is worth, the `top` best to a standard error in points.

    `position`: one line, `*Kd/7s7h3c/AhAd2c +Qc4s9h -2d | Th/8c8d5s/TcJcQd` (docs: notation), a player's view, or a
    deal, of which only the view of the player to act is used. `rules`: by default those of the deal, else
    `pineapple`. The same seed gives the same result. `stacks`: the stacks of all hands, which bound payments; without
    them there are no bounds. `error`: 0.001 to 1000. Raises SolveError, NotationError, RulesError, ArgumentError.

    >>> analyse("*Kd/7s7h3c2c/AhAd2d9s +Qc4s9h -Th8d | 8h/6c6d5h9c/JsJdTs8c").street
    4
    """
    if rules is None:
        rules = position.rules if isinstance(position, Deal) else "pineapple"
    return _analyse(
        _position(position, hand),
        _read(rules),
        SearchBudget(max_error=max_error_from_input(error), top=whole_number(top, "$.top", 1, _MAX_PLACEMENTS)),
        hand=None if hand is None else _whole(hand, "$.hand"),
        seed=_seed(seed),
        stacks=stacks_from_input(stacks),
    )


def review(history: HistoryLike, *, error: float = 0.15, seed: int = 1) -> Review:
    """Return the loss of each placement of a played deal.

    `history`: a deal, its history, its text, or the path of a file. Raises SolveError, NotationError, ArgumentError.
    """
    budget, seed = SearchBudget(max_error=max_error_from_input(error)), _seed(seed)
    return _review(_history(history), budget, seed=seed)


def error_rates(
    *histories: HistoryLike, by: GroupBy = "all", error: float = 0.3, seed: int = 1
) -> tuple[PlayerRate, ...]:
    """Return the error rates of the players in some deals: points lost a decision, by name and group.

    `by`: all together, or by street, deal, table, week or game. Raises as `review`.
    """
    by, budget, seed = choice(by, "$.by", _BY), SearchBudget(max_error=max_error_from_input(error)), _seed(seed)
    deals = [_history(history) for history in histories]
    return tuple(player_rates([(history, _review(history, budget, seed=seed)) for history in deals], by))


def read_history(text: str | os.PathLike[str]) -> History:
    """Return a deal's history from its text, or from the file at a path (a text that ends in `.toml` is one).

    Raises NotationError, ArgumentError; TriptychError `file.read` for a file that cannot be read.
    """
    return history_from_text(text)


def make_bot(level: str, seed: int = 1) -> Bot:
    """Return a bot of a level (`"fast"`, `"medium"`, `"strong"`, …); `triptych arena --help` lists them.

    Give it to `Deal.play_turn`, or call its `choose`. Raises LevelError, ArgumentError.

    >>> make_bot("random").name
    'random'
    """
    if not isinstance(level, str):
        raise ArgumentError("value.type", f"expected the name of a level, not {describe_value(level)}", "$.level")
    return get_level(level).factory(_seed(seed))


def play_match(*bots: Bot | str, rules: RulesLike = "pineapple", deals: int = 1, seed: int | str = 1) -> MatchResult:
    """Play bots against each other and return the result: every deck once in every seating.

    `bots`: levels (`"fast"`), programs (`"./mybot.py"`, `"cmd:python3 mybot.py"`) or objects with `choose`.
    Raises ArenaError, LevelError, RulesError, ArgumentError.

    >>> [bot.bot for bot in play_match("fast", "random", deals=2).bots]
    ['fast', 'random']
    """
    for index, bot in enumerate(bots):
        if not isinstance(bot, str) and not is_bot(bot):
            message = f"expected a level, a program or an object with `choose`, not {describe_value(bot)}"
            raise ArgumentError("value.type", message, f"$.bots[{index}]")
    entrants, objects = make_entrants(bots)
    deals = whole_number(deals, "$.deals", -MAX_DEALS, MAX_DEALS)
    name = seed if isinstance(seed, str) else str(_whole(seed, "$.seed"))
    plan = Plan(rules=_read(rules), entrants=entrants, deals=deals, seed=name)
    _verify_plan(plan)
    tally = MatchAccumulator(plan)
    for batch in play_in_process(plan, objects):
        tally.add(batch)
    return match_result(tally, "all")


def _read(value: RulesLike) -> Ruleset:
    """Return rules, in functions with a parameter named `rules`."""
    return rules(value)


def _position(value: object, hand: int | None) -> Position | str:
    if isinstance(value, Deal):
        return value.to_position(hand)
    if isinstance(value, DealView):
        return position_from_view(value)
    if isinstance(value, str | Position):
        return value
    raise ArgumentError("value.type", f"expected a position as one line, not {describe_value(value)}", "$.position")


def _history(value: HistoryLike) -> History:
    if isinstance(value, Deal):
        return value.history()
    return history_from_input(value)


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise ArgumentError("value.type", f"expected a player's name, not {describe_value(value)}", "$.players")
    return value


def _player(board: BoardLike | Mapping[str, object], path: str) -> dict[str, object]:
    """Return a board as the scoring contract takes it."""
    if isinstance(board, Mapping):
        return {key: plain(value) for key, value in board.items()}
    if isinstance(board, str) and board.count("/") == len(ROWS) - 1:
        return dict(zip(ROWS, board.split("/"), strict=True))
    return dict(zip(ROWS, map(cards_text, rows_from_input(board, path)), strict=True))


def _seed(value: object) -> int:
    seed = _whole(value, "$.seed")
    verify_seed(seed)
    return seed


def _whole(value: object, path: str) -> int:
    """Return a whole number; the called function checks its bounds. Raises ArgumentError."""
    return whole_number(value, path, -MAX_SEED, MAX_SEED)
