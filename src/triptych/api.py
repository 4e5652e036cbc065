"""The front door: what `import triptych` offers, each function over the room that does the work.

Cards, boards, rules and histories are taken as text or as the objects that text is read into; what goes wrong is a
TriptychError with a code, a message and the path of the fault.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from triptych import _kernel
from triptych.arena.match import Plan
from triptych.arena.match import verify_plan as _verify_plan
from triptych.arena.report import Outcome, outcome
from triptych.arena.tally import Tally
from triptych.arena.within import entrants_of, played_by
from triptych.board import ROWS, Board, parse_board
from triptych.bots.fields import own_field
from triptych.bots.levels import Bot
from triptych.cards import Card, CardError, cards_text, is_joker, parse_cards, verify_unique
from triptych.deal.stacks import Stacks
from triptych.errors import TriptychError
from triptych.files import read_text
from triptych.house import RulesLike, rules
from triptych.notation.history.model import History
from triptych.notation.history.read import parse_history
from triptych.rules.model import Ruleset
from triptych.score.evening import evening_deal_of
from triptych.score.lines.answer import answer_request
from triptych.score.lines.request import read as _read_request
from triptych.score.settle import Amount
from triptych.score.sheet.names import rank_name
from triptych.score.sheet.shapes import ScoreSheet
from triptych.solve.analysis.analyse import Analysis, Budget
from triptych.solve.analysis.analyse import analyse as _analyse
from triptych.solve.analysis.players import By, PlayerRate, rates
from triptych.solve.analysis.review import Review
from triptych.solve.analysis.review import review as _review
from triptych.solve.closed.settings import ClosedAnswer
from triptych.solve.closed.settings import closed as _closed
from triptych.solve.exact.fantasyland import fantasyland as _fantasyland
from triptych.solve.exact.outs import Outs
from triptych.solve.exact.outs import outs as _outs
from triptych.solve.exact.setting import LandValue, Rows, Setting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from triptych.notation.position import Position

__all__ = [
    "Bot",
    "Rank",
    "Ruleset",
    "Score",
    "TriptychError",
    "analyse",
    "closed",
    "fantasyland",
    "outs",
    "play",
    "rank",
    "rate",
    "read_history",
    "review",
    "rules",
    "score",
]

CardsLike: TypeAlias = "str | Sequence[Card]"
BoardLike: TypeAlias = "str | Board | Rows"


class Rank(Struct, frozen=True, order=True):
    """What three or five cards are worth under high rules: compare two with `<` and `==`. `name`: in words."""

    value: int
    name: str

    def __repr__(self) -> str:
        return f"<Rank {self.name}>"


class Score(Struct, frozen=True):
    """A scored deal by name: points in all, by pair, of royalties; who is legal; cards of the next fantasyland.

    `totals` are after stakes and before caps, `stacks` after both (None where none were given). `sheet` tells what
    every point was paid for.
    """

    totals: dict[str, Amount]
    pairs: dict[str, Amount]
    royalties: dict[str, dict[str, int]]
    legal: dict[str, bool]
    fantasyland: dict[str, int]
    stacks: dict[str, Amount] | None
    sheet: ScoreSheet

    def __repr__(self) -> str:
        return f"<Score {', '.join(f'{name} {points:+g}' for name, points in self.totals.items())}>"

    def _repr_html_(self) -> str:
        return self.sheet._repr_html_()


def rank(cards: CardsLike, /) -> Rank:
    """Return what three cards (a front) or five are worth. Raises CardError (`cards.count`, `card.joker`, …).

    >>> rank("AsKsQsJsTs") > rank("9h9d9c9s2c")
    True
    >>> rank("QhQd7c")
    <Rank Pair of queens>
    """
    found = _cards(cards)
    if len(found) not in (3, 5):
        raise CardError("cards.count", f"three or five cards have a rank, not {len(found)}", 0)
    verify_unique(found)
    for index, card in enumerate(found):
        if is_joker(card):
            raise CardError("card.joker", "what a joker stands for depends on the rules and the board", index)
    value = _kernel.rank3(*found) if len(found) == 3 else _kernel.rank5(*found)
    return Rank(value, rank_name(value))


def score(
    boards: Mapping[str, BoardLike | Mapping[str, object]], rules: RulesLike = "pineapple", **more: object
) -> Score:
    """Return what two to four players win from each other; the last one named is the button.

    `boards`: front/middle/back by name, or a table as the scoring contract takes it (docs/scoring.md: `surrender`,
    `natural`, `fantasyland`). `more`: `stakes`, `stacks`, `owners`, `order` of the same contract.
    Raises LineError, RulesError.

    >>> found = score({"Ann": "QhQd7c/KsKc9d8c2c/AcAdTcJc2d", "Bob": "9h6c5d/9s9c8d7h2h/KdKhTdJs3d"})
    >>> found
    <Score Ann +13, Bob -13>
    >>> found.royalties["Ann"], found.sheet.pairs[0].scoop.why
    ({'front': 7, 'middle': 0, 'back': 0}, 'Ann won all three rows')
    """
    players = {name: _player(board, f"$.players.{name}") for name, board in boards.items()}
    request = _read_request({"players": players, **more}, _read(rules))
    found = answer_request(request)
    return Score(**found, **({} if "stacks" in found else {"stacks": None}), sheet=evening_deal_of(request).sheet)  # type: ignore[arg-type]


def fantasyland(
    cards: CardsLike,
    rules: RulesLike = "pineapple",
    *,
    against: Sequence[BoardLike] = (),
    repeat_value: LandValue = 0.0,
    in_row: int = 1,
) -> Setting:
    """Return the best setting of 13 to 17 cards, exact: royalties alone, or against finished boards all they pay.

    `repeat_value`: points of repeating. Raises SolveError, CardError, BoardError, RulesError.

    >>> fantasyland("AhAdAcKhKdQsQc9c8c7c6c5c2d2s").repeat
    True
    """
    boards = tuple(_rows(board, f"$.against[{index}]") for index, board in enumerate(against))
    return _fantasyland(_cards(cards), _read(rules), against=boards, repeat_value=repeat_value, in_row=in_row)


def closed(
    cards: CardsLike,
    rules: RulesLike = "closed_1_6",
    *,
    against: Sequence[BoardLike] = (),
    opponents: int = 1,
    top: int = 1,
    nearest: bool = False,
) -> ClosedAnswer:
    """Return the `top` best settings of 13 cards: exact `against` boards, else against good players.

    For rules of your own that have no strategy yet one is made the first time, in less than a minute of processor
    time, and kept in the user's cache; `nearest` takes that of the nearest rules instead. The answer's `strategy`
    says whose it is.

    Raises SolveError, CardError, BoardError, RulesError.

    >>> closed("AhAdAcKhKdQsQc9c8c7c6c2d2s").advice
    'set'
    """
    boards = tuple(_rows(board, f"$.against[{index}]") for index, board in enumerate(against))
    read = _read(rules)
    field = None if nearest or against else own_field(read, opponents)
    return _closed(_cards(cards), read, against=boards, opponents=opponents, top=top, field=field)


def outs(board: BoardLike, rules: RulesLike = "pineapple", *, dead: CardsLike = (), seed: int = 0) -> Outs:
    """Return what each row of a board between two streets can still become, and whether it can stay legal.

    `dead`: cards that cannot come. Raises SolveError, CardError, BoardError, RulesError.

    >>> outs("QhQd/9d8c2c5s/Tc9cJc8h7s").come
    3
    """
    return _outs(_rows(board, "$"), _read(rules), dead=_cards(dead), seed=seed)


def analyse(
    position: Position | str,
    rules: RulesLike = "pineapple",
    *,
    error: float = 0.1,
    top: int = 4,
    hand: int | None = None,
    seed: int = 1,
    stacks: Stacks | Sequence[int] | None = None,
) -> Analysis:
    """Return what every placement of the hand to act is worth, the `top` best to a standard error in points.

    `position`: one line, `*Kd/7s7h3c/AhAd2c +Qc4s9h -2d | Th/8c8d5s/TcJcQd` (docs/notation.md). The same seed gives
    the same answer. `stacks`: what every hand brought, which bounds what is paid; without them all is paid.
    Raises SolveError, NotationError, RulesError.

    >>> analyse("*Kd/7s7h3c2c/AhAd2d9s +Qc4s9h -Th8d | 8h/6c6d5h9c/JsJdTs8c").street
    4
    """
    brought = stacks if stacks is None or isinstance(stacks, Stacks) else Stacks(tuple(stacks))
    return _analyse(position, _read(rules), Budget(error=error, best=top), hand=hand, seed=seed, stacks=brought)


def review(history: History | str | Path, *, error: float = 0.15, seed: int = 1) -> Review:
    """Return what each placement of a played deal cost. Raises SolveError, NotationError."""
    found = history if isinstance(history, History) else read_history(history)
    return _review(found, Budget(error=error), seed=seed)


def rate(
    *histories: History | str | Path, by: By = "all", error: float = 0.3, seed: int = 1
) -> tuple[PlayerRate, ...]:
    """Return how well the players of some deals play: points lost a decision, by name and group.

    `by`: all together, or by street, deal, table, week or game. Raises SolveError, NotationError.
    """
    found = [one if isinstance(one, History) else read_history(one) for one in histories]
    return tuple(rates([(one, _review(one, Budget(error=error), seed=seed)) for one in found], by))


def read_history(text: str | Path) -> History:
    """Return a deal's history from its text, or from the file at a Path. Raises NotationError, OSError."""
    return parse_history(read_text(text) if isinstance(text, Path) else text)


def play(*bots: Bot | str, rules: RulesLike = "pineapple", deals: int = 1, seed: int | str = 1) -> Outcome:
    """Play bots against each other and return what it came to: every deck once in every seating.

    `bots`: levels (`"fast"`), programs (`"./mybot.py"`, `"cmd:python3 mybot.py"`) or objects with `choose`.
    Raises ArenaError, LevelError, RulesError.

    >>> [bot.bot for bot in play("fast", "random", deals=2).bots]
    ['fast', 'random']
    """
    entrants, objects = entrants_of(bots)
    plan = Plan(rules=_read(rules), entrants=entrants, deals=deals, seed=str(seed))
    _verify_plan(plan)
    tally = Tally(plan)
    for block in played_by(plan, objects):
        tally.add(block)
    return outcome(tally, "all")


def _read(given: RulesLike) -> Ruleset:
    """Return rules where a parameter bears the name of the function."""
    return rules(given)


def _cards(given: CardsLike) -> tuple[Card, ...]:
    return parse_cards(given) if isinstance(given, str) else tuple(given)


def _rows(given: BoardLike, path: str) -> Rows:
    if isinstance(given, str):
        given = parse_board(given, path=path)
    if isinstance(given, Board):
        return given.front, given.middle, given.back
    return given


def _player(given: BoardLike | Mapping[str, object], path: str) -> dict[str, object]:
    """Return a board as the scoring contract takes it."""
    if isinstance(given, str | Board | tuple):
        return dict(zip(ROWS, map(cards_text, _rows(given, path)), strict=True))
    return dict(given)
