"""What comes from one address is bounded, whatever cookies it has (issue 10, part 3, point 6)."""

from __future__ import annotations

import pytest

from triptych.server.edge.rate_limits import MAX_SOCKETS_PER_ADDRESS, AddressLimiter, RateLimit, network_key
from triptych.server.wire.errors import ApiError
from triptych.server.wire.messages import LimitHit

BUDGET = RateLimit("things", 3, 10.0)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("127.0.0.1", None),
        ("127.9.9.9", None),
        ("::1", None),
        ("::ffff:127.0.0.1", None),
        ("", None),
        ("testclient", "testclient"),
    ],
)
def test_a_household_counts_as_one_network_and_this_machine_as_no_network(
    address: str, counts_as: str | None
) -> None:
    assert network_key(address) == counts_as


def test_a_budget_is_spent_and_comes_back_with_time() -> None:
    clock = Clock()
    addresses = AddressLimiter(clock)
    for _ in range(3):
        addresses.acquire(BUDGET, "192.0.2.7")
    with pytest.raises(ApiError, match="Too many things in a short time; wait 11 seconds") as caught:
        addresses.acquire(BUDGET, "192.0.2.7")
    assert (caught.value.code, caught.value.status) == ("address.too_many", 429)
    assert caught.value.limit == LimitHit("things", 11)
    addresses.acquire(BUDGET, "192.0.2.8")
    addresses.acquire(RateLimit("others", 3, 10.0), "192.0.2.7")
    clock.now += 10
    addresses.acquire(BUDGET, "192.0.2.7")
    with pytest.raises(ApiError):
        addresses.acquire(BUDGET, "192.0.2.7")
    clock.now += 1000
    for _ in range(3):
        addresses.acquire(BUDGET, "192.0.2.7")


def test_very_many_addresses_take_no_more_memory() -> None:
    addresses = AddressLimiter(Clock())
    for number in range(25_000):
        addresses.acquire(BUDGET, f"198.18.{number // 256}.{number % 256}")
    assert len(addresses._full_at) <= 10_000


def test_making_space_forgets_nobody_who_still_has_to_wait() -> None:
    clock = Clock()
    addresses = AddressLimiter(clock)
    for _ in range(3):
        addresses.acquire(BUDGET, "192.0.2.7")  # made up for in 30 seconds
    for number in range(9_999):
        addresses.acquire(BUDGET, f"198.18.{number // 256}.{number % 256}")  # in 10
    clock.now += 11
    addresses.acquire(BUDGET, "192.0.2.8")
    assert set(addresses._full_at) == {("things", "192.0.2.7"), ("things", "192.0.2.8")}


def test_beyond_the_table_the_oldest_are_forgotten_and_no_others() -> None:
    """Issue 27.17: with 10,000 addresses that have to wait, one more made all start again."""
    addresses = AddressLimiter(Clock())
    names = [f"198.18.{number // 256}.{number % 256}" for number in range(10_001)]
    for address in names[:10_000]:
        for _ in range(3):
            addresses.acquire(BUDGET, address)
    # What is refused was there: it is not the oldest any more.
    with pytest.raises(ApiError):
        addresses.acquire(BUDGET, names[0])
    addresses.acquire(BUDGET, names[10_000])
    assert len(addresses._full_at) == 10_000
    for address in (names[0], *names[2:10_000]):
        with pytest.raises(ApiError):
            addresses.acquire(BUDGET, address)
    addresses.acquire(BUDGET, names[1])


def test_open_connections_are_counted_until_they_leave() -> None:
    addresses = AddressLimiter(Clock())
    assert all(addresses.connection_opened("192.0.2.7") for _ in range(MAX_SOCKETS_PER_ADDRESS))
    assert not addresses.connection_opened("192.0.2.7")
    for _ in range(2):
        addresses.connection_closed("192.0.2.7")
    assert addresses.connection_opened("192.0.2.7")
    for _ in range(MAX_SOCKETS_PER_ADDRESS):
        addresses.connection_closed("192.0.2.7")
    assert not addresses._open
