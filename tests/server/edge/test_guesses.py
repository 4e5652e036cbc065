"""Tries of a password are counted by what it opens, from wherever they come (issue 27.17)."""

from __future__ import annotations

from tests.server.edge.test_address_limits import Clock
from triptych.server.edge.guesses import ACCOUNT, Delay, Guesses
from triptych.server.wire.errors import ApiError
from triptych.server.wire.messages import LimitHit

DELAY = Delay(3, 10.0)


def waits(guesses: Guesses, of: str, delay: Delay = DELAY) -> int:
    """Return how long a try has to wait; 0 when it may be made, which counts it."""
    try:
        guesses.spend(of, delay)
    except ApiError as error:
        refusal = error
    else:
        return 0
    assert (refusal.code, refusal.status, refusal.path) == ("password.too_many", 429, "$.password")
    assert isinstance(refusal.limit, LimitHit)
    assert refusal.limit.key == "passwords"
    return refusal.limit.seconds


def test_each_waits_longer_than_the_one_before_up_to_a_bound() -> None:
    clock = Clock()
    guesses = Guesses(clock)
    assert [waits(guesses, "ann") for _ in range(3)] == [0, 0, 0]
    for wait in (1, 2, 4, 8, 10, 10):
        assert waits(guesses, "ann") == wait + 1
        clock.now += wait - 0.01
        assert waits(guesses, "ann") == 1  # asking while one has to wait costs nothing
        clock.now += 0.01
        assert waits(guesses, "ann") == 0
    assert waits(guesses, "bob") == 0
    clock.now += 86_401
    assert [waits(guesses, "ann") for _ in range(3)] == [0, 0, 0]


def test_a_right_password_is_not_counted() -> None:
    guesses = Guesses(Clock())
    for _ in range(50):
        assert waits(guesses, "ann") == 0
        guesses.refund("ann")
    guesses.refund("nobody")


def test_a_day_of_guessing_is_not_many() -> None:
    clock, tries = Clock(), 0
    guesses = Guesses(clock)
    end = clock.now + 86_400
    while clock.now < end:
        wait = waits(guesses, "ann", ACCOUNT)
        tries += wait == 0
        clock.now += wait
    assert tries < 120


def test_the_oldest_is_forgotten_and_no_other() -> None:
    guesses = Guesses(Clock())
    for number in range(10_000):
        guesses.spend(f"name:{number}", DELAY)
    for _ in range(2):
        guesses.spend("name:0", DELAY)
    guesses.spend("one more", DELAY)
    assert len(guesses._tries) == 10_000
    assert waits(guesses, "name:0") > 0
    assert "name:1" not in guesses._tries
    assert "name:2" in guesses._tries
