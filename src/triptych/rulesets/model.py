"""The Ruleset: every option of Rules §2 to 6 as immutable, hashable data.

No code here depends on a preset. The options' descriptions for people are in `i18n/` and `describe/`. Tuples by rank
have 13 entries, for 2 to A.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

from triptych.board_svg import table_html

Count = Annotated[int, Meta(ge=0, le=1000)]
ByRank = Annotated[tuple[Count, ...], Meta(min_length=13, max_length=13)]
ByRow = Annotated[tuple[Count, ...], Meta(min_length=3, max_length=3)]
FantasylandCards = Annotated[int, Meta(ge=13, le=17)]
MAX_CONDITIONS = 16  # in one list; the kernel's limit
MAX_PARTS = 4  # one for each row, and the royalties
Row = Annotated[Literal["", "front", "middle", "back"], Meta(description="front, middle or back")]
Hand = Annotated[
    str, Meta(max_length=14, description="a hand: QQ, 777, KKQQ, trips, full_house, quads …, or a low such as 75432")
]
Label = Annotated[str, Meta(max_length=60)]
MatchKind = Annotated[
    str,
    Meta(
        pattern=r"^(deal_group|orbit|endless|deals:[1-9][0-9]{0,3}|points:[1-9][0-9]{0,5})\Z",
        description="deal_group, orbit, endless, deals:N or points:N",
    ),
]
Period = Annotated[
    str,
    Meta(
        pattern=r"^(off|minutes:[1-9][0-9]{0,3}|deals:[1-9][0-9]{0,3})\Z",
        description="off, minutes:N or deals:N",
    ),
]

NaturalKind = Literal[
    "one_suit_dragon",
    "dragon",
    "twelve_pictures",
    "three_straight_flushes",
    "three_quads",
    "all_eight_and_above",
    "all_eight_and_below",
    "one_colour",
    "four_trips",
    "five_pairs_and_trips",
    "six_pairs",
    "three_flushes",
    "three_straights",
    "no_JQK",
    "no_TJQKA",
    "all_pictures",
    "six_and_above",
    "twelve_of_one_colour",
    "thirteen_of_one_colour",
]


class Group(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, cache_hash=True):
    """One table of a rules file, with equality and hash by value."""


class Street(Struct, frozen=True):
    """One dealing-and-placing step: cards dealt to a player, placed, discarded."""

    dealt: int
    placed: int
    discarded: int


class Deal(Group, frozen=True):
    """The cards that are dealt, and their visibility (Rules §2)."""

    game: Literal["closed", "classic", "turbo", "pineapple", "criss_cross"] = "pineapple"
    jokers: Literal[0, 1, 2] = 0
    first_street: Literal["live", "on_confirm"] = "live"
    first_cards: Literal["at_turn", "all"] = "at_turn"


class Rows(Group, frozen=True):
    """The ranking of rows, and the legality of boards (Rules §3)."""

    order: Literal["ge", "gt"] = "ge"
    wheel: Literal["lowest", "second"] = "lowest"
    middle: Literal["high", "deuce_to_seven"] = "high"
    low_limit: Literal["ten", "none"] = "ten"
    tie_break: Literal["none", "suits"] = "none"
    suits: Literal["cshd", "dchs"] = "cshd"
    joker_value: Literal["best_legal", "best_total", "best_row"] = "best_legal"
    joker_domain: Literal["any", "not_on_own_board"] = "any"
    five_of_a_kind: bool = False


class Foul(Group, frozen=True):
    """The cost of a foul (Rules §3)."""

    points: Literal["scoop"] | Count = "scoop"
    pays_royalties: bool = True
    scope: Literal["board", "rows"] = "board"
    still_plays: bool = False


class Scoring(Group, frozen=True):
    """Row points of a pair (Rules §4). `points` (front, middle, back) and `bonus` apply to `rows = custom`.

    `doubles`: the points that a scoop or a home-run doubles, those of the rows alone or the pair's royalties too. A
    natural plays no rows, so it is never doubled. `pairs`: the pairs that are scored; the banker is the button.
    """

    rows: Literal[
        "per_row", "per_row_scoop3", "match_1_6", "match_2_6", "two_four", "one_four", "first_to_11", "custom"
    ] = "per_row_scoop3"
    points: ByRow = (1, 1, 1)
    bonus: Count = 0
    match_tied: Literal["needs_two_rows", "more_rows"] = "needs_two_rows"
    scoop_doubles: bool = False
    home_run_doubles: bool = False
    doubles: Literal["rows", "all"] = "rows"
    pairs: Literal["all", "banker"] = "all"


class FiveRoyalties(Group, frozen=True):
    """Royalties of a five-card row in points by category; five of a kind needs jokers and counts as a royal flush."""

    trips: Count = 0
    straight: Count = 0
    flush: Count = 0
    full_house: Count = 0
    quads: Count = 0
    straight_flush: Count = 0
    royal_flush: Count = 0
    five_of_a_kind: Literal["as_royal"] | Count = "as_royal"


class FrontRoyalties(Group, frozen=True):
    """Royalties of the front in points, by the rank of the pair or the trips."""

    pair: ByRank = (0,) * 13
    trips: ByRank = (0,) * 13


class LowRoyalties(Group, frozen=True):
    """Royalties of a deuce-to-seven middle: nine-low, eight-low, seven-low, and 75432."""

    nine: Count = 0
    eight: Count = 0
    seven: Count = 0
    best: Count = 0


class RoyaltyTable(Group, frozen=True):
    """A royalty table (Rules §4); `name` is shown to people."""

    name: Label = "none"
    back: FiveRoyalties = FiveRoyalties()
    middle: FiveRoyalties = FiveRoyalties()
    front: FrontRoyalties = FrontRoyalties()
    low: LowRoyalties = LowRoyalties()


class Royalties(Group, frozen=True):
    """The payment of royalties (Rules §4)."""

    table: RoyaltyTable = RoyaltyTable()
    rule: Literal["difference", "row_winner"] = "difference"
    deuce_of_spades: bool = False
    one_per_board: bool = False
    broken_up: Literal["lost", "paid"] = "lost"
    declare: Literal["auto", "must"] = "auto"


class Natural(Group, frozen=True):
    """One natural, and the units that each opponent pays for it."""

    kind: NaturalKind
    units: Count


class NaturalTable(Group, frozen=True):
    """Naturals in table order, the highest first among equals; `rule` decides between two holders (Rules §4)."""

    name: Label = "none"
    rule: Literal["higher", "difference"] = "higher"
    entries: tuple[Natural, ...] = ()


class Naturals(Group, frozen=True):
    """Naturals of a closed game; `also` adds further kinds, each worth `also_units`."""

    table: NaturalTable = NaturalTable()
    claim: Literal["auto", "must"] = "auto"
    no_pictures: Literal["off", "no_JQK", "no_TJQKA"] = "off"
    also: tuple[NaturalKind, ...] = ()
    also_units: Count = 3


class Surrender(Group, frozen=True):
    """Points that a surrender pays to each opponent in a closed game; 0 = not allowed."""

    points: Count = 0


class FantasylandCondition(Group, frozen=True, omit_defaults=True):
    """A condition on a board: a minimum hand in a row (`rulesets/hand_names.py`), minimum royalties, or both."""

    row: Row = ""
    least: Hand = ""
    royalties: Count = 0


class FantasylandConditions(FantasylandCondition, frozen=True, omit_defaults=True):
    """A condition with further conditions, which must all hold."""

    all: Annotated[tuple[FantasylandCondition, ...], Meta(max_length=MAX_PARTS)] = ()


class FantasylandEntry(FantasylandConditions, frozen=True, kw_only=True, omit_defaults=True):
    """A condition for a fantasyland, and the fantasyland's cards."""

    cards: FantasylandCards


class FantasylandRepeat(FantasylandConditions, frozen=True, kw_only=True, omit_defaults=True):
    """A condition for repeating fantasyland; `same`: with the same number of cards."""

    cards: Literal["same"] | FantasylandCards


class Fantasyland(Group, frozen=True):
    """Entry, repeat and order of fantasyland (Rules §5): of the met conditions, that with most cards counts.

    `kind` names a table of `tables/fantasyland.toml`; the lists given here replace those of the table.
    """

    kind: str = "none"
    entry: Annotated[tuple[FantasylandEntry, ...], Meta(max_length=MAX_CONDITIONS)] = ()
    repeat: Annotated[tuple[FantasylandRepeat, ...], Meta(max_length=MAX_CONDITIONS)] = ()
    repeat_limit: Literal["none"] | Count = "none"
    order: Literal["after_others", "at_start_hidden"] = "after_others"
    button: Literal["stay", "move"] = "move"


class Settlement(Group, frozen=True):
    """Table stakes (Rules §6). `loss_limit`: the maximum points that a player loses in a deal, 0 = no limit.

    `credit`: points are kept in a ledger; stacks limit no payment, and balances may be negative.
    """

    cap: Literal["none", "min_stack_at_start", "min_current"] = "min_stack_at_start"
    after_bust: Literal["continue", "stop"] = "continue"
    loss_limit: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    credit: bool = False


class Stake(Group, frozen=True):
    """The price of a point, and the name of its unit, such as EUR."""

    point: Annotated[float, Meta(gt=0, le=1_000_000)] = 1.0
    unit: Annotated[str, Meta(max_length=12)] = "point"


class Match(Group, frozen=True):
    """The kind of a match, its prize, and whether all cards are shown at its end (Rules §6)."""

    kind: MatchKind = "deal_group"
    prize: Literal["short"] | Count = 0
    show_all: bool = False


class Clock(Group, frozen=True):
    """Seconds to act, and the time bank (Rules §6). `fantasyland` and `setting` are for 13 to 17 cards at once."""

    kind: Literal["none", "per_street", "per_deal"] = "per_street"
    seconds: Annotated[int, Meta(ge=1, le=86_400)] = 30
    setting: Annotated[int, Meta(ge=1, le=86_400)] = 120
    bank: Annotated[int, Meta(ge=0, le=86_400)] = 120
    bank_refill: Annotated[int, Meta(ge=0, le=86_400)] = 10
    bank_reset: Period = "off"
    new_table: Literal["reset", "carry"] = "reset"


class Timeout(Group, frozen=True):
    """The consequences when the clock and the time bank have run out (Rules §6)."""

    layout: Literal["received_back_first", "foul", "best_legal"] = "received_back_first"
    scope: Literal["street", "deal"] = "street"
    after: Literal["sit_out", "end_match", "none"] = "sit_out"


class Seats(Group, frozen=True):
    """The number of players, and the buy-in in points."""

    min: Annotated[int, Meta(ge=2, le=4)] = 2
    max: Annotated[int, Meta(ge=2, le=4)] = 3
    buy_in_min: Annotated[int, Meta(ge=1, le=1_000_000)] = 50
    buy_in_max: Annotated[int, Meta(ge=1, le=1_000_000)] = 200


class Tournament(Group, frozen=True):
    """Levels that raise the value of a point in chips; `off` outside tournaments."""

    levels: Period = "off"
    chips_per_point: tuple[Annotated[int, Meta(ge=1)], ...] = ()


class Ruleset(Group, frozen=True):
    """A complete, resolved set of rules: every table in full. Hashable."""

    name: Label
    title: Label = ""
    deal: Deal = Deal()
    rows: Rows = Rows()
    foul: Foul = Foul()
    scoring: Scoring = Scoring()
    royalties: Royalties = Royalties()
    naturals: Naturals = Naturals()
    surrender: Surrender = Surrender()
    fantasyland: Fantasyland = Fantasyland()
    settlement: Settlement = Settlement()
    stake: Stake = Stake()
    match: Match = Match()
    clock: Clock = Clock()
    timeout: Timeout = Timeout()
    seats: Seats = Seats()
    tournament: Tournament = Tournament()

    def __repr__(self) -> str:
        return f"<Ruleset {self.name}>"

    def _repr_html_(self) -> str:
        """Return the options that differ from the defaults, as a table."""
        rows = [*_differences("", self, Ruleset(name=self.name, title=self.title))]
        return table_html((self.title or self.name, "value"), rows)


def _differences(path: str, group: Group, default_group: Group) -> Iterator[tuple[str, str]]:
    """Yield the options that differ between two tables of the same kind: name and value."""
    for field in group.__struct_fields__:
        value, default = getattr(group, field), getattr(default_group, field)
        if value == default:
            continue
        if isinstance(value, Group) and type(value) is type(default):
            yield from _differences(f"{path}{field}.", value, default)
        else:
            yield f"{path}{field}", _value_text(value)


def _value_text(value: object) -> str:
    """Return a value as text; a group with its keys that are set: `row front, least QQ, cards 14`."""
    if isinstance(value, Group):
        fields = [(field, getattr(value, field)) for field in value.__struct_fields__]
        return ", ".join(f"{field} {_value_text(field_value)}" for field, field_value in fields if field_value)
    if isinstance(value, tuple):
        return ("; " if any(isinstance(item, Group) for item in value) else ", ").join(map(_value_text, value))
    return str(value)


_SINGLE_CARDS = (Street(1, 1, 0),) * 8
STREETS: dict[str, tuple[Street, ...]] = {
    "closed": (Street(13, 13, 0),),
    "criss_cross": (Street(13, 13, 0),),
    "classic": (Street(5, 5, 0), *_SINGLE_CARDS),
    "turbo": (Street(5, 5, 0), Street(4, 4, 0), Street(4, 4, 0)),
    "pineapple": (Street(5, 5, 0), *(Street(3, 2, 1),) * 4),
}


def streets(rules: Ruleset) -> tuple[Street, ...]:
    """Return the streets of a deal outside fantasyland (Rules §2)."""
    return STREETS[rules.deal.game]


def is_closed(rules: Ruleset) -> bool:
    """Return whether all 13 cards are dealt at once and set face down."""
    return rules.deal.game in ("closed", "criss_cross")


def hands_per_seat(rules: Ruleset) -> int:
    """Return how many boards each player has. Rule: Rules §2; source 004 L148 (criss-cross)."""
    return 2 if rules.deal.game == "criss_cross" else 1


def lone_hand_is_hidden(rules: Ruleset) -> bool:
    """Return whether the only hand outside fantasyland is placed face down. Rule: Rules §2; source 002 L37."""
    return rules.fantasyland.order == "after_others"


def is_tournament(rules: Ruleset) -> bool:
    """Return whether the rules are those of a tournament: all players begin with equal chips."""
    return rules.tournament.levels != "off"


def bankroll_mode(rules: Ruleset) -> Literal["stacks", "book", "count"]:
    """Return the accounting of a table: bought stacks, a book (ledger) that is settled at the end, or a count.

    First to 11 without a prize moves no points, so its table only counts them (Rules §6).
    """
    if rules.scoring.rows == "first_to_11" and not rules.match.prize:
        return "count"
    return "book" if rules.settlement.credit else "stacks"


def fantasyland_sizes(rules: Ruleset) -> tuple[int, ...]:
    """Return the possible numbers of cards of a fantasyland under these rules, ascending."""
    fantasyland = rules.fantasyland
    repeats = {condition.cards for condition in fantasyland.repeat if condition.cards != "same"}
    return tuple(sorted(repeats | {condition.cards for condition in fantasyland.entry}))


def max_fantasyland_cards(rules: Ruleset) -> int:
    """Return the maximum number of cards of a fantasyland under these rules, 0 without fantasyland."""
    return max(fantasyland_sizes(rules), default=0)
