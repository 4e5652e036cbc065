"""Finished deals for the replay page and as text: from the store, or from a client's file.

Events or text become a history as one viewer knows it, and the history is replayed through the deal's views.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import combinations
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from triptych.board import ROWS
from triptych.cards import UNKNOWN_CARD
from triptych.deal.engine import finished, result
from triptych.deal.result import scored_hands
from triptych.i18n.messages import Message, join_with_commas
from triptych.i18n.stored import stored_text
from triptych.notation.history.model import History, Step, Viewer, record
from triptych.notation.history.read import parse_history
from triptych.notation.history.replay import Frame, check_history, frames, last_state
from triptych.notation.history.text import history_text
from triptych.rulesets.describe.phrases import title_text
from triptych.scoring.sheet.build import SheetPlayer, build_sheet
from triptych.scoring.sheet.hand_names import natural_name
from triptych.scoring.sheet.types import ScoreSheet
from triptych.server.schemas.replay import (
    DealQuery,
    DealsQuery,
    HistoryTexts,
    Replay,
    ReplayFrame,
    ReplayRequest,
    TableSoFar,
)
from triptych.server.tables.event_log import decode_events
from triptych.server.wire.decoding import decode_input
from triptych.server.wire.errors import ApiError
from triptych.store.types import StoredEvent
from triptych.table.access import LEAGUE_SEALED
from triptych.table.codec import EventReader
from triptych.table.events import DealBegan
from triptych.table.history import DealReader, PlayedDeal, played_deal
from triptych.table.proofs import history_proofs
from triptych.table.renaming import rename_sheet
from triptych.table.state import TableState, is_sealed, reveals_all

NO_NAMES: Final[Mapping[str, str]] = {}
_SIGNS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


def deal_query(
    state: TableState, events: Sequence[StoredEvent], number: int, player: str, names: Mapping[str, str] = NO_NAMES
) -> DealQuery:
    """Return the query for a deal of a table; `names`: replacements for the names of deleted players."""
    match = None if state.match is None else state.match.number
    return DealQuery(tuple(events), number, player, match, reveals_all(state), is_sealed(state), dict(names))


def load_deal(query: DealQuery) -> tuple[History, PlayedDeal]:
    """Return a finished deal of a table as a player knew it.

    After a match with `match.show_all` everyone may see every card. Raises ApiError when there is no such deal, or
    when its league still runs and the player had no part in it.
    """
    played = played_deal(decode_events(query.events), query.number)
    if query.sealed and (played is None or seat_of_player(played, query.player) is None):
        raise ApiError("table.league", LEAGUE_SEALED, "$.table", status=403)
    if played is None or played.sheet is None:
        raise no_deal_error(query.number)
    played = _renamed(played, query.names)
    is_match_over = query.match is None or query.match > played.match
    return deal_history(
        played, "all" if query.show_all and is_match_over else seat_of_player(played, query.player)
    ), played


def _renamed(played: PlayedDeal, names: Mapping[str, str]) -> PlayedDeal:
    """Return a deal with the names of deleted players replaced."""
    sheet = None if played.sheet is None else rename_sheet(played.sheet, names)
    return replace(played, names=tuple(names.get(name, name) for name in played.names), sheet=sheet)


def deal_history(played: PlayedDeal, seen_by: Viewer) -> History:
    """Return the history of a deal of a table, as a viewer knew it."""
    history = record(played.events, seen_by, played.names)
    started = datetime.fromtimestamp(played.began / 1000, UTC).isoformat(timespec="milliseconds")
    fair = history_proofs(played.fair, played.deal, seen_by)
    return replace(
        history, table=played.table, started=started, stacks=played.stacks, stakes=played.stakes, fair=fair
    )


def history_texts(query: DealsQuery) -> HistoryTexts:
    """Return finished deals of a table as history texts, as a player who took part in them knew them."""
    state, rules = (None, None) if query.before is None else (query.before.state, query.before.rules)
    events, deals = EventReader(rules), DealReader(state=state)
    played: list[PlayedDeal | None] = []
    for event in events.read(query.events):
        played.append(deals.read(event))
        if isinstance(event.event, DealBegan):
            rules = events.rules
    if query.last:
        played.append(deals.end())
    renamed = [None if deal is None else _renamed(deal, query.names) for deal in played]
    texts = dict(_texts(renamed, query.player))
    if deals.before is not None:
        return HistoryTexts(texts, TableSoFar(deals.before, rules))
    return HistoryTexts(texts, None if deals.state is None else TableSoFar(deals.state, events.rules))


def _texts(deals: Iterable[PlayedDeal | None], player: str) -> Iterator[tuple[int, str]]:
    """Yield the numbers and texts of the finished ones among deals in which a player took part."""
    for played in deals:
        if played is not None and played.sheet is not None:
            seat = seat_of_player(played, player)
            if seat is not None:
                yield played.sheet.deal, history_text(deal_history(played, seat))


def no_deal_error(number: int) -> ApiError:
    """Return the error for a deal that a table has not finished."""
    return ApiError("table.no_deal", Message("error.table.no_deal", number=number), "$.deal", status=404)


def replay_deal(query: DealQuery) -> Replay:
    """Return the replay of a finished deal of a table. Raises ApiError when there is no such deal."""
    history, played = load_deal(query)
    return _replay(history, played.match, seat_of_player(played, query.player), played.sheet)


def seat_of_player(played: PlayedDeal, player: str) -> int | None:
    """Return the seat that a player had in a deal, None for a spectator."""
    hands = () if played.sheet is None else played.sheet.hands
    return next((hand.seat for hand in hands if player and played.players[hand.hand] == player), None)


def deal_text(query: DealQuery) -> str:
    """Return a finished deal of a table as history text. Raises ApiError when there is no such deal."""
    return history_text(load_deal(query)[0])


def replay_text(text: str) -> Replay:
    """Return the replay of a deal's history text. Raises NotationError where it breaks its own rules."""
    history = parse_history(text)
    check_history(history)
    you = history.seen_by if isinstance(history.seen_by, int) else None
    return _replay(history, 0, you, _sheet(history))


def _sheet(history: History) -> ScoreSheet | None:
    """Return the sheet of a history with its stakes; settled when it contains the stacks."""
    state = last_state(history)
    if not finished(state):
        return None
    players = [SheetPlayer(hand.seat, name) for hand, name in zip(history.hands, history.players, strict=True)]
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
        players,
        deal=history.number,
        stakes=stakes,
        stacks=stacks or None,
    )


def _replay(history: History, match: int, you: int | None, sheet: ScoreSheet | None) -> Replay:
    return Replay(
        table=history.table,
        title=title_text(history.rules.title or history.rules.name),
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
    """Yield the page's frames: the start, then every action except the moves inside a street."""
    first, *rest = _frames(history)
    yield ReplayFrame(first.at, Message("replay.button", name=history.players[-1]), None, first.view)
    for frame in rest:
        step = history.steps[frame.step]
        if step.verb != "arrange":
            yield ReplayFrame(frame.at, _text(history, frame.step), step.hand, frame.view)


def _frames(history: History) -> tuple[Frame, ...]:
    """Return the frames of the history's viewer; one who may see all sees each board as its owner does."""
    if history.seen_by != "all":
        return frames(history, history.seen_by)
    by_hand = [frames(history, hand.seat) for hand in history.hands]
    return tuple(
        replace(
            frames_of_hands[0],
            view=replace(
                frames_of_hands[0].view,
                boards=tuple(owner_frame.view.boards[i] for i, owner_frame in enumerate(frames_of_hands)),
            ),
        )
        for frames_of_hands in zip(*by_hand, strict=True)
    )


def _text(history: History, index: int) -> str:
    """Return an action in a few words."""
    step = history.steps[index]
    name = history.players[step.hand]
    match step.verb:
        case "place":
            late = index > 0 and history.steps[index - 1].verb == "dead"
            return _placed(name, step, late=late)
        case "hint":
            return Message("announce.hint", name=name)
        case "natural":
            return Message("replay.natural", name=name, natural=natural_name(step.word))
        case "announce":
            return Message("replay.plays" if step.word == "play" else "replay.surrenders", name=name)
        case _:
            if not step.rows:
                return Message("replay.declares_nothing", name=name)
            rows = join_with_commas([Message(f"row.{row}") for row in step.rows])
            return Message("replay.declares", name=name, rows=rows)


def _placed(name: str, step: Step, *, late: bool) -> str:
    if step.covered:
        return Message("replay.late_sets" if late else "replay.sets", name=name, count=step.covered)
    parts: list[str] = [
        Message("replay.row", cards=_signs(cards), row=Message(f"row.{row}"))
        for row in ROWS
        if (cards := getattr(step.layout, row))
    ]
    faces = [card for card in step.discards if card != UNKNOWN_CARD]
    if faces:
        parts.append(Message("replay.discards", cards=_signs(faces)))
    elif step.discards:
        parts.append(Message("replay.discards_one"))
    return Message("replay.late_places" if late else "replay.places", name=name, rows=join_with_commas(parts))


def _signs(cards: Sequence[str]) -> str:
    return " ".join("★" if card.startswith("X") else card[0].replace("T", "10") + _SIGNS[card[1]] for card in cards)


_DEAL: Final = msgspec.msgpack.Decoder(DealQuery)
_DEALS: Final = msgspec.msgpack.Decoder(DealsQuery)
# The jobs that requests may start, in a worker process.
JOBS: Final[Mapping[str, Callable[[bytes], object]]] = {
    "deal/replay": lambda body: replay_deal(_DEAL.decode(body)),
    "deal/text": lambda body: deal_text(_DEAL.decode(body)).encode(),
    "deals/texts": lambda body: msgspec.msgpack.encode(history_texts(_DEALS.decode(body)), enc_hook=stored_text),
    "history/replay": lambda body: replay_text(decode_input(body, ReplayRequest).text),
}
