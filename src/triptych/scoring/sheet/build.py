"""Build the score sheet: every number of a scored deal with its reason, settled against the stacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from triptych.board import ROWS
from triptych.cards import card_text
from triptych.i18n.messages import Message, join_with_and
from triptych.rulesets.conditions import CompiledCondition, compile_condition
from triptych.rulesets.model import Ruleset
from triptych.scoring.money import PointPrice
from triptych.scoring.settle import Amount, Due, Settled, plain_amount, settle
from triptych.scoring.sheet.hand_names import natural_name, value_name
from triptych.scoring.sheet.pair_reasons import PairReasons, foul_reason
from triptych.scoring.sheet.types import ScoreSheet, SheetHand, SheetPair, SheetRow, SheetStack, SheetTransfer
from triptych.scoring.showdown import DealScore, HandScore, PairScore, ScoredHand, play_each_other

_ROW_SLICES = {"front": slice(0, 3), "middle": slice(3, 8), "back": slice(8, 13)}


class SheetPlayer(Struct, frozen=True):
    """The player of a hand: the seat it settles with, and the name on the sheet."""

    seat: int
    player: str


def build_sheet(
    rules: Ruleset,
    hands: Sequence[ScoredHand],
    score: DealScore,
    parties: Sequence[SheetPlayer],
    *,
    deal: int = 1,
    stakes: Mapping[tuple[int, int], Amount] | None = None,
    stacks: Mapping[int, Amount] | None = None,
    point: int = 1,
) -> ScoreSheet:
    """Return the sheet of a deal that `score_deal` has scored; `hands`, `score` and `parties` go by hand.

    `stakes` by pair of seats, the lower seat first, 1 where none is agreed. `stacks` by seat, in points, before the
    deal: with them the pairs are settled in position order (Rules §6) and the sheet has the stacks after; a seat
    without one has no limit.
    `point`: the chips that a point is worth where `stakes` and `stacks` count chips; the loss limit counts points.
    Only pairs that play each other are on the sheet: not two boards of one player, nor two players who only play
    the bank.
    """
    agreed_stakes = stakes or {}
    banker = parties[-1].seat
    pairs = [
        pair for pair in score.pairs if play_each_other(rules, parties[pair.a].seat, parties[pair.b].seat, banker)
    ]
    pair_stakes = [_stake(agreed_stakes, parties[pair.a].seat, parties[pair.b].seat) for pair in pairs]
    settled, after = _settlement(rules, parties, _dues(score, parties, pairs, pair_stakes), stacks, point)
    names = [party.player for party in parties]
    price = PointPrice.from_rules(rules)
    reasons = PairReasons(rules, hands, score, names)
    return ScoreSheet(
        deal=deal,
        hands=tuple(_hand(rules, index, hand, score, parties[index]) for index, hand in enumerate(hands)),
        pairs=tuple(
            _pair(
                reasons,
                pair,
                pair_stakes[pair_index],
                _transfer(rules, names, pair, pair_stakes[pair_index], settled, pair_index),
            )
            for pair_index, pair in enumerate(pairs)
        ),
        stacks=_stacks(parties, stacks, after),
        price=None if price.is_plain else price,
    )


def _stake(stakes: Mapping[tuple[int, int], Amount], a: int, b: int) -> Amount:
    return stakes.get((min(a, b), max(a, b)), 1)


def _settlement(
    rules: Ruleset,
    parties: Sequence[SheetPlayer],
    dues: Sequence[Due],
    stacks: Mapping[int, Amount] | None,
    point: int,
) -> tuple[Settled, dict[int, Amount]]:
    """Return the settled dues, and the stacks after by seat, empty without stacks."""
    seats = _seats(parties)
    chips = [None if stacks is None else stacks.get(seat) for seat in seats]
    settled = settle(dues, chips, rules.settlement, point=point)
    after = {seat: stack for seat, stack in zip(seats, settled.stacks, strict=True) if stack is not None}
    return settled, after


def _dues(
    score: DealScore, parties: Sequence[SheetPlayer], pairs: Sequence[PairScore], stakes: Sequence[Amount]
) -> tuple[Due, ...]:
    seats = _seats(parties)
    return tuple(
        Due(
            seats.index(parties[pair.a].seat),
            seats.index(parties[pair.b].seat),
            pair.points * stake,
            score.is_natural_payment(pair),
        )
        for pair, stake in zip(pairs, stakes, strict=True)
    )


def _seats(parties: Sequence[SheetPlayer]) -> list[int]:
    return list(dict.fromkeys(party.seat for party in parties))


def _stacks(
    parties: Sequence[SheetPlayer], before: Mapping[int, Amount] | None, after: Mapping[int, Amount]
) -> tuple[SheetStack, ...]:
    if before is None:
        return ()
    players = {party.seat: party.player for party in reversed(parties)}
    return tuple(
        SheetStack(
            seat,
            players[seat],
            plain_amount(before[seat]),
            plain_amount(stack - before[seat]),
            plain_amount(stack),
        )
        for seat, stack in after.items()
    )


def _hand(rules: Ruleset, index: int, hand: ScoredHand, score: DealScore, party: SheetPlayer) -> SheetHand:
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
        natural=natural_name(result.natural.kind) if result.natural else "",
        royalties=sum(result.royalties),
        points=score.totals()[index],
        fantasyland=result.fantasyland,
        fantasyland_why=_fantasyland_reason(rules, hand, result),
    )


def _rows(
    rules: Ruleset, hand: ScoredHand, result: HandScore
) -> tuple[SheetRow | None, SheetRow | None, SheetRow | None]:
    if hand.kind != "board" or result.natural:
        return None, None, None
    front, middle, back = (
        SheetRow(tuple(map(card_text, hand.cards[_ROW_SLICES[row]])), value_name(rules, row, value), royalty)
        for row, value, royalty in zip(ROWS, result.values, result.royalties, strict=True)
    )
    return front, middle, back


def _fantasyland_reason(rules: Ruleset, hand: ScoredHand, result: HandScore) -> str:
    """Return why a hand plays fantasyland next, or why it does not stay in it; empty for other hands."""
    if result.status == "foul":
        return Message("sheet.fantasyland.foul", reason=foul_reason(rules, result)) if hand.fantasyland else ""
    if result.fantasyland:
        return Message(
            "sheet.fantasyland.stays" if hand.fantasyland else "sheet.fantasyland.next",
            cards=result.fantasyland,
            rows=join_with_and(_met_conditions(rules, hand, result)),
        )
    if not hand.fantasyland:
        return ""
    if _met_conditions(rules, hand, result) and rules.fantasyland.repeat_limit != "none":
        return Message("sheet.fantasyland.limit", count=hand.in_row)
    return Message("sheet.fantasyland.no_repeat")


def _met_conditions(rules: Ruleset, hand: ScoredHand, result: HandScore) -> list[str]:
    """Return the reasons for entry or repeat, in words: of the conditions met, those with the most cards."""
    fantasyland = rules.fantasyland
    low = rules.rows.middle == "deuce_to_seven"
    royalties = sum(result.royalties)
    conditions = [
        compile_condition(source, low=low)
        for source in (fantasyland.repeat if hand.fantasyland else fantasyland.entry)
    ]
    met = [condition for condition in conditions if condition.is_met(result.values, royalties)]
    if not met:
        return []
    # Each row that alone is enough for as many cards is named.
    max_cards = max(_cards(condition, hand) for condition in met)
    best = [condition for condition in met if _cards(condition, hand) == max_cards]
    rows: list[str] = [
        Message("sheet.fantasyland.row", hand=value_name(rules, row, value), row=Message(f"row.{row}"))
        for index, (row, value) in enumerate(zip(ROWS, result.values, strict=True))
        if any(condition.rows[index] for condition in best)
    ]
    if any(condition.royalties for condition in best):
        rows.append(Message("sheet.fantasyland.royalties", points=royalties))
    return rows


def _cards(condition: CompiledCondition, hand: ScoredHand) -> int:
    return hand.fantasyland if condition.cards < 0 else condition.cards


def _pair(words: PairReasons, pair: PairScore, stake: Amount, moved: SheetTransfer) -> SheetPair:
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
        stake=plain_amount(stake),
        moved=moved,
        won=words.row_winners(pair),
    )


def _transfer(
    rules: Ruleset, names: Sequence[str], pair: PairScore, stake: Amount, settled: Settled, index: int
) -> SheetTransfer:
    """Return the transfer of a pair with its reason; `index`: that of its due."""
    due, moved = plain_amount(pair.points * stake), plain_amount(settled.paid[index])
    if not due:
        return SheetTransfer(moved, Message("sheet.paid.nothing"))
    if moved == due:
        is_plain = stake == 1
        reason = (
            Message("sheet.paid.full")
            if is_plain
            else Message("sheet.paid.stake", points=abs(pair.points), stake=stake)
        )
        return SheetTransfer(moved, reason)
    payer, taker = (pair.b, pair.a) if due > 0 else (pair.a, pair.b)
    return SheetTransfer(moved, _shortfall(rules, names[payer], names[taker], settled, index, abs(due)))


def _shortfall(rules: Ruleset, payer: str, taker: str, settled: Settled, index: int, due: Amount) -> str:
    """Return why less than the due amount was paid."""
    paid = abs(plain_amount(settled.paid[index]))
    if settled.capped[index]:
        limit = rules.settlement.loss_limit
        if paid:
            return Message("sheet.paid.loss_limit", due=due, most=limit, paid=paid)
        return Message("sheet.paid.loss_limit_none", due=due, most=limit)
    match settled.bounds[index]:
        case "payer" if paid:
            return Message("sheet.paid.had", due=due, name=payer, paid=paid)
        case "payer":
            return Message("sheet.paid.had_none", due=due, name=payer)
        case "smaller":
            return Message("sheet.paid.smaller", due=due, paid=paid)
        case "taker":
            return Message("sheet.paid.no_stack", due=due, name=taker)
    if paid:
        return Message("sheet.paid.stakes", due=due, paid=paid)
    return Message("sheet.paid.stakes_none", due=due)
