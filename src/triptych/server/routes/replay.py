"""Finished deals for the replay page and as text: out of the store, or from somebody's file.

Both go the same way: events or text become a history as one viewer knows it, and the history is played again through
the deal's own views. The bodies, both ways, the work, the addresses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import combinations
from typing import Annotated, Final, Literal

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath
from msgspec import Meta, Struct
from msgspec.structs import replace

from triptych.board import ROWS
from triptych.cards import UNKNOWN_CARD
from triptych.deal.engine import finished, result
from triptych.deal.result import scored_hands
from triptych.deal.view_types import DealView
from triptych.notation.history.model import History, Step, Viewer, record
from triptych.notation.history.read import parse_history
from triptych.notation.history.replay import Frame, check_history, frames, last_state
from triptych.notation.history.text import history_text
from triptych.rulesets.model import Ruleset
from triptych.scoring.sheet.build import SheetPlayer, build_sheet
from triptych.scoring.sheet.hand_names import NATURAL_NAMES
from triptych.scoring.sheet.types import ScoreSheet
from triptych.server.endpoint import endpoint
from triptych.server.services import (
    AnyRequest,
    Services,
    ServicesDep,
    current_guest,
    job_response,
    json_response,
    requester_of,
    run_job,
)
from triptych.server.tables.event_log import decode_events
from triptych.server.wire.decoding import decode_request
from triptych.server.wire.errors import ApiError
from triptych.store.types import StoredEvent
from triptych.table.access import LEAGUE_SEALED
from triptych.table.codec import EventReader
from triptych.table.events import DealBegan
from triptych.table.history import DealReader, PlayedDeal, played_deal
from triptych.table.proofs import history_proofs
from triptych.table.state import TableState, is_sealed, reveals_all

MAX_DEALS: Final = 2**31
_SIGNS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


class ReplayRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A deal's history as text, to be played again."""

    text: Annotated[str, Meta(max_length=60_000)]


class ReplayFrame(Struct, frozen=True):
    """The deal after an action, `at` milliseconds after its start; `hand` acted (None: the dealer)."""

    at: int
    text: str
    hand: int | None
    view: DealView


class Replay(Struct, frozen=True):
    """A finished deal, step by step, with the cards that `seen_by` knew and no others.

    `names` and `stacks` (points before the deal, may be empty) are by hand; `you` is the seat of the one who asks.
    `match` is 0 and `table` may be empty where they are not known; `started` in ISO 8601.
    """

    table: str
    title: str
    match: int
    number: int
    started: str
    names: tuple[str, ...]
    stacks: tuple[int, ...]
    you: int | None
    seen_by: Literal["all", "seat", "spectator"]
    frames: tuple[ReplayFrame, ...]
    sheet: ScoreSheet | None


class DealQuery(Struct, frozen=True):
    """Which deal of a table is asked for, and by whom: a player's id, or one that is unknown for a spectator.

    `match` is the one under way, None between matches; `show_all`: every card is shown after it. `sealed`: others may
    still play these cards, so that only who played the deal reads it.
    """

    events: tuple[StoredEvent, ...]
    number: int
    player: str
    match: int | None
    show_all: bool
    sealed: bool = False


class TableSoFar(Struct, frozen=True):
    """A table after some of its events, and the rules of its last deal, by which the next events are read."""

    state: TableState
    rules: Ruleset | None


class DealsQuery(Struct, frozen=True):
    """Asks for the deals that a player has played, in a table's `events` that follow `before` (None: the first ones).

    `last`: no more events come.
    """

    before: TableSoFar | None
    events: tuple[StoredEvent, ...]
    player: str
    last: bool


class HistoryTexts(Struct, frozen=True):
    """Histories by the number of the deal; the events behind `after` are sent again with those that come next."""

    texts: dict[int, str]
    after: TableSoFar | None


def deal_query(state: TableState, events: Sequence[StoredEvent], number: int, player: str) -> DealQuery:
    """Return what is asked about a deal of a table."""
    match = None if state.match is None else state.match.number
    return DealQuery(tuple(events), number, player, match, reveals_all(state), is_sealed(state))


def load_deal(asked: DealQuery) -> tuple[History, PlayedDeal]:
    """Return a finished deal of a table as a player knew it.

    After a match with `match.show_all` everyone is shown every card. Raises Refusal when there is no such deal, or it
    is somebody else's, of a league that goes on.
    """
    played = played_deal(decode_events(asked.events), asked.number)
    if asked.sealed and (played is None or seat_of_player(played, asked.player) is None):
        raise ApiError("table.league", LEAGUE_SEALED, "$.table", status=403)
    if played is None or played.sheet is None:
        raise _no_deal(asked.number)
    over = asked.match is None or asked.match > played.match
    return _history(played, "all" if asked.show_all and over else seat_of_player(played, asked.player)), played


def _history(played: PlayedDeal, seen_by: Viewer) -> History:
    history = record(played.events, seen_by, played.names)
    started = datetime.fromtimestamp(played.began / 1000, UTC).isoformat(timespec="milliseconds")
    fair = history_proofs(played.fair, played.deal, seen_by)
    return replace(
        history, table=played.table, started=started, stacks=played.stacks, stakes=played.stakes, fair=fair
    )


def history_texts(asked: DealsQuery) -> HistoryTexts:
    """Return finished deals of a table as history texts, as a player who took part in them knew them."""
    state, rules = (None, None) if asked.before is None else (asked.before.state, asked.before.rules)
    events, deals = EventReader(rules), DealReader(state=state)
    played: list[PlayedDeal | None] = []
    for event in events.read(asked.events):
        played.append(deals.read(event))
        if isinstance(event.event, DealBegan):
            rules = events.rules
    if asked.last:
        played.append(deals.end())
    texts = dict(_texts(played, asked.player))
    if deals.before is not None:
        return HistoryTexts(texts, TableSoFar(deals.before, rules))
    return HistoryTexts(texts, None if deals.state is None else TableSoFar(deals.state, events.rules))


def _texts(deals: Iterable[PlayedDeal | None], player: str) -> Iterator[tuple[int, str]]:
    """Yield the numbers and texts of the finished ones among deals in which a player took part."""
    for played in deals:
        if played is not None and played.sheet is not None:
            seat = seat_of_player(played, player)
            if seat is not None:
                yield played.sheet.deal, history_text(_history(played, seat))


def _no_deal(number: int) -> ApiError:
    return ApiError("table.no_deal", f"this table has no finished deal {number}", "$.deal", status=404)


def replay_deal(asked: DealQuery) -> Replay:
    """Return a finished deal of a table to be watched again. Raises Refusal when there is no such deal."""
    history, played = load_deal(asked)
    return _replay(history, played.match, seat_of_player(played, asked.player), played.sheet)


def seat_of_player(played: PlayedDeal, player: str) -> int | None:
    """Return the seat that a player had in a deal, None for a spectator."""
    hands = () if played.sheet is None else played.sheet.hands
    return next((hand.seat for hand in hands if player and played.players[hand.hand] == player), None)


def deal_text(asked: DealQuery) -> str:
    """Return a finished deal of a table as history text. Raises Refusal when there is no such deal."""
    return history_text(load_deal(asked)[0])


def replay_text(text: str) -> Replay:
    """Return a deal's history text to be watched again. Raises NotationError where it breaks its own rules."""
    history = parse_history(text)
    check_history(history)
    you = history.seen_by if isinstance(history.seen_by, int) else None
    return _replay(history, 0, you, _sheet(history))


def _sheet(history: History) -> ScoreSheet | None:
    """Return the sheet of a history with its stakes; settled when it tells the stacks."""
    state = last_state(history)
    if not finished(state):
        return None
    parties = [SheetPlayer(hand.seat, name) for hand, name in zip(history.hands, history.players, strict=True)]
    stacks = {hand.seat: stack for hand, stack in zip(history.hands, history.stacks, strict=False)}
    seats = [hand.seat for hand in history.hands]
    stakes = {
        (min(a, b), max(a, b)): stake
        for (a, b), stake in zip(combinations(seats, 2), history.stakes, strict=False)
        if a != b
    }
    return build_sheet(
        history.rules,
        scored_hands(state),
        result(state),
        parties,
        deal=history.number,
        stakes=stakes,
        stacks=stacks or None,
    )


def _replay(history: History, match: int, you: int | None, sheet: ScoreSheet | None) -> Replay:
    return Replay(
        table=history.table,
        title=history.rules.title or history.rules.name,
        match=match,
        number=history.number,
        started=history.started,
        names=history.players,
        stacks=history.stacks,
        you=you,
        seen_by=_seen_by(history),
        frames=tuple(_replay_frames(history)),
        sheet=sheet,
    )


def _seen_by(history: History) -> Literal["all", "seat", "spectator"]:
    if history.seen_by == "all":
        return "all"
    return "spectator" if history.seen_by is None else "seat"


def _replay_frames(history: History) -> Iterator[ReplayFrame]:
    """Yield what the page shows: the start, then every action but the moves inside a street."""
    first, *rest = _frames(history)
    yield ReplayFrame(first.at, f"{history.players[-1]} has the button", None, first.view)
    for frame in rest:
        step = history.steps[frame.step]
        if step.verb != "arrange":
            yield ReplayFrame(frame.at, _text(history, frame.step), step.hand, frame.view)


def _frames(history: History) -> tuple[Frame, ...]:
    """Return the frames of the history's viewer; whoever knows all sees each board as its owner does."""
    if history.seen_by != "all":
        return frames(history, history.seen_by)
    by_hand = [frames(history, hand.seat) for hand in history.hands]
    return tuple(
        replace(seen[0], view=replace(seen[0].view, boards=tuple(one.view.boards[i] for i, one in enumerate(seen))))
        for seen in zip(*by_hand, strict=True)
    )


def _text(history: History, index: int) -> str:
    """Return an action in a few words."""
    step = history.steps[index]
    name = history.players[step.hand]
    match step.verb:
        case "place":
            late = index > 0 and history.steps[index - 1].verb == "dead"
            return f"{name}{' is out of time:' if late else ''} {_placed(step)}"
        case "hint":
            return f"{name} asks for a hint"
        case "natural":
            return f"{name} takes a natural: {NATURAL_NAMES[step.word].lower()}"
        case "announce":
            return f"{name} {'plays' if step.word == 'play' else 'surrenders'}"
        case _:
            rows = ", ".join(step.rows)
            return f"{name} announces {rows}" if rows else f"{name} announces nothing"


def _placed(step: Step) -> str:
    if step.covered:
        return f"sets {step.covered} cards face down"
    rows = [f"{_signs(getattr(step.layout, row))} {row}" for row in ROWS if getattr(step.layout, row)]
    known = [card for card in step.discards if card != UNKNOWN_CARD]
    gone = f", discards {_signs(known)}" if known else ", discards one" if step.discards else ""
    return f"places {', '.join(rows)}{gone}"


def _signs(cards: Sequence[str]) -> str:
    return " ".join("★" if card.startswith("X") else card[0].replace("T", "10") + _SIGNS[card[1]] for card in cards)


_REPLAY: Final = msgspec.json.Decoder(ReplayRequest)
_STORED: Final = msgspec.msgpack.Decoder(DealQuery)
_SOME: Final = msgspec.msgpack.Decoder(DealsQuery)

# What is played again, for strangers too; worked out in a process of its own.
JOBS: Final[Mapping[str, Callable[[bytes], object]]] = {
    "deal/replay": lambda body: replay_deal(_STORED.decode(body)),
    "deal/text": lambda body: deal_text(_STORED.decode(body)).encode(),
    "deals/texts": lambda body: msgspec.msgpack.encode(history_texts(_SOME.decode(body))),
    "history/replay": lambda body: replay_text(decode_request(body, _REPLAY).text),
}


async def deal_query_from_request(request: AnyRequest, services: Services, table: str, deal: int) -> DealQuery:
    """Return what whoever asks wants to see of a table. Raises Refusal."""
    live = await services.tables.find(table)
    if not is_sealed(live.state):  # what somebody has played there is theirs, wherever they sit now
        live = await services.tables.authorize(table, current_guest(request, services) or "")
    if deal > MAX_DEALS:  # of a number without end nothing is even asked
        raise _no_deal(deal)
    asker = requester_of(request, services)
    services.workers.verify_capacity(asker)
    events = await services.store.load(live.id)
    return deal_query(live.state, events, deal, asker.guest)


@get("/api/tables/{table:str}/deals/{deal:int}/replay", opt=endpoint(Replay, guest=False))
async def deal_replay(
    request: AnyRequest, services: ServicesDep, table: FromPath[str], deal: FromPath[int]
) -> Response[bytes]:
    """Return a finished deal, step by step, as the guest knew it."""
    asked = msgspec.msgpack.encode(await deal_query_from_request(request, services, table, deal))
    return json_response(msgspec.Raw(await run_job("deal/replay", asked, request, services)))


@get("/api/tables/{table:str}/deals/{deal:int}/history", opt=endpoint("text/plain", guest=False))
async def deal_history(
    request: AnyRequest, services: ServicesDep, table: FromPath[str], deal: FromPath[int]
) -> Response[bytes]:
    """Return a finished deal as history text, as the guest knew it."""
    asked = msgspec.msgpack.encode(await deal_query_from_request(request, services, table, deal))
    text = await run_job("deal/text", asked, request, services)
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="deal-{deal}.toml"'}
    return Response(text, media_type="text/plain", headers=headers)


@post("/api/history/replay", status_code=200, opt=endpoint(Replay, ReplayRequest, guest=False))
async def text_replay(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return a deal's history text, step by step."""
    return await job_response("history/replay", request, services)


HANDLERS: Final = (deal_replay, deal_history, text_replay)
