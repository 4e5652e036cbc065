"""`triptych` with decks that a test stacks.

Everything else is the product's own command: only the shuffle that bootstrap takes as an argument is another one.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.deal.moves import stacked
from triptych.cards import Card
from triptych.cli import main
from triptych.server import bootstrap
from triptych.server.clock import shuffled_deck


def dealer(waiting: Path) -> Callable[[int], tuple[Card, ...]]:
    """Return a shuffle that takes its decks from a file, the first cards of one deck a line, then gives real ones."""

    def shuffle(jokers: int) -> tuple[Card, ...]:
        first, *others = waiting.read_text().splitlines() or ("",)
        waiting.write_text("\n".join(others))
        return stacked(first, jokers) if first else shuffled_deck(jokers)

    return shuffle


def with_decks(waiting: Path) -> None:
    """Run the command line with the decks of a file."""
    vars(bootstrap)["bootstrap"] = partial(bootstrap.bootstrap, shuffle=dealer(waiting))
    main.main()
