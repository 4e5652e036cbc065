"""Fills the score sheet: every number of a scored deal with its reason, settled against the stacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from triptych.board import ROWS
from triptych.cards import card_text
from triptych.score.settle import Due, settle
from triptych.score.sheet.names import BEST_LOW, FULL_HOUSE, NATURAL_NAMES, PAIR, QUADS, TRIPS, value_name
from triptych.score.sheet.pair import PairWords, foul_reason
from triptych.score.sheet.shapes import Cell, ScoreSheet, SheetHand, SheetPair, SheetRow, SheetStack

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from triptych.rules.model import Ruleset
    from triptych.score.settle import Amount
    from triptych.score.showdown import DealScore, HandScore, PairScore, ScoredHand

_ROW_CARDS = {"front": slice(0, 3), "middle": slice(3, 8), "back": slice(8, 13)}


class Party(Struct, frozen=True):
    """Who plays a hand: the seat it settles with, and the name on the sheet."""

    seat: int
    player: str


def explain(
    rules: Ruleset,
    hands: Sequence[ScoredHand],
    score: DealScore,
    parties: Sequence[Party],
    *,
    deal: int = 1,
    stakes: Mapping[tuple[int, int], int] | None = None,
    stacks: Mapping[int, int] | None = None,
) -> ScoreSheet:
    """Return the sheet of a deal that `score_deal` has scored; `hands`, `score` and `parties` go by hand.

    `stakes` by pair of seats, the lower seat first, 1 where none is agreed. `stacks` by seat, in points, before the
    deal: with them the pairs are settled in position order (RULEBOOK 6) and the sheet tells the stacks after.
    """
    agreed = stakes or {}
    staked = [_stake(agreed, parties[pair.a].seat, parties[pair.b].seat) for pair in score.pairs]
    moved, after = _settlement(rules, score, parties, staked, stacks)
    names = [party.player for party in parties]
    words = PairWords(rules, hands, score, names)
    return ScoreSheet(
        deal=deal,
        hands=tuple(_hand(rules, index, hand, score, parties[index]) for index, hand in enumerate(hands)),
        pairs=tuple(
            _pair(words, pair, stake, amount)
            for pair, stake, amount in zip(score.pairs, staked, moved, strict=True)
            if parties[pair.a].seat != parties[pair.b].seat
        ),
        stacks=_stacks(parties, stacks, after),
    )


def _stake(stakes: Mapping[tuple[int, int], int], a: int, b: int) -> int:
    return stakes.get((min(a, b), max(a, b)), 1)


def _settlement(
    rules: Ruleset,
    score: DealScore,
    parties: Sequence[Party],
    stakes: Sequence[int],
    stacks: Mapping[int, int] | None,
) -> tuple[list[int], dict[int, int]]:
    """Return what each pair moves to its `a`, and the stacks after by seat."""
    full = [pair.points * stake for pair, stake in zip(score.pairs, stakes, strict=True)]
    if stacks is None:
        return full, {}
    seats = list(dict.fromkeys(party.seat for party in parties))
    dues = [
        Due(seats.index(parties[pair.a].seat), seats.index(parties[pair.b].seat), amount)
        for pair, amount in zip(score.pairs, full, strict=True)
        if parties[pair.a].seat != parties[pair.b].seat
    ]
    settled = settle(dues, [stacks[seat] for seat in seats], rules.settlement)
    moved = iter(settled.moved)
    by_pair = [int(next(moved)) if parties[pair.a].seat != parties[pair.b].seat else 0 for pair in score.pairs]
    return by_pair, {seat: int(stack or 0) for seat, stack in zip(seats, settled.stacks, strict=True)}


def _stacks(
    parties: Sequence[Party], before: Mapping[int, int] | None, after: Mapping[int, int]
) -> tuple[SheetStack, ...]:
    if before is None:
        return ()
    players = {party.seat: party.player for party in reversed(parties)}
    return tuple(
        SheetStack(seat, players[seat], before[seat], stack - before[seat], stack) for seat, stack in after.items()
    )


def _hand(rules: Ruleset, index: int, hand: ScoredHand, score: DealScore, party: Party) -> SheetHand:
    result = score.hands[index]
    rows = _rows(rules, hand, result)
    return SheetHand(
        hand=index,
        seat=party.seat,
        player=party.player,
        status=result.status,
        front=rows[0],
        middle=rows[1],
        back=rows[2],
        natural=NATURAL_NAMES[result.natural.kind] if result.natural else "",
        royalties=sum(result.royalties),
        points=score.totals()[index],
        fantasyland=result.fantasyland,
        fantasyland_why=_fantasyland_why(rules, hand, result),
    )


def _rows(
    rules: Ruleset, hand: ScoredHand, result: HandScore
) -> tuple[SheetRow | None, SheetRow | None, SheetRow | None]:
    if hand.kind != "board":
        return None, None, None
    front, middle, back = (
        SheetRow(tuple(map(card_text, hand.cards[_ROW_CARDS[row]])), value_name(rules, row, value), royalty)
        for row, value, royalty in zip(ROWS, result.values, result.royalties, strict=True)
    )
    return front, middle, back


def _fantasyland_why(rules: Ruleset, hand: ScoredHand, result: HandScore) -> str:
    """Return why a hand plays fantasyland next, or why not although it was near; empty when it was far from it."""
    if result.status == "foul":
        return f"A foul brings no fantasyland: {foul_reason(rules, result)}" if hand.fantasyland else ""
    if result.fantasyland:
        what = f"fantasyland with {result.fantasyland} cards"
        rows = " and ".join(_land_rows(rules, hand, result))
        return f"Stays in {what}: {rows}" if hand.fantasyland else f"{what.capitalize()} next: {rows}"
    if not hand.fantasyland:
        return ""
    if _land_rows(rules, hand, result) and rules.fantasyland.repeat_limit != "none":
        return f"Leaves fantasyland: {hand.in_row} in a row is all that these rules allow"
    return "Leaves fantasyland: no row that repeats it"


def _land_rows(rules: Ruleset, hand: ScoredHand, result: HandScore) -> list[str]:
    """Return the rows that bring or repeat fantasyland, in words."""
    land = rules.fantasyland
    front, middle, back = result.values
    low = rules.rows.middle == "deuce_to_seven" and middle == BEST_LOW
    if hand.fantasyland:
        wanted = (
            land.repeat_front == "trips" and front >= TRIPS,
            low if land.repeat_middle == "best_low" else _repeats_middle(rules, middle),
            land.repeat_back == "quads" and back >= QUADS,
        )
    else:
        pair_or_trips = land.trips if front >= TRIPS else land.pair
        wanted = (front >= PAIR and pair_or_trips[(front >> 16 & 15) - 1] > 0, low and land.best_low > 0, False)
    return [
        f"{value_name(rules, row, value)[0].lower()}{value_name(rules, row, value)[1:]} in the {row}"
        for row, value, counts in zip(ROWS, result.values, wanted, strict=True)
        if counts
    ]


def _repeats_middle(rules: Ruleset, middle: int) -> bool:
    least = {"full_house": FULL_HOUSE, "above_full_house": QUADS}.get(rules.fantasyland.repeat_middle)
    return least is not None and rules.rows.middle == "high" and middle >= least


def _pair(words: PairWords, pair: PairScore, stake: int, moved: int) -> SheetPair:
    front, middle, back = words.rows(pair)
    return SheetPair(
        a=pair.a,
        b=pair.b,
        front=front,
        middle=middle,
        back=back,
        scoop=words.scoop(pair),
        royalties=words.royalties(pair),
        other=words.other(pair),
        points=pair.points,
        stake=stake,
        moved=Cell(moved, _moved_why(pair.points, stake, moved)),
        won=words.won(pair),
    )


def _moved_why(points: int, stake: int, moved: Amount) -> str:
    due = points * stake
    if points == 0:
        return "Nothing to pay"
    if moved == due:
        return "Paid in full" if stake == 1 else f"{abs(points)} points at a stake of {stake}"
    if moved == 0:
        return f"{abs(due)} were due, but table stakes let nothing be paid"
    return f"{abs(due)} were due; table stakes let {abs(moved)} be paid"
