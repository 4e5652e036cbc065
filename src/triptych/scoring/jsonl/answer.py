"""Answer one line of the scoring contract (Rules §8)."""

from __future__ import annotations

from triptych.board import ROWS
from triptych.json_input import Json, reply_to_line
from triptych.scoring.errors import RequestError
from triptych.scoring.jsonl.request import Request, is_removed, parse_request
from triptych.scoring.settle import Amount, Due, plain_amount, settle
from triptych.scoring.showdown import DealScore, HandScore, ScoreError, score_deal


def process_line(line: bytes | str) -> tuple[Json, bool]:
    """Return the answer to one line and whether it could be scored; a bad line is answered with its error.

    `pairs` are before stakes and caps, `totals` after stakes and before caps, `stacks` after both. Points of
    `first_to_11` belong to no pair: they are only in `totals`. Hands of one owner do not play each other; their pair
    is 0, as is that of two players who only play the banker. `stacks` observe the table stakes and the loss limit.
    """
    return reply_to_line(line, _response)


def _response(document: Json) -> Json:
    if is_removed(document):
        return {"removed": True}
    return response_for(parse_request(document))


def response_for(request: Request) -> Json:
    """Return the answer to a parsed request. Raises RequestError `player.natural`."""
    if request.points is not None:
        return {"totals": dict(zip(request.names, map(plain_amount, request.points), strict=True))}
    return _scored(request) if request.hands else _settled(request)


def score_request(request: Request) -> DealScore:
    """Return the score of a request's hands. Raises RequestError `player.natural`."""
    try:
        return score_deal(request.rules, request.hands)
    except ScoreError as error:
        path = f"$.players.{request.names[error.hand]}.natural"
        raise RequestError("player.natural", error.message, path) from error


def _scored(request: Request) -> Json:
    score = score_request(request)
    names = request.names
    hands = dict(zip(names, score.hands, strict=True))
    by_row = request.rules.foul.scope == "rows"
    body: Json = {
        "legal": {name: hand.status == "legal" for name, hand in hands.items() if hand.status in ("legal", "foul")},
        "royalties": {
            name: _royalties(hand)
            for name, hand in hands.items()
            if hand.status == "legal" or (by_row and hand.status == "foul")
        },
    }
    points: dict[tuple[int, int], Amount] = {(pair.a, pair.b): pair.points for pair in score.pairs}
    body |= _totals(request, points, score)
    body["fantasyland"] = {name: hand.fantasyland for name, hand in hands.items()}
    return body


def _settled(request: Request) -> Json:
    count = len(request.names)
    return _totals(request, {(a, b): request.pairs.get((a, b), 0) for a in range(count) for b in range(a + 1, count)})


def _royalties(hand: HandScore) -> dict[str, int]:
    return dict(zip(ROWS, hand.royalties, strict=True))


def _totals(request: Request, points: dict[tuple[int, int], Amount], score: DealScore | None = None) -> Json:
    """Return `pairs`, `totals` and `stacks`; the pairs come in position order (source 002 L53)."""
    names, owners = request.names, request.owners
    totals: list[Amount] = [0] * len(request.owner_names)
    if score is not None:
        for owner, hand in zip(owners, score.hands, strict=True):
            totals[owner] += hand.table_points
    dues: list[Due] = []
    for (a, b), amount in points.items():
        staked = amount * request.stakes.get((a, b), request.default_stake)
        if owners[a] != owners[b]:
            totals[owners[a]] += staked
            totals[owners[b]] -= staked
            natural = score is not None and bool(score.hands[a].natural or score.hands[b].natural)
            dues.append(Due(owners[a], owners[b], staked, natural))
    body: Json = {
        "pairs": {f"{names[a]}-{names[b]}": plain_amount(amount) for (a, b), amount in points.items()},
        "totals": _by_owner(request, totals),
    }
    if request.stacks is not None:
        settled = settle(dues, request.stacks, request.rules.settlement)
        body["stacks"] = _by_owner(request, settled.stacks)
    return body


def _by_owner(request: Request, amounts: list[Amount] | tuple[Amount | None, ...]) -> dict[str, Amount]:
    return {
        name: plain_amount(amount)
        for name, amount in zip(request.owner_names, amounts, strict=True)
        if amount is not None
    }
