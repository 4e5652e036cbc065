"""`triptych` with decks that a test has stacked: `python -m tests.browser.stacked DECK… -- OPTIONS`.

Everything else is the product's own command: only the shuffle that bootstrap takes as an argument is another one.
"""

import sys
from collections.abc import Callable
from functools import partial

from tests.deal.moves import stacked
from triptych.cards import Card
from triptych.cli import main
from triptych.server import bootstrap
from triptych.server.shuffle import shuffled


def dealer(decks: list[str]) -> Callable[[int], tuple[Card, ...]]:
    """Return a shuffle that gives the stacked decks one after the other, then real ones."""
    waiting = iter(decks)

    def shuffle(jokers: int) -> tuple[Card, ...]:
        first = next(waiting, None)
        return shuffled(jokers) if first is None else stacked(first, jokers)

    return shuffle


if __name__ == "__main__":
    split = sys.argv.index("--")
    vars(bootstrap)["bootstrap"] = partial(bootstrap.bootstrap, shuffle=dealer(sys.argv[1:split]))
    sys.argv[1:] = ["--no-browser", *sys.argv[split + 1 :]]
    main.main()
