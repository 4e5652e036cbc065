"""The addresses of reviews and analyses. A browser is told what to review and thinks for itself; a program asks here.

What is thought here is thought by a process of its own, a decision at a time, and an address has a budget of them. No
deal is reviewed while it is played at any table that has its cards, and nobody who plays is told what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from triptych.deal.stacks import Stacks
from triptych.notation.history.model import History
from triptych.notation.history.read import parse_history
from triptych.notation.history.replay import check_history
from triptych.rulesets.load import resolve
from triptych.server.edge.rate_limits import ANALYSES
from triptych.server.endpoint import contract
from triptych.server.routes.replay import StoredDeal, asked_stored, seat_of_player, stored_deal, text_stored
from triptych.server.routes.review_setup import review_form
from triptych.server.schemas.review import (
    AskPosition,
    AskReview,
    AskReviewForm,
    OneDecision,
    ReviewForm,
)
from triptych.server.services import (
    AnyRequest,
    Desk,
    address_of,
    answer,
    asker_of,
    read_body,
    verify_guest,
    verify_same_site,
    work_out,
    worked_out,
)
from triptych.server.wire.decoding import read
from triptych.server.wire.errors import Refusal
from triptych.solve.analysis.analyse import Analysis, Budget, analyse
from triptych.solve.analysis.review import Decision, Review, decided, reviewed, streets_asked, verify_reviewable
from triptych.solve.value.weights import packaged

_MOST_SLICES: Final = 60  # of a search; what is not known well enough then says so by its error
_MOST_TABLES: Final = 2  # of learned weights that the process keeps
_REVIEW: Final = msgspec.json.Decoder(AskReview)
_FORM: Final = msgspec.json.Decoder(AskReviewForm)
_POSITION: Final = msgspec.json.Decoder(AskPosition)
_STORED: Final = msgspec.msgpack.Decoder(StoredDeal)
_ONE: Final = msgspec.msgpack.Decoder(OneDecision)
_TOGETHER: Final = msgspec.msgpack.Decoder(tuple[str, tuple[Decision, ...]])
_DECISION: Final = msgspec.msgpack.Decoder(Decision)


def _form_stored(asked: StoredDeal) -> ReviewForm:
    history, played = stored_deal(asked)
    _verify_played_out(asked)
    return review_form(history, seat_of_player(played, asked.player), played.match)


def _text_to_review(asked: StoredDeal) -> str:
    text = text_stored(asked)
    _verify_played_out(asked)
    return text


def _verify_played_out(asked: StoredDeal) -> None:
    if asked.sealed:
        message = "other tables of this league play the same cards; it is reviewed when the league is over"
        raise Refusal("review.held", message, "$.deal", status=409)


def _form_text(text: str) -> ReviewForm:
    history = _read(text)
    return review_form(history, history.seen_by if isinstance(history.seen_by, int) else None)


def _read(text: str) -> History:
    history = parse_history(text)
    check_history(history)
    return history


def _count(text: str) -> int:
    history = _read(text)
    verify_reviewable(history)
    return len(streets_asked(history))


def _one(asked: OneDecision) -> Decision:
    _forget_tables()
    history = parse_history(asked.text)
    budget = Budget(asked.error, _MOST_SLICES, shared=False)
    return decided(history, streets_asked(history)[asked.index], budget, asked.seed)


def _position(asked: AskPosition) -> Analysis:
    _forget_tables()
    stacks = Stacks(asked.stacks, asked.point, prizes=asked.prizes) if asked.stacks else None
    budget = Budget(asked.error, _MOST_SLICES, asked.top, shared=False)
    return analyse(asked.position, resolve(asked.rules), budget, hand=asked.hand, seed=asked.seed, stacks=stacks)


def _forget_tables() -> None:
    if packaged.cache_info().currsize > _MOST_TABLES:
        packaged.cache_clear()


# What is only read and played again.
JOBS: Final[Mapping[str, Callable[[bytes], object]]] = {
    "deal/review": lambda body: _form_stored(_STORED.decode(body)),
    "deal/to_review": lambda body: _text_to_review(_STORED.decode(body)).encode(),
    "history/review": lambda body: _form_text(read(body, _FORM).text),
    "history/streets": lambda body: _count(body.decode()),
}
# What is searched, which takes seconds.
THOUGHT: Final[Mapping[str, Callable[[bytes], object]]] = {
    "decision": lambda body: msgspec.msgpack.encode(_one(_ONE.decode(body))),
    "position": lambda body: _position(read(body, _POSITION)),
    "review": lambda body: _together(*_TOGETHER.decode(body)),
}


def _together(text: str, decisions: tuple[Decision, ...]) -> Review:
    return reviewed(parse_history(text), decisions)


@get("/api/tables/{table:str}/deals/{deal:int}/review", opt=contract(ReviewForm, guest=False, refused=(400, 409)))
async def deal_review(
    request: AnyRequest, services: Desk, table: FromPath[str], deal: FromPath[int]
) -> Response[bytes]:
    """Return what a browser reviews a finished deal with, as the guest knew it."""
    asked = msgspec.msgpack.encode(await asked_stored(request, services, table, deal))
    return answer(msgspec.Raw(await work_out("deal/review", asked, request, services)))


@post("/api/history/review", status_code=200, opt=contract(ReviewForm, AskReviewForm, guest=False))
async def text_review(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Return what a browser reviews a deal's history text with."""
    return await worked_out("history/review", request, services)


@post("/api/review", status_code=200, opt=contract(Review, AskReview, refused=(404, 409, 429)))
async def review(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Return a finished deal's review, as `triptych review --json` gives it: worked out here, which takes seconds."""
    verify_guest(request, services)
    asked = await read_body(request, _REVIEW)
    text = asked.text
    if not text:
        stored = msgspec.msgpack.encode(await asked_stored(request, services, asked.table, asked.deal))
        text = (await work_out("deal/to_review", stored, request, services)).decode()
    count = msgspec.json.decode(await work_out("history/streets", text.encode(), request, services), type=int)
    asker = asker_of(request, services)
    decisions: list[Decision] = []
    for index in range(count):
        services.addresses.spend(ANALYSES, asker.address)
        one = msgspec.msgpack.encode(OneDecision(text, index, asked.error, asked.seed))
        decisions.append(_DECISION.decode(await services.thinkers.do("decision", one, asker)))
    together = msgspec.msgpack.encode((text, decisions))
    return answer(msgspec.Raw(await services.thinkers.do("review", together, asker)))


@post("/api/analyse", status_code=200, opt=contract(Analysis, AskPosition, refused=(409, 429)))
async def analyse_position(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Return what each placement of a position is worth, as `triptych analyse --json` gives it: worked out here."""
    verify_same_site(request)
    player = verify_guest(request, services)
    if any(one.phase == "playing" for one in services.tables.seats_of(player)):
        raise Refusal("review.playing", "you are playing; ask again when the deal is over", status=409)
    services.addresses.spend(ANALYSES, address_of(request))
    body = await request.body()
    return answer(msgspec.Raw(await services.thinkers.do("position", body, asker_of(request, services))))


HANDLERS: Final = (deal_review, text_review, review, analyse_position)
