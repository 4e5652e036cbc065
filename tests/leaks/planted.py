"""Small leaks, each planted into the running code for as long as a test wants: twin sessions have to find them."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch

import structlog
from msgspec.structs import replace

from tests.leaks import twins
from triptych.cards import cards_text
from triptych.deal import board_projection as deal_face
from triptych.deal import project as deal_view
from triptych.deal.board_projection import FACE_PATHS, board_view
from triptych.server.bots import driver as bots
from triptych.server.jobs import replay
from triptych.server.tables import actor as live
from triptych.server.tables import subscribers as audience
from triptych.table import events as e
from triptych.table import view
from triptych.table.evolve import core as evolve
from triptych.table.view_diff import ViewDiff

if TYPE_CHECKING:
    from collections.abc import Callable

    from triptych.table.state import TableState

Plant = AbstractContextManager[Any]


def _of(module: object, name: str) -> Any:
    """Return what a module has, also what it has taken from another one."""
    return vars(module)[name]


def _instead(module: Any, name: str, wrap: Callable[[Any], Any]) -> Plant:
    """Replace what stands there by what `wrap` makes of it."""
    return patch.object(module, name, wrap(_of(module, name)))


def _always_own(name: str) -> Plant:
    """Plant that a function of a board's face takes everybody for its owner."""
    return _instead(deal_face, name, lambda real: lambda *args, **_own: real(*args, own=True))


def _deck(state: TableState) -> int:
    """Return something of what nobody knows."""
    deal = state.deal
    return deal.deck[-1] if deal is not None and deal.deck else 0


def _face(change: Callable[[Any, Any], dict[str, object]]) -> Plant:
    """Plant a change of both faces: of the hand and the board that is shown of it."""

    def wrap(real: Any) -> Any:
        def faces(state: Any, index: int, *, acts: bool, score: Any) -> Any:
            hand = state.hands[index]

            def changed(face: Any) -> Any:
                changes = change(hand, board_view(index, hand.seat, face))
                return tuple([changes.get(*pair) for pair in zip(FACE_PATHS, face, strict=True)])

            return tuple(map(changed, real(state, index, acts=acts, score=score)))

        return faces

    return _instead(deal_view, "project_board", wrap)


def _discards_shown() -> Plant:
    return _face(lambda hand, _face: {"discards": cards_text(hand.discards)})


def _discards_by_rank() -> Plant:
    return _face(lambda hand, face: {"in_row": face.in_row + sum(card >> 2 for card in hand.discards) % 2})


def _number_of_draws() -> Plant:
    return _face(lambda hand, face: {"draws": "".join(face.draws) + "??" * (sum(hand.drawn) % 2)})


def _covered_tells() -> Plant:
    return _face(lambda hand, face: {"street": face.street + face.face_down * (sum(hand.board.cards) % 2)})


def _face_down_shown() -> Plant:
    return patch.object(deal_face, "is_face_down", lambda _state, _hand: False)


def _all_events() -> Plant:
    return patch.object(audience, "visible_event", lambda _state, _player, _version, event: event.event)


def _private_events() -> Plant:
    def wrap(real: Any) -> Any:
        return lambda state, player, version, event: (
            event.event if type(event).__name__ == "Private" else real(state, player, version, event)
        )

    return _instead(audience, "visible_event", wrap)


def _forerunners_events() -> Plant:
    def wrap(real: Any) -> Any:
        return lambda state, player, _version, event: real(state, player, 1 << 40, event)

    return _instead(audience, "visible_event", wrap)


def _one_text_for_all() -> Plant:
    def wrap(real: Any) -> Any:
        def views(*args: Any) -> Any:
            table_views = real(*args)
            table_views.guests_with_own_view = frozenset()
            return table_views

        return views

    return _instead(audience, "TableViews", wrap)


def _parts_of_the_first() -> Plant:
    of = ViewDiff.for_player

    def first(self: ViewDiff, player: str) -> Any:
        return of(self, self.after.state.seats[0].player or player)

    return patch.object(ViewDiff, "for_player", first)


def _whole_of_the_first() -> Plant:
    whole = audience.Subscribers._full_view

    def first(self: Any, views: Any, viewer: Any) -> bytes:
        return whole(self, views, twins.RecordingSubscriber(views.state.seats[0].player or viewer.player))

    return patch.object(audience.Subscribers, "_full_view", first)


def _prompt_knows() -> Plant:
    def wrap(real: Any) -> Any:
        def prompt(state: Any, *args: Any) -> Any:
            line = real(state, *args)
            return line._replace(text=line.text + " " * (_deck(state) % 2))

        return prompt

    return _instead(view, "prompt", wrap)


def _talk_knows() -> Plant:
    def wrap(real: Any) -> Any:
        def narrate(state: Any, event: Any) -> str | None:
            line: str | None = real(state, event)
            return f"{line} {_deck(state)}" if line and isinstance(event, e.DealSettled) else line

        return narrate

    return _instead(evolve, "announce", wrap)


def _log_knows() -> Plant:
    original = live.TableActor._note_banks

    def note(self: Any, events: Any, before: Any) -> None:
        structlog.get_logger().info("moved", card=_deck(self.state))
        original(self, events, before)

    return patch.object(live.TableActor, "_note_banks", note)


def _glance_knows() -> Plant:
    return _instead(twins, "summarize", lambda real: lambda state: replace(real(state), dropped=_deck(state) % 2))


def _time_knows() -> Plant:
    publish = audience.Subscribers.broadcast
    return patch.object(
        audience.Subscribers,
        "broadcast",
        lambda self, state, events, now: publish(self, state, events, now + _deck(state) % 2),
    )


def _proof_knows() -> Plant:
    """The proof of parts is made of what the first seat holds."""
    parts = audience.Subscribers._patch
    whole = audience.Subscribers._full_view

    def first(self: Any, patches: Any, viewer: Any) -> Any:
        with patch.object(
            audience.Subscribers,
            "_full_view",
            lambda own, views, _viewer: whole(own, views, twins.RecordingSubscriber(views.state.seats[0].player)),
        ):
            return parts(self, patches, viewer)

    return patch.object(audience.Subscribers, "_patch", first)


def _bots_know() -> Plant:
    def wrap(real: Any) -> Any:
        def view_with_deck(state: Any, player: str) -> Any:
            real_view = real(state, player)
            return replace(
                real_view, deal=None if real_view.deal is None else replace(real_view.deal, street=_deck(state))
            )

        return view_with_deck

    return _instead(bots, "view", wrap)


def _replays_know() -> Plant:
    return patch.object(replay, "seat_of_player", lambda played, _player: played.sheet.hands[0].seat)


def _replays_show_all() -> Plant:
    return _instead(replay, "deal_history", lambda real: lambda played, _seen_by: real(played, "all"))


def _http_knows() -> Plant:
    def wrap(real: Any) -> Any:
        return lambda state, player: real(state, state.seats[0].player or player)

    return _instead(twins, "view", wrap)


def _seats_know() -> Plant:
    """A seat's time bank says something of its discards."""

    def wrap(real: Any) -> Any:
        def seat(state: Any, player: Any) -> Any:
            held = () if state.deal is None else [hand for hand in state.deal.hands if hand.seat == player.seat]
            return replace(real(state, player), bank_ms=sum(sum(hand.discards) for hand in held))

        return seat

    return _instead(view, "_seat", wrap)


PLANTED: Final[dict[str, Callable[[], Plant]]] = {
    "discards lie open": _discards_shown,
    "discards tell by a number": _discards_by_rank,
    "draws tell by how many they are": _number_of_draws,
    "draws are shown as to their owner": lambda: _always_own("_visible_draws"),
    "boards are shown as to their owner": lambda: _always_own("_visible_board"),
    "a covered board's street tells of its cards": _covered_tells,
    "what lies face down lies open": _face_down_shown,
    "all events go to all": _all_events,
    "private events go to all": _private_events,
    "a newcomer hears what the seat saw": _forerunners_events,
    "all viewers get one text": _one_text_for_all,
    "all get the parts of the first seat": _parts_of_the_first,
    "all get the whole view of the first seat": _whole_of_the_first,
    "the prompt knows the deck": _prompt_knows,
    "the talk knows the deck": _talk_knows,
    "a log knows the deck": _log_knows,
    "the lobby knows the deck": _glance_knows,
    "the time of a message knows the deck": _time_knows,
    "a proof is made of another's view": _proof_knows,
    "a bot is given something of the deck": _bots_know,
    "replays are those of the first seat": _replays_know,
    "replays show everything": _replays_show_all,
    "HTTP shows the first seat's view": _http_knows,
    "a seat's numbers know its discards": _seats_know,
}


def find(name: str, seeds: range) -> tuple[int, str] | None:
    """Return the first seed whose twins tell of a planted leak, and the first difference; None when none does."""
    for seed in seeds:
        with PLANTED[name]():
            findings = twins.pairs(seed).found
        if findings:
            return seed, findings[0]
    return None
