"""The best setting of 13 cards, exact against given boards, and the values of all 72,072 settings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct

from triptych import _kernel
from triptych.board import BOARD_CARDS
from triptych.board_svg import board_html
from triptych.cards import UNKNOWN_CARD, Card, card_text, cards_text, parse_card, rank_of
from triptych.notation.position import Position, PositionHand, parse_position
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset, is_closed
from triptych.scoring.showdown import best_natural
from triptych.solve.closed.strategy import ClosedStrategy, StrategyHeader, nearest_strategy
from triptych.solve.errors import SolveError
from triptych.solve.exact.setting import MAX_AGAINST, MAX_VALUE, Rows, verify_cards, verify_rows
from triptych.solve.position_hand import hand_to_act

ALL_SETTINGS: Final = 72_072
MAX_SAMPLES: Final = 100_000

RowTriple = tuple[float, float, float]
Samples = tuple[tuple[Rows, ...], ...]


class ClosedSetting(Struct, frozen=True):
    """One setting of 13 cards, cards highest first, and its value.

    `value`: mean points from all opponents together; under `first_to_11` the lead over their mean. `won`, `lost`:
    chances of front, middle, back against an opponent with a board; `scoops`, `scooped`: of all three. All are 0
    for a board that fouls.
    """

    front: tuple[Card, ...]
    middle: tuple[Card, ...]
    back: tuple[Card, ...]
    legal: bool
    value: float
    royalties: tuple[int, int, int]
    won: RowTriple
    lost: RowTriple
    scoops: float
    scooped: float

    def __repr__(self) -> str:
        return f"<ClosedSetting {'/'.join(map(cards_text, (self.front, self.middle, self.back)))}, {self._worth()}>"

    def _repr_html_(self) -> str:
        return board_html(
            [[card_text(card) for card in row] for row in (self.front, self.middle, self.back)], self._worth()
        )

    def _worth(self) -> str:
        return f"{self.value:+.3f} points" + ("" if self.legal else ", fouls")


class ClosedSolution(Struct, frozen=True):
    """The options of 13 cards, in mean points.

    `settings`: the best ones, the best first; `legal`: how many of all 72,072 do not foul. `surrender` and `natural`:
    points of surrendering and of claiming the natural `natural_kind`; None where not possible. `advice`:
    the choice with the most points. `strategy`: the strategy of the unknown opponents with its exploitability; None
    against given boards.
    """

    settings: tuple[ClosedSetting, ...]
    legal: int
    surrender: float | None
    natural_kind: str | None
    natural: float | None
    advice: Literal["set", "surrender", "natural"]
    strategy: StrategyHeader | None = None

    def __repr__(self) -> str:
        return f"<ClosedSolution {self.advice}; best of {self.legal} legal settings: {self.settings[0]!r}>"

    def _repr_html_(self) -> str:
        return "".join(setting._repr_html_() for setting in self.settings)


def solve_closed(
    cards: Sequence[Card],
    rules: Ruleset | str | Mapping[str, object] = "closed_1_6",
    *,
    against: Sequence[Rows] = (),
    samples: Sequence[Sequence[Rows]] = (),
    opponents: int = 1,
    stakes: Sequence[float] = (),
    top: int = 1,
    strategy: ClosedStrategy | None = None,
) -> ClosedSolution:
    """Return the `top` best settings of 13 cards, and the values of the other options.

    `against`: the boards of one to three opponents, front, middle, back. `samples`: several such deals, each as
    likely; they may share cards among themselves. Against these the answer is exact. Without either, `opponents`
    hold unseen cards and set them as good players do: by `strategy`, by default the nearest packaged one
    (solve/closed/strategy.py). `stakes`: the value of a point against each opponent of a sample, default 1. Opponents
    are only those that this seat plays: where all play the banker, the bank alone, or all others for the bank.

    A foul is a setting like any other. Of equal ones a legal one comes first, then the highest back, middle, front.
    Raises SolveError, and RulesError for rules that cannot be resolved. Rule: Rules §3 and 4.
    """
    resolved = _resolve_closed(cards, rules)
    _verify_choices(against, samples, stakes, opponents, top)
    header = None
    if against or samples:
        table = kernel_table(resolved, cards, (tuple(against),) if against else samples, stakes, alone=bool(against))
        surrender, natural = table.surrender(), table.natural(bytes(cards))
        ranking = table.rank(bytes(cards), top)
    else:
        strategy = strategy or nearest_strategy(resolved, opponents)
        header = strategy.head
        choice = strategy.kernel.choose(bytes(cards), b"", [0] * opponents, top)
        surrender, natural, ranking = choice.surrender, choice.natural, choice.ranking
    own_natural = best_natural(resolved, cards)
    surrender_value = surrender if resolved.surrender.points else None
    natural_value = natural if own_natural else None
    return ClosedSolution(
        settings=tuple(map(_setting_from_kernel, ranking.best)),
        legal=ranking.legal,
        surrender=surrender_value,
        natural_kind=own_natural.kind if own_natural else None,
        natural=natural_value,
        advice=_advice(ranking.best[0].points, surrender_value, natural_value),
        strategy=header,
    )


def compare_closed_setting(
    board: Rows, rules: Ruleset | str | Mapping[str, object], opponents: int = 1
) -> tuple[ClosedSetting, ClosedSetting]:
    """Return the best setting of a board's 13 cards and the board itself, against hands of good players.

    The same values as in `solve_closed`, which raises the same errors.
    """
    cards = [card for row in board for card in row]
    resolved = _resolve_closed(cards, rules)
    _verify_choices((), (), (), opponents, 1)
    strategy = nearest_strategy(resolved, opponents)
    ranking = strategy.kernel.choose(bytes(cards), b"", [0] * opponents, ALL_SETTINGS).ranking.best
    rows = [set(map(int, row)) for row in board]
    own_setting = next(
        setting
        for setting in ranking
        if [set(setting.board[:3]), set(setting.board[3:8]), set(setting.board[8:])] == rows
    )
    return _setting_from_kernel(ranking[0]), _setting_from_kernel(own_setting)


def kernel_table(
    rules: Ruleset,
    cards: Sequence[Card],
    samples: Sequence[Sequence[Rows]],
    stakes: Sequence[float] = (),
    *,
    alone: bool = False,
) -> _kernel.OpponentSamples:
    """Return samples as the kernel takes them; `alone`: there is one, which the caller named `against`.

    Raises SolveError when they are not possible with these cards.
    """
    _verify_samples(rules, cards, samples, alone=alone)
    seats = len(samples[0])
    if stakes and len(stakes) != seats:
        raise SolveError("against.count", f"one stake for each of {seats} opponents, not {len(stakes)}", "$.stakes")
    for index, stake in enumerate(stakes):
        if not math.isfinite(stake) or not 0 <= stake <= MAX_VALUE:
            raise SolveError("value.range", f"expected a number from 0 to {MAX_VALUE}", f"$.stakes[{index}]")
    hands = (
        bytes((0, 7, 0, 0, owner, *front, *middle, *back))
        for boards in samples
        for owner, (front, middle, back) in enumerate(boards, 1)
    )
    return _kernel.OpponentSamples(compile_rules(rules), b"".join(hands), tuple(stakes) or (1.0,) * seats)


def _resolve_closed(cards: Sequence[Card], rules: Ruleset | str | Mapping[str, object]) -> Ruleset:
    resolved = rules if isinstance(rules, Ruleset) else resolve(rules)
    if not is_closed(resolved):
        raise SolveError("game.open", "these rules are of an open game; ask for a closed one", "$.rules")
    if len(cards) != BOARD_CARDS:
        raise SolveError("cards.count", f"a closed deal has {BOARD_CARDS} cards, not {len(cards)}", "$.cards")
    verify_cards(resolved, cards, "$.cards", set())
    return resolved


def _verify_choices(
    against: Sequence[Rows], samples: Sequence[Sequence[Rows]], stakes: Sequence[float], opponents: int, top: int
) -> None:
    """Raise SolveError where options exclude each other, or a number is out of bounds."""
    if not 1 <= top <= ALL_SETTINGS:
        raise SolveError("value.range", f"expected 1 to {ALL_SETTINGS}", "$.top")
    if against and samples:
        raise SolveError("against.count", "boards or samples of boards, not both", "$.samples")
    if stakes and not (against or samples):
        raise SolveError("against.count", "stakes are for the boards of against or samples", "$.stakes")
    if not 1 <= opponents <= MAX_AGAINST:
        raise SolveError("against.count", f"1 to {MAX_AGAINST} opponents, not {opponents}", "$.opponents")


def _verify_samples(rules: Ruleset, cards: Sequence[Card], samples: Sequence[Sequence[Rows]], *, alone: bool) -> None:
    if not 1 <= len(samples) <= MAX_SAMPLES:
        raise SolveError("against.count", f"1 to {MAX_SAMPLES} samples, not {len(samples)}", "$.samples")
    for number, boards in enumerate(samples):
        path = "$.against" if alone else f"$.samples[{number}]"
        if not 1 <= len(boards) <= MAX_AGAINST or len(boards) != len(samples[0]):
            message = f"1 to {MAX_AGAINST} boards, as many in every sample, not {len(boards)}"
            raise SolveError("against.count", message, path)
        used_cards = set(cards)
        for index, rows in enumerate(boards):
            verify_rows(rules, rows, f"{path}[{index}]", used_cards)


def _advice(points: float, surrender: float | None, natural: float | None) -> Literal["set", "surrender", "natural"]:
    if natural is not None and natural >= max(points, points if surrender is None else surrender):
        return "natural"
    return "surrender" if surrender is not None and surrender > points else "set"


def _setting_from_kernel(setting: _kernel.ClosedBoard) -> ClosedSetting:
    cards = tuple(map(Card, setting.board))
    front, middle, back = (
        tuple(sorted(row, key=lambda card: (-rank_of(card), -card))) for row in (cards[:3], cards[3:8], cards[8:])
    )
    return ClosedSetting(
        front,
        middle,
        back,
        setting.legal,
        setting.points,
        setting.royalties,
        setting.won,
        setting.lost,
        setting.scoops,
        setting.scooped,
    )


def closed_position(
    position: Position | str, rules: Ruleset, *, hand: int | None = None, top: int = 1
) -> ClosedSolution:
    """Return the settings of the hand that acts, the best first, as `solve_closed`.

    The hand is `hand`, or else the marked one. `*// +AsKs… | QhQd7c/QsQc9d8c2c/8c9cTcJc2d`: against these boards, all
    of them finished; where all are empty, against that number of good players with unknown cards.
    Raises SolveError, NotationError.
    """
    parsed = parse_position(position) if isinstance(position, str) else position
    me = hand_to_act(parsed, hand)
    own_hand = parsed.hands[me]
    if own_hand.front or own_hand.middle or own_hand.back or own_hand.discards or own_hand.fantasyland:
        message = "all cards of a closed hand are still to be set: write them behind +"
        raise SolveError("position.street", message, f"$.hands[{me}]")
    others = {index: _known_rows(hand) for index, hand in enumerate(parsed.hands) if index != me}
    if not others:
        raise SolveError("against.count", "1 to 3 other hands, such as // for one that is not known", "$.hands")
    card_counts = {index: sum(map(len, rows)) for index, rows in others.items()}
    for index, count in card_counts.items():
        if any(card_counts.values()) and count != BOARD_CARDS:
            message = f"{count} cards lie there; finish every board, or write none of them"
            raise SolveError("position.street", message, f"$.hands[{index}]")
    cards = [parse_card(text) for text in own_hand.drawn if text != UNKNOWN_CARD]
    boards = tuple(others.values()) if any(card_counts.values()) else ()
    return solve_closed(cards, rules, against=boards, opponents=len(others), top=top)


def _known_rows(hand: PositionHand) -> Rows:
    front, middle, back = (
        tuple(parse_card(text) for text in row if text != UNKNOWN_CARD)
        for row in (hand.front, hand.middle, hand.back)
    )
    return front, middle, back
