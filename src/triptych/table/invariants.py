"""The invariants of a table, checked after every command and before its events are stored.

Pure, and cheap enough for every action: only changed parts of the state are checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from triptych.deal.state import DealState, HandState
from triptych.rulesets.model import bankroll_mode
from triptych.table import events as e
from triptych.table.clock import MS_PER_SECOND, acting_seats
from triptych.table.ledger import stack_account, transfers
from triptych.table.state import Clock, TableState

_FILLS: Final = frozenset({e.PlayerSat, e.DealBegan, e.TimeAdded, e.RulesChosen, e.MatchEnded})
_MOVES: Final = frozenset({e.DowntimeCompensated, e.PauseEnded, e.TimeAdded, e.ClockStarted})


def find_violation(before: TableState, after: TableState, events: Sequence[e.TableEvent]) -> str:
    """Return a description of the first invariant that the events of a command break; empty if none.

    The description contains no cards. Rules: Rules §1 (cards), 2 (streets), 6 (points, clock).
    """
    return next(_violations(before, after, events), "")


def _violations(before: TableState, after: TableState, events: Sequence[e.TableEvent]) -> Iterator[str]:
    if after.version != before.version + len(events):
        yield f"{len(events)} events lead from version {before.version} to {after.version}"
    if after.at < before.at:
        yield "its time goes back"
    if after.seats is not before.seats and _may_move(before, after, events):
        yield from _points(before, after, events)
    if after.seats is not before.seats or after.clocks is not before.clocks:
        yield from _clocks(before, after, {type(event.event) for event in events})
    deal = after.deal
    if deal is not None and deal is not before.deal:
        yield from _cards(before.deal, deal)
    yield from _check_turn(after, deal)


def _check_turn(after: TableState, deal: DealState | None) -> Iterator[str]:
    """Check that clocks run for the seats that are to act, and for no others."""
    if after.settled:
        if after.clocks:
            yield "a clock runs and nobody is to act"
    elif deal is None:
        yield "a deal is played that is not there"
    elif (
        after.paused is None
        and after.config.rules.clock.kind != "none"
        and {clock.seat for clock in after.clocks} != acting_seats(deal).keys()
    ):
        yield "clocks run for others than those who are to act"


def _may_move(before: TableState, after: TableState, events: Sequence[e.TableEvent]) -> bool:
    """Return whether points or seats have changed, or should have: most actions change only clocks."""
    if after.accounts is not before.accounts or len(after.seats) != len(before.seats) or transfers(events):
        return True
    for old, new in zip(before.seats, after.seats, strict=True):
        if new is not old and (new.stack != old.stack or new.player != old.player):
            return True
    return False


def _points(before: TableState, after: TableState, events: Sequence[e.TableEvent]) -> Iterator[str]:
    """Check that stacks match the accounts and the ledger, and that nobody sits in two seats."""
    expected = {seat.player: seat.stack for seat in before.seats if seat.player}
    stacks = {seat.player: seat.stack for seat in after.seats if seat.player}
    if len(stacks) != sum(1 for seat in after.seats if seat.player):
        yield "somebody sits in two seats"
    if sum(stacks.values()) != sum([account.brought - account.taken for account in after.accounts]):
        yield "its stacks are not what was brought to it"
    moved = transfers(events)
    if moved:
        accounts = {stack_account(after.config.table, player): player for player in (*expected, *stacks)}
        for transfer in moved:
            for account, points in ((transfer.debit, -transfer.points), (transfer.credit, transfer.points)):
                if account in accounts:
                    expected[accounts[account]] = expected.get(accounts[account], 0) + points
    if any(points != expected.get(player, 0) for player, points in stacks.items()):
        yield "its ledger and its stacks differ"
    if any(points for player, points in expected.items() if player not in stacks):
        yield "somebody has left points behind"
    rules = after.config.rules
    if stacks and min(stacks.values()) < 0 and rules.settlement.cap != "none" and bankroll_mode(rules) == "stacks":
        yield "somebody has fewer points than none"


def _clocks(before: TableState, after: TableState, kinds: set[type]) -> Iterator[str]:
    """Check that no clock is negative, and that clocks grow only by events that add time."""
    fills = not _FILLS.isdisjoint(kinds)
    for old, new in zip(before.seats, after.seats, strict=False):
        if new is not old:
            if new.bank_ms < 0 or new.deal_ms < 0:
                yield "a clock shows less than nothing"
            if new.bank_ms > old.bank_ms:
                full = after.config.rules.clock.bank * MS_PER_SECOND
                if not fills or (new.bank_ms > full and e.TimeAdded not in kinds):
                    yield "a time bank has grown"
    if after.clocks is not before.clocks:
        ends = {clock.seat: clock.bank_ends for clock in before.clocks}
        moves = not _MOVES.isdisjoint(kinds)
        for clock in after.clocks:
            if not _in_order(clock):
                yield "a clock ends before it begins"
            if clock.bank_ends > ends.get(clock.seat, clock.bank_ends) and not moves:
                yield "a running clock has grown"


def _in_order(clock: Clock) -> bool:
    return clock.started <= clock.street_ends <= clock.bank_ends


def _cards(before: DealState | None, deal: DealState) -> Iterator[str]:
    """Check that every card is in one place, placed cards stay, and no board is shown too early."""
    size = 52 + deal.rules.deal.jokers
    places = list(deal.deck)
    for hand in deal.hands:
        board = hand.board
        places += board.front
        places += board.middle
        places += board.back
        places += hand.drawn
        places += hand.discards
    if len(places) != size or len(set(places)) != size:
        yield "a card of its deal is missing, or there twice"
    old = before.hands if before is not None and before.number == deal.number else ()
    for place, hand in enumerate(deal.hands):
        old_hand = old[place] if old else None
        if hand is not old_hand:
            yield from _hand(old_hand, hand)
    hands = deal.hands
    if any(hand.shown for hand in hands) and not all(hand.is_set for hand in hands):
        yield "a board is shown before all are set"


def _hand(old: HandState | None, hand: HandState) -> Iterator[str]:
    placed = hand.board.cards
    finished_streets = hand.streets[: hand.street]
    if len(placed) != sum([street.placed for street in finished_streets]):
        yield "a board has not the cards of its streets"
    if len(hand.discards) != sum([street.discarded for street in finished_streets]):
        yield "a hand has not discarded what its streets ask for"
    if hand.street < len(hand.streets):
        if hand.drawn and len(hand.drawn) != hand.streets[hand.street].dealt:
            yield "a hand holds other cards than those of its street"
    elif hand.drawn:
        yield "a hand that is set holds cards"
    if old is not None and not set(old.board.cards).issubset(placed):
        yield "a card that lay has been moved"
