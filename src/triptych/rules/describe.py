"""The rules in plain words: short sentences under a few headings, complete enough to play by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from triptych.rules.check import loss_and_scoop
from triptych.rules.describe_land import fantasyland
from triptych.rules.model import is_closed, max_fantasyland
from triptych.rules.options import OPTIONS, Choice, Option
from triptych.rules.wording import by_rank, listed, number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triptych.rules.model import FiveRoyalties, Ruleset

__all__ = ["OPTIONS", "Choice", "Option", "Section", "describe", "sections"]


class Section(Struct, frozen=True):
    """A heading and its sentences."""

    heading: str
    sentences: tuple[str, ...]


def describe(rules: Ruleset) -> tuple[str, ...]:
    """Return the rules as plain sentences, in the order of play."""
    return tuple(sentence for section in sections(rules) for sentence in section.sentences)


def sections(rules: Ruleset) -> tuple[Section, ...]:
    """Return the rules as sentences under headings; a heading without sentences is left out."""
    found = (Section(heading, tuple(part(rules))) for heading, part in _PARTS.items())
    return tuple(section for section in found if section.sentences)


_GAMES: Final = {
    "closed": "Thirteen cards are dealt to each player at once and set in secret into three rows.",
    "classic": "Each player gets five cards, then eight times one card, and places them openly into three rows.",
    "turbo": "Each player gets five cards, then four, then four, and places them openly into three rows.",
    "pineapple": (
        "Each player gets five cards and places them openly into three rows; "
        "then, four times, three cards: two are placed and one is discarded unseen."
    ),
    "criss_cross": (
        "Two players get two deals of thirteen cards each and set them in secret, without exchange between the two; "
        "each board plays both boards of the other player."
    ),
}


def _deal(rules: Ruleset) -> Iterator[str]:
    seats, jokers = rules.seats, rules.deal.jokers
    yield f"For {seats.min} players." if seats.min == seats.max else f"For {seats.min} to {seats.max} players."
    yield "The deck has 52 cards." + (f" {number(jokers, 'joker')} come to it." if jokers else "")
    yield _GAMES[rules.deal.game]
    yield "The front has three cards, the middle and the back five each."
    if is_closed(rules):
        return
    yield "The player to the button's left acts first, then clockwise; cards come only when it is one's turn."
    live = rules.deal.first_street == "live"
    yield f"The first five cards are seen by all {'as they are moved' if live else 'once the player is ready'}."
    yield "Until a player is ready, the cards of the street may be moved; after that they stay."


def _rows(rules: Ruleset) -> Iterator[str]:
    rows = rules.rows
    low = rows.middle == "deuce_to_seven"
    if low:
        yield (
            "The middle is played deuce-to-seven low: ten-low or better without pair, straight or flush, "
            "the ace is high, and the lower wins."
        )
        yield f"The back must {_order(rows.order)} the front; the front may be better than the middle."
    else:
        yield f"The back must {_order(rows.order)} the middle, and the middle must {_order(rows.order)} the front."
    yield "The front knows pairs and trips only, no straights and no flushes."
    place = "below every other straight" if rows.wheel == "lowest" else "between K-Q-J-T-9 and A-K-Q-J-T"
    yield f"The straight A-2-3-4-5 ranks {place}."
    yield "Suits never break a tie."
    if rules.deal.jokers:
        yield from _jokers(rules)


def _order(order: str) -> str:
    return "be as good as, or better than," if order == "ge" else "be better than"


def _jokers(rules: Ruleset) -> Iterator[str]:
    own = "" if rules.rows.joker_domain == "any" else " that is not on the same board"
    yield f"A joker stands for any card{own}."
    yield {
        "best_legal": "It is read so that the board is legal if it can be: first the back, then the middle, "
        "then the front as high as possible.",
        "best_total": "It is read as the legal board with the most royalties.",
        "best_row": "It makes the best of its own row, even when that fouls the board.",
    }[rules.rows.joker_value]
    if rules.rows.five_of_a_kind:
        yield "Four of a kind and a joker are five of a kind, the best row of all."
    else:
        yield "There is no five of a kind."


def _foul(rules: Ruleset) -> Iterator[str]:
    foul = rules.foul
    if foul.scope == "rows":
        yield "Rows out of order are lost; the other rows are compared."
    else:
        cost = "the value of a scoop" if foul.points == "scoop" else number(foul.points, "point")
        yield f"A board out of order is fouled and pays {cost} to each opponent who plays a legal board."
    if foul.pays_royalties:
        yield "The opponents' royalties are paid as well."
    else:
        yield "The opponents' royalties are not paid."
    gain = "no royalties and no fantasyland" if not is_closed(rules) else "no royalties"
    yield f"A foul earns {gain}; two fouls pay each other nothing."
    if foul.still_plays:
        yield "A mis-set board is still shown, and compared for the others' naturals and home-runs."


_ROWS: Final = {
    "per_row": "Each row won is 1 point.",
    "per_row_scoop3": "Each row won is 1 point; winning all three is a scoop and brings 3 more.",
    "match_1_6": "Winning two rows is 1 point, winning all three, a scoop, 6.",
    "match_2_6": "Winning two rows is 2 points, winning all three, a scoop, 6.",
    "two_four": "Each row won is 1 point, and winning two or three rows brings 1 more.",
    "one_four": "Each row won is 1 point; winning all three is a scoop and brings 1 more.",
    "first_to_11": (
        "The best front, middle and back at the table are 1 point each, a tied row none; "
        "all three rows with four players are 4. The first to 11 points wins."
    ),
}


def _points(rules: Ruleset) -> Iterator[str]:
    scoring = rules.scoring
    if scoring.rows != "first_to_11":
        yield "Every two players compare their boards row by row; a tied row is worth nothing."
    yield _ROWS[scoring.rows]
    if scoring.rows.startswith("match"):
        more = "goes to the winner of that row" if scoring.match_tied == "more_rows" else "is not decided"
        yield f"Two rows won and one tied are a match; a match with one row won and two tied {more}."
    if scoring.scoop_doubles:
        yield "A scoop doubles the points for rows."
    if scoring.home_run_doubles:
        yield "Scooping all three opponents is a home-run and doubles them again."


_FIVES: Final = {
    "trips": "trips",
    "straight": "straight",
    "flush": "flush",
    "full_house": "full house",
    "quads": "four of a kind",
    "straight_flush": "straight flush",
    "royal_flush": "royal flush",
}
_LOWS: Final = {"nine": "nine-low", "eight": "eight-low", "seven": "seven-low", "best": "75432"}


def _royalties(rules: Ruleset) -> Iterator[str]:
    table = rules.royalties.table
    rows = [line for line in _royalty_rows(rules) if line]
    if not rows:
        yield "There are no royalties."
        return
    yield f"Strong rows bring royalties, after the table {table.name}."
    yield from rows
    if rules.royalties.rule == "difference":
        yield "Both players are paid their royalties whoever wins the row: the difference changes hands."
    else:
        yield "Only the winner of a row is paid its royalty."
    if rules.royalties.deuce_of_spades:
        yield "The row that holds the deuce of spades doubles both players' royalties of that row."
    if rules.royalties.one_per_board:
        yield "Only the dearest royalty of a board counts."
    if is_closed(rules) and rules.royalties.declare == "must":
        yield "A royalty counts only when it is announced before the boards are shown."


def _royalty_rows(rules: Ruleset) -> Iterator[str]:
    table = rules.royalties.table
    yield _line("Back", _five(table.back))
    if rules.rows.middle == "deuce_to_seven":
        yield _line(
            "Middle", [f"{name} {points}" for key, name in _LOWS.items() if (points := getattr(table.low, key))]
        )
    else:
        yield _line("Middle", _five(table.middle))
    yield _line("Front", [*by_rank(table.front.pair, 2), *by_rank(table.front.trips, 3)])


def _five(row: FiveRoyalties) -> list[str]:
    return [f"{name} {points}" for key, name in _FIVES.items() if (points := getattr(row, key))]


def _line(row: str, parts: list[str]) -> str:
    return f"{row}: {', '.join(parts)}." if parts else ""


def _naturals(rules: Ruleset) -> Iterator[str]:
    if not is_closed(rules):
        return
    naturals = rules.naturals
    known = {str(choice.value): choice.about for option in OPTIONS for choice in _kinds(option)}
    units = {entry.kind: entry.units for entry in naturals.table.entries}
    own = (*naturals.also, *([naturals.no_pictures] if naturals.no_pictures != "off" else []))
    prices = [*units.items(), *((kind, naturals.also_units) for kind in own if kind not in units)]
    if not prices:
        yield "There are no naturals."
        return
    yield "Who is dealt a natural is paid at once by each opponent and sets nothing."
    for kind, price in prices:
        yield f"{known[kind].removesuffix('.')}: {number(price, 'unit')}."
    if naturals.table.rule == "higher":
        yield "Of two naturals the one with more units is paid, among equals the one named first."
    else:
        yield "Of two naturals the one with more units is paid the difference."
    yield (
        "Two of the same kind: six pairs go by the higher pairs, three flushes or straights by the back, the middle, "
        "the front; others tie."
    )


def _kinds(option: Option) -> tuple[Choice, ...]:
    return option.choices if option.key == "naturals.table.entries.kind" else ()


def _surrender(rules: Ruleset) -> Iterator[str]:
    if not is_closed(rules):
        return
    points = rules.surrender.points
    if not points:
        yield "A deal cannot be surrendered."
        return
    low, high = loss_and_scoop(rules)
    yield "Once all have set, each player in turn says play or surrender."
    yield (
        f"Surrender pays {number(points, 'point')} to each opponent who plays a legal board, and no royalties "
        f"(a 2-1 loss costs {low}, a scoop {high})."
    )


def _match(rules: Ruleset) -> Iterator[str]:
    kind, _, count = rules.match.kind.partition(":")
    brings = " and the fantasylands that it brings" if max_fantasyland(rules) else ""
    yield {
        "deal_group": f"A match is one deal{brings}.",
        "orbit": f"A match is the button once round the table{brings}.",
        "endless": "A match goes on until the players stop.",
        "deals": f"A match is {number(int(count or 0), 'deal')}.",
        "points": f"A match goes to the first player with {number(int(count or 0), 'point')}.",
    }[kind]
    yield f"Buy in with {rules.seats.buy_in_min} to {rules.seats.buy_in_max} points; add to them between deals."
    unit = "" if rules.stake.unit == "point" else f" {rules.stake.unit}"
    yield f"A point costs {rules.stake.point:g}{unit}."
    yield {
        "none": "There is no bound to what can be won.",
        "min_stack_at_start": "No one wins from or loses to an opponent more than either brought to the deal.",
        "min_current": "No one wins from or loses to an opponent more than either holds when they settle.",
    }[rules.settlement.cap]
    if rules.settlement.after_bust == "continue":
        yield "Who runs out of points still collects from later pairs."
    else:
        yield "Who runs out of points neither pays nor collects any more."
    if rules.match.show_all:
        yield "When the match is over, discards and hidden cards are shown to all."
    if rules.tournament.levels != "off":
        yield from _levels(rules)


def _levels(rules: Ruleset) -> Iterator[str]:
    kind, _, count = rules.tournament.levels.partition(":")
    chips = listed([str(each) for each in rules.tournament.chips_per_point]) or "no"
    yield f"Each level lasts {number(int(count), kind.removesuffix('s'))}; a point is worth {chips} chips in turn."


def _clock(rules: Ruleset) -> Iterator[str]:
    clock = rules.clock
    if clock.kind == "none":
        yield "There is no clock."
    else:
        span = "each street" if clock.kind == "per_street" else "a whole deal"
        yield f"A player has {number(clock.seconds, 'second')} for {span}."
        yield f"Setting thirteen or more cards at once has {number(clock.setting, 'second')}."
        yield f"After that runs a time bank of {number(clock.bank, 'second')}; {clock.bank_refill} come back each deal."
        yield f"At a new table the time bank is {'full again' if clock.new_table == 'reset' else 'as it was'}."
    yield {
        "received_back_first": "When time is out, cards are placed in the order received: back, middle, front.",
        "foul": "When time is out, the board is fouled.",
        "best_legal": "When time is out, cards are placed as the best legal board.",
    }[rules.timeout.layout]
    yield {
        "sit_out": "The player then sits out, once pending fantasylands are played.",
        "end_match": "The match then ends, once pending fantasylands are played.",
        "none": "Nothing more follows from it.",
    }[rules.timeout.after]


_PARTS: Final[dict[str, Callable[[Ruleset], Iterator[str]]]] = {
    "The deal": _deal,
    "Rows": _rows,
    "Fouls": _foul,
    "Points": _points,
    "Royalties": _royalties,
    "Naturals": _naturals,
    "Surrender": _surrender,
    "Fantasyland": fantasyland,
    "Match and stakes": _match,
    "Time": _clock,
}
