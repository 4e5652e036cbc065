"""Whatever the kernel of the browsers is asked, it answers or says why not, and lives; issue 14, part 1.

How: answers of questions that are cut short, too long, changed in one byte or out of bounds.
"""

from __future__ import annotations

import struct
from random import Random
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from tests.examples import examples
from tests.web_kernel.host import RefusedError, WebKernel, browser_bundle, cards_of, u32
from tests.web_kernel.positions import OpenPosition, open_position, random_rows, shuffled
from triptych.rulesets.compile import to_kernel_ints
from triptych.rulesets.load import resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

RULES = resolve("pineapple")
SIZE, VALUE, NOT_HELD, TOO_MUCH = 1, 2, 3, 4  # native/web/bytes.hpp
CHANGES = examples(100)  # of each question


@pytest.fixture(scope="module")
def web() -> Iterator[WebKernel]:
    with WebKernel() as kernel:
        yield kernel


def _rules(name: str = "pineapple") -> bytes:
    numbers = to_kernel_ints(resolve(name))
    return struct.pack(f"<{len(numbers)}i", *numbers)


def _questions(web: WebKernel, chance: Random) -> Iterator[tuple[str, bytes]]:
    """Yield a right question of each kind that begins with a number of what is kept."""
    rules = web.keep("keep_rules", _rules())
    closed = web.keep("keep_rules", _rules("closed_1_6"))
    pack = shuffled(chance, RULES)
    hands = [bytes((0,)) + pack[13 * at : 13 * at + 13] for at in range(2)]
    rows, left = random_rows(chance, pack[:9]), pack[9:]
    yield "score_deal", u32(rules, 2) + b"".join(bytes((0, 7, 0, 0, at)) + hand[1:] for at, hand in enumerate(hands))
    yield "score_board", u32(rules) + pack[:13]
    yield "row_bounds", u32(rules, 0) + b"".join(map(cards_of, rows))
    whole = b"".join(map(cards_of, (b"", b"", b"")))
    yield "complete", u32(rules, 14, 1) + struct.pack("<18d", *[9.0] * 18) + whole + cards_of(pack[:14]) + u32(0)
    yield "outs", u32(rules) + b"".join(map(cards_of, rows)) + cards_of(left[:30]) + u32(6, 20, 20) + bytes(8)
    pool = web.keep("keep_field", u32(closed, len(hands)), *hands)
    yield "closed_choose", u32(pool) + pack[26:39] + cards_of(b"") + u32(1, 0, 0)
    against = u32(1) + struct.pack("<d", 1.0) + u32(2) + b"".join(hands) + u32(0)
    yield "closed_against", u32(closed) + pack[26:39] + against
    player = web.keep("keep_player", browser_bundle(RULES) or b"")
    place = open_position(chance, RULES, 2)
    yield "analysis_begin", u32(player) + place.question()
    analysis = web.keep("analysis_begin", u32(player), place.question())
    yield "analysis_measure", u32(analysis, 2, 0, 1, 3) + bytes(16)
    yield "analysis_sample", u32(analysis, 2, 0, 1, 3) + bytes(16)
    yield "analysis_race", u32(analysis, 2, 10)
    yield "analysis_step", u32(analysis, 4) + bytes(8)
    yield "analysis_read", u32(analysis)


def test_cut_and_lengthened_questions_are_refused(web: WebKernel) -> None:
    for name, right in _questions(web, Random(1)):
        web.ask(name, right)
        for size in {0, 3, len(right) // 2, len(right) - 1}:
            with pytest.raises(RefusedError):
                web.ask(name, right[:size])
        with pytest.raises(RefusedError) as longer:
            web.ask(name, right, b"\0")
        assert (longer.value.status, longer.value.why) == (SIZE, "the question is too long")


def test_no_changed_question_ends_it(web: WebKernel) -> None:
    """After each of them it still answers the right one as before."""
    chance = Random(2)
    for name, right in _questions(web, chance):
        before = web.ask(name, right) if name.startswith(("score", "row", "complete", "outs", "closed")) else None
        for _ in range(CHANGES):
            wrong = bytearray(right)
            wrong[chance.randrange(len(wrong))] = chance.choice((0, 1, 53, 54, 127, 128, 255))
            if name == "analysis_race":
                wrong[8:12] = right[8:12]  # a million rollouts are a right question, and take long
            if name in {"analysis_measure", "analysis_sample"}:
                wrong[8:12] = right[8:12]
                wrong[16:20] = right[16:20]
            status, why = _said(web, name, bytes(wrong))
            assert status in {0, SIZE, VALUE, NOT_HELD, TOO_MUCH}
            assert bool(why) == (status != 0)
        if before is not None:
            assert web.ask(name, right) == before


def _said(web: WebKernel, name: str, question: bytes) -> tuple[int, str]:
    try:
        web.ask(name, question)
    except RefusedError as refused:
        return refused.status, refused.why
    return 0, ""


@pytest.mark.parametrize(
    ("name", "question", "status"),
    [
        ("drop", u32(99_999), NOT_HELD),
        ("score_board", u32(0) + bytes(range(13)), NOT_HELD),
        ("keep_rules", _rules()[:-4], SIZE),
        ("keep_rules", struct.pack("<i", -2) + _rules()[4:], VALUE),
        ("keep_rules", b"\xff\xff\xff\x7f" * (len(_rules()) // 4), VALUE),
    ],
)
def test_bad_requests_are_refused(web: WebKernel, name: str, question: bytes, status: int) -> None:
    with pytest.raises(RefusedError) as refused:
        web.ask(name, question)
    assert refused.value.status == status


def test_a_player_that_is_cut_short_is_refused(web: WebKernel) -> None:
    with pytest.raises(RefusedError) as refused:
        web.ask("keep_player", (browser_bundle(RULES) or b"")[:-1])
    assert refused.value.status == SIZE


WRONG_ORDERS = {
    "the order of a hand's cards has other streets": [bytes([1, 2, 2]), bytes([1, 2, 2, 1, 3, 3, 1, 3, 5])],
    "a hand's cards cannot have come in this order": [
        bytes([1, 3, 2, 1, 3, 3]),  # six cards on the first street
        bytes([1, 1, 2, 1, 3, 3]),
        bytes([2, 2, 1, 1, 3, 3]),  # a card less in front
        bytes([1, 2, 2, 2, 2, 3]),  # other rows than lie there
        bytes([255, 2, 4, 1, 3, 3]),
        bytes(6),
    ],
}


def test_an_order_in_which_cards_cannot_have_come_is_refused(web: WebKernel) -> None:
    player, pack = web.keep("keep_player", browser_bundle(RULES) or b""), bytes(range(52))
    own = (pack[:1], pack[1:4], pack[4:7])
    other = (pack[7:8], pack[8:11], pack[11:14])
    place = OpenPosition(
        2, 0, pack[14:17], sum(1 << card for card in pack[19:]), ((*own, 2, 0, 0), (*other, 2, 0, 0))
    )
    right = bytes([1, 2, 2, 1, 3, 3])
    for orders in ((), (right, b""), (b"", right), (right, right)):
        web.ask("drop", u32(web.keep("analysis_begin", u32(player), replace(place, orders=orders).question())))
    for why, wrong in WRONG_ORDERS.items():
        for orders in [(order, right) for order in wrong] + [(b"", order) for order in wrong]:
            with pytest.raises(RefusedError) as refused:
                web.ask("analysis_begin", u32(player), replace(place, orders=orders).question())
            assert (refused.value.status, refused.value.why) == (VALUE, why)
    for cut in (replace(place, orders=(b"", right)).question(), place.question()):
        with pytest.raises(RefusedError) as short:
            web.ask("analysis_begin", u32(player), cut[:-5])  # the length of the stacks, and a byte before it
        assert short.value.status == SIZE


def test_a_fantasyland_has_no_order(web: WebKernel) -> None:
    player, pack = web.keep("keep_player", browser_bundle(RULES) or b""), bytes(range(52))
    fantasylands = ((pack[:1], pack[1:3], pack[3:5], 1, 0, 0), (b"", b"", b"", 0, 14, 1))
    place = OpenPosition(1, 0, pack[5:8], sum(1 << card for card in pack[8:]), fantasylands)
    assert web.ask("analysis_begin", u32(player), place.question())
    wrong = replace(place, orders=(b"", bytes([1, 2, 2])))
    with pytest.raises(RefusedError) as refused:
        web.ask("analysis_begin", u32(player), wrong.question())
    assert refused.value.status == VALUE


def test_a_card_lies_in_one_place(web: WebKernel) -> None:
    rules = web.keep("keep_rules", _rules())
    for wrong in (bytes([5, *range(12)]), bytes([54, *range(12)])):
        with pytest.raises(RefusedError) as refused:
            web.ask("score_board", u32(rules), wrong)
        assert refused.value.status == VALUE
    twice = b"".join(map(cards_of, (b"\1", b"\2", b"\1")))
    with pytest.raises(RefusedError, match="twice"):
        web.ask("row_bounds", u32(rules, 0), twice)


def test_the_cache_has_a_limit_and_what_is_dropped_is_gone() -> None:
    with WebKernel() as web:
        numbers = [web.keep("keep_rules", _rules()) for _ in range(256)]
        with pytest.raises(RefusedError) as refused:
            web.ask("keep_rules", _rules())
        assert refused.value.status == TOO_MUCH
        web.ask("drop", u32(numbers[7]))
        with pytest.raises(RefusedError, match="nothing of that kind"):
            web.ask("score_board", u32(numbers[7]), bytes(range(13)))
        assert web.keep("keep_rules", _rules()) == numbers[-1] + 1


def test_hands_on_impossible_streets_are_refused(web: WebKernel) -> None:
    """As natively (issue 27.1): behind or ahead of the one that acts, or with cards that no street leaves."""
    player, pack = web.keep("keep_player", browser_bundle(RULES) or b""), bytes(range(52))
    own, other = (pack[:1], pack[1:3], pack[3:5], 1, 0, 0), (pack[5:6], pack[6:8], pack[8:10])
    place = OpenPosition(1, 0, pack[13:16], sum(1 << card for card in pack[16:]), (own, (*other, 1, 0, 0)))
    web.ask("drop", u32(web.keep("analysis_begin", u32(player), place.question())))
    for hand in (
        (*other, 2, 0, 0),
        (*other, 0, 0, 0),
        (b"", b"", b"", 0, 0, 0),
        (b"", b"", b"", 0, 12, 0),
        (*other, 0, 14, 1),
        (*own[:3], 1, 0, 0),
    ):
        with pytest.raises(RefusedError) as refused:
            web.ask("analysis_begin", u32(player), replace(place, hands=(own, hand)).question())
        assert refused.value.status == VALUE
