"""The view of a table: the only data of its state that clients get.

The deal is projected by `deal/project.py`, which alone decides about cards.
"""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

from msgspec.structs import replace

from triptych.deal.project import DealViews
from triptych.deal.view_types import DealView, Task
from triptych.i18n.messages import Message
from triptych.rulesets.describe.phrases import title_text
from triptych.rulesets.describe.summary import summary
from triptych.rulesets.model import Ruleset, bankroll_mode
from triptych.table.absence import is_away
from triptych.table.accounts import account_views, settlements
from triptych.table.announcements import rules_line
from triptych.table.deck_commitment import seat_chain
from triptych.table.host import acting_host, owner
from triptych.table.levels import level_view
from triptych.table.match import match_text, standings
from triptych.table.permissions import allowed_requests, can_use_guide
from triptych.table.premoves import premove_views
from triptych.table.prompt import prompt, waiting_for
from triptych.table.state import Phase, Seat, TableState, in_match, phase, reveals_all, seat_of
from triptych.table.turns import TURN_TIMEOUT_MS
from triptych.table.view_types import (
    ChainView,
    ChatLineView,
    ClockView,
    FairView,
    MatchView,
    PlaceView,
    PremoveView,
    RulesView,
    SeatView,
    StakeView,
    TableView,
    TurnView,
)


def view(state: TableState, player: str) -> TableView:
    """Return the table as a player may see it, by player id; an unknown id is a spectator."""
    return TableViews(state).of(player)


class PersonalFields(NamedTuple):
    """The fields of a table's view that differ between viewers, and the deal's `tasks`.

    The boards of the deal differ too, but are not among them.
    """

    you: int | None
    may: tuple[str, ...]
    prompt: str
    yours: bool
    tasks: tuple[Task, ...]
    ahead: tuple[PremoveView, ...]
    dropped: bool
    guided: bool


class MovingFields(NamedTuple):
    """The fields of a table's view that are common to all viewers and that an action in a deal changes.

    The version and the line of `waiting_for` change too, but are not among them.
    """

    phase: Phase
    seats: tuple[SeatView, ...]
    clocks: tuple[ClockView, ...]
    turns: tuple[TurnView, ...]


class TableViews:
    """The views of a table's state for all its viewers; parts that viewers share are computed once.

    `before`: the views of an earlier state of the table; unchanged parts are reused from it.
    """

    def __init__(self, state: TableState, before: TableViews | None = None) -> None:
        self.state = state
        self.deal: DealViews | None = None
        if state.deal is not None:
            self.deal = DealViews(state.deal, None if before is None else before.deal)
        self.stable = stable_part(state)
        # The prompt of viewers who only wait.
        self.waiting = waiting_for(state)
        self.moving: MovingFields
        # The guests whose view differs from that of a plain spectator.
        self.guests_with_own_view: frozenset[str]
        self._own: dict[str, PersonalFields] = {}
        # By player: the allowed requests, and whether they may use the guide.
        self.permissions: dict[str, tuple[tuple[str, ...], bool]] = {}
        # The shared view, as of the last change of anything but the deal and the clocks.
        self._base: TableView
        self._shared: TableView | None = None
        if before is not None and before.stable == self.stable:
            # The same objects, so that the next comparison needs only their identity.
            self.stable, self.permissions, self.guests_with_own_view = (
                before.stable,
                before.permissions,
                before.guests_with_own_view,
            )
            self._base = before._base  # noqa: SLF001 - of the same kind
            self.moving = _moving(state, before.moving.seats)
            return
        self.guests_with_own_view = frozenset(
            {seat.player for seat in state.seats if seat.player} | {acting_host(state), *state.banned, *state.muted}
        )
        talk = before._base.talk if before is not None and before.state.talk is state.talk else _talk(state)  # noqa: SLF001 - as above
        self._base = self._shared = _shared_view(state, self.waiting, talk)
        self.moving = MovingFields(self._base.phase, self._base.seats, self._base.clocks, self._base.turns)

    @property
    def shared(self) -> TableView:
        """The view common to all viewers."""
        if self._shared is None:
            moving = self.moving._asdict()
            self._shared = replace(self._base, v=self.state.version, prompt=self.waiting, **moving)
        return self._shared

    def of(self, player: str) -> TableView:
        """Return the table as a player may see it, by player id; an unknown id is a spectator."""
        own = self.own(player)
        fields = own._asdict()
        del fields["tasks"]
        return replace(self.shared, deal=self.deal_of(own.you), **fields)

    def own(self, player: str) -> PersonalFields:
        """Return the fields of the view that are the player's own."""
        own = self._own.get(player)
        if own is None:
            own = self._own[player] = self._own_of(player)
        return own

    def _own_of(self, player: str) -> PersonalFields:
        state = self.state
        seat = seat_of(state, player)
        place = None if seat is None else seat.seat
        tasks = () if self.deal is None or place is None else self.deal.tasks(place)
        text, yours = prompt(state, seat, player, tasks, self.waiting)
        if player not in self.permissions:
            self.permissions[player] = allowed_requests(state, player, seat), can_use_guide(state, player)
        allowed, guided = self.permissions[player]
        dropped = place is not None and place in state.dropped
        return PersonalFields(place, allowed, text, yours, tasks, premove_views(state, place), dropped, guided)

    @property
    def reveals_all(self) -> bool:
        """Return whether all see each board as its owner does: after a match with `match.show_all`."""
        return reveals_all(self.state) and self.state.settled and self.state.match is None

    def deal_of(self, seat: int | None) -> DealView | None:
        """Return the deal as a seat may see it."""
        if self.deal is None:
            return None
        visible = self.deal.for_seat(seat)
        if not self.reveals_all:
            return visible
        return replace(visible, boards=tuple([self.deal.board(board.hand, own=True) for board in visible.boards]))


def _moving(state: TableState, before: tuple[SeatView, ...]) -> MovingFields:
    """Return the moving fields of a table of which only the deal and the clocks have changed since `before`."""
    seats = [
        old if old.bank_ms == seat.bank_ms else replace(old, bank_ms=seat.bank_ms)
        for old, seat in zip(before, state.seats, strict=True)
    ]
    return MovingFields(phase(state), tuple(seats), _clocks(state), _turns(state))


def _clocks(state: TableState) -> tuple[ClockView, ...]:
    return tuple(
        [
            ClockView(hand, clock.seat, clock.started, clock.street_ends, clock.bank_ends)
            for clock in state.clocks
            for hand in clock.hands
        ]
    )


def _turns(state: TableState) -> tuple[TurnView, ...]:
    return tuple([TurnView(turn.seat, turn.since + TURN_TIMEOUT_MS) for turn in state.turns])


def _talk(state: TableState) -> tuple[ChatLineView, ...]:
    return tuple([ChatLineView(line.at, line.name, line.text, line.seat) for line in state.talk])


def _shared_view(state: TableState, waiting: str, talk: tuple[ChatLineView, ...]) -> TableView:
    return TableView(
        table=state.config.table,
        v=state.version,
        name=state.config.name,
        host=acting_host(state),
        rules=rules_view(state.config.rules),
        phase=phase(state),
        seats=tuple([_seat(state, seat) for seat in state.seats]),
        you=None,
        may=(),
        button=state.button,
        match=_match(state),
        deal=None,
        sheet=state.sheet,
        clocks=_clocks(state),
        turns=_turns(state),
        owner=owner(state),
        next_at=state.next_at,
        prompt=waiting,
        yours=False,
        stakes=_stakes(state),
        talk=talk,
        level=level_view(state),
        cup=state.config.cup,
        places=_places(state),
        accounts=account_views(state),
        debts=settlements(state.accounts),
        begun=state.begun,
        paused=state.paused,
        locked=state.locked,
        private=state.config.private or bool(state.password),
        password=bool(state.password),
        arranging=state.arranging,
        hints=state.hints,
        closing=state.closing,
        fair=_fair(state),
        coming=""
        if state.next_rules is None
        else Message(
            "match.coming",
            title=title_text(state.next_rules.rules.title),
            rules=rules_line(state, state.next_rules.rules),
        ),
    )


def _stakes(state: TableState) -> tuple[StakeView, ...]:
    deal_stakes = {(stake.a, stake.b): stake.stake for stake in state.deal_stakes}
    return tuple(
        [
            StakeView(
                stake.a,
                stake.b,
                stake.stake,
                stake.offered_by,
                next_deal=stake.offered_by is None
                and not state.settled
                and deal_stakes.get((stake.a, stake.b), 1) != stake.stake,
            )
            for stake in state.stakes
        ]
    )


def _fair(state: TableState) -> FairView:
    fair = state.fair
    seats_with_link = {link.seat for link in fair.links}
    return FairView(
        number=fair.number if fair.size else 0,
        commitment=fair.commitment,
        chains=tuple(
            [
                ChainView(chain.seat, chain.head, chain.since, chain.seat in seats_with_link)
                for seat in state.seats
                if (chain := seat_chain(state, seat.seat)) is not None
            ]
        ),
        dealt=0 if fair.dealt is None else fair.dealt.number,
        dropped=fair.dropped,
    )


def _places(state: TableState) -> tuple[PlaceView, ...]:
    if state.config.cup:  # the tournament's own view has them
        return ()
    places = sorted(state.places, key=attrgetter("place"))
    return tuple([PlaceView(place.player, place.name, place.place) for place in places])


@lru_cache(maxsize=64)
def rules_view(rules: Ruleset) -> RulesView:
    """Return a summary of the rules."""
    seats = rules.seats
    return RulesView(
        preset=rules.name,
        title=title_text(rules.title or rules.name),
        summary=summary(rules),
        game=rules.deal.game,
        seats_min=seats.min,
        seats_max=seats.max,
        buy_in_min=seats.buy_in_min,
        buy_in_max=seats.buy_in_max,
        purse=bankroll_mode(rules),
        bank=rules.scoring.pairs == "banker",
        clocked=rules.clock.kind != "none",
        # A whole number is written as browsers write it, so that a view has the same text on both sides.
        stake_point=int(point) if (point := rules.stake.point).is_integer() else point,
        stake_unit=rules.stake.unit,
    )


def _seat(state: TableState, seat: Seat) -> SeatView:
    return SeatView(
        seat=seat.seat,
        player=seat.player,
        name=seat.name,
        bot=seat.bot,
        level=seat.level,
        stack=seat.stack,
        in_match=in_match(state, seat.seat),
        sitting_out=seat.sitting_out,
        leaving=seat.leaving,
        connected=seat.connected,
        away=is_away(seat),
        ready=seat.ready or (seat.bot and state.next_at is not None),
        fantasyland=seat.fantasyland,
        bank_ms=seat.bank_ms,
        program=seat.program,
        planned_buy_in=seat.planned_buy_in,
    )


def _match(state: TableState) -> MatchView | None:
    if state.match is None:
        return None
    kind = state.config.rules.match.kind
    text = match_text(state.config.rules)
    if any(state.match.points) and kind != "deal_group":
        text = Message("match.standings", length=text, standings=standings(state, state.match))
    return MatchView(state.match.number, state.match.deals, kind, text)


# The fields of the state and of a seat that no action in a deal changes: all but those named here.
_STABLE: Final = attrgetter(
    *[
        name
        for name in TableState.__struct_fields__
        if name not in {"version", "at", "seats", "clocks", "turns", "deal"}
    ]
)
_STABLE_OF_SEAT: Final = attrgetter(*[name for name in Seat.__struct_fields__ if name not in {"bank_ms", "deal_ms"}])


def stable_part(state: TableState) -> tuple[object, ...]:
    """Return all fields but the deal and the clocks, to compare whether two states differ only in those."""
    return state.deal is None, _STABLE(state), *map(_STABLE_OF_SEAT, state.seats)
