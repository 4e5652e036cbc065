"""Hash chains as a player makes them."""

from triptych.fair.hashes import previous_link


def make_chain(last: bytes, length: int) -> tuple[bytes, ...]:
    """Return a chain that ends with 32 secret bytes: its head, then `length` links in the order of their use."""
    links = [last]
    for _ in range(length):
        links.append(previous_link(links[-1]))
    return tuple(reversed(links))
