"""Random deals worth scoring: often legal, often with strong rows, sometimes with naturals and surrenders."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal, get_args

import msgspec

from tests.oracle.board import Rows, offenders
from tests.oracle.naturals import rows_are_natural
from tests.rulesets.conditions import random_entries, random_repeats
from triptych.cards import Card
from triptych.rulesets.model import NaturalKind, Ruleset, is_closed
from triptych.scoring.showdown import ScoredHand, best_natural

if TYPE_CHECKING:
    import random

# What the slow suite compares of each kind; by hand more: `TRIPTYCH_BOARDS=100000 pytest -m slow tests/score`.
SLOW_BOARDS = int(os.environ.get("TRIPTYCH_BOARDS", "20000"))
NATURAL_KINDS: tuple[NaturalKind, ...] = get_args(NaturalKind)


def random_deck(rules: Ruleset, chance: random.Random, hands: int) -> list[Card]:
    """Return shuffled cards for some hands; decks of few ranks or suits make strong rows."""
    low = chance.choice([0, 0, 2, 5])
    cards = [Card(card) for card in range(52) if card // 4 >= low]
    if chance.random() < 0.3:
        cards = [card for card in cards if card % 4 != 1]
    while len(cards) < 13 * hands:
        cards = [Card(card) for card in range(52)]
    chance.shuffle(cards)
    cards = cards[: 13 * hands]
    for joker in range(rules.deal.jokers):
        if chance.random() < 0.7:
            cards[chance.randrange(len(cards))] = Card(52 + joker)
    return cards


def random_board(rules: Ruleset, chance: random.Random, cards: list[Card]) -> tuple[Card, ...]:
    """Return one setting of 13 cards: the first legal one of a few, sorted so that legal ones are common."""
    if chance.random() < 0.2:
        cards = by_suit(cards)
        if max(cards) < 52 and rows_are_natural(rules, tuple(cards)):
            return tuple(cards)
    groups: dict[int, list[Card]] = {}
    for card in cards:
        groups.setdefault(card // 4 if chance.random() < 0.8 else card % 4 + 100, []).append(card)
    ordered = [card for group in sorted(groups.values(), key=len) for card in group]
    for _ in range(8):
        if chance.random() < 0.5:
            chance.shuffle(ordered)
        board = ordered
        if max(board) < 52 and not offenders(rules, Rows(tuple(board[:3]), tuple(board[3:8]), tuple(board[8:]))):
            break
        ordered = [*ordered[1:], ordered[0]]
    return tuple(ordered)


def by_suit(cards: list[Card]) -> list[Card]:
    """Return 13 cards suit by suit, a suit of which three stay over first: three flushes where they make them."""
    suits = sorted(range(4), key=lambda suit: sum(card % 4 == suit for card in cards) not in (3, 8, 13))
    return [card for suit in suits for card in cards if card < 52 and card % 4 == suit] + [
        card for card in cards if card >= 52
    ]


def mirrored_hands(rules: Ruleset, chance: random.Random) -> list[ScoredHand]:
    """Return two closed boards whose rows are equal but for some cards, so that suits decide often."""
    black, red = (0, 3), (1, 2)
    cards = chance.sample([Card(card) for card in range(52) if card % 4 in black], 13)
    board = random_board(rules, chance, cards)
    other = [Card(card // 4 * 4 + red[black.index(card % 4)]) for card in board]
    for index in range(13):
        if chance.random() < 0.05:
            other[index] = chance.choice(
                [Card(card) for card in range(52) if card not in board and card not in other]
            )
    hands = [ScoredHand(board), ScoredHand(tuple(other))]
    chance.shuffle(hands)
    return hands


def straight_hands(chance: random.Random) -> list[ScoredHand]:
    """Return closed boards of three straights each, with a card changed now and then."""
    free = {Card(card) for card in range(52)}
    hands: list[ScoredHand] = []
    for _ in range(2):
        board: list[Card] = []
        one_suit = chance.random() < 0.4
        for size in (3, 5, 5):
            low = chance.randrange(-1, 14 - size)
            suit = chance.randrange(4)
            for rank in range(low, low + size):
                wanted = [Card(rank % 13 * 4 + (suit + turn) % 4) for turn in range(4)]
                left = [card for card in wanted if card in free]
                card = left[0] if one_suit and left else chance.choice(left or sorted(free))
                board.append(card)
                free.discard(card)
        hands.append(ScoredHand(tuple(board)))
    return hands


def shown_hands(rules: Ruleset, chance: random.Random) -> list[ScoredHand]:
    """Return closed hands that often show a natural in their rows."""
    return straight_hands(chance) if chance.random() < 0.5 else random_hands(rules, chance)


def strong_hands(rules: Ruleset, chance: random.Random) -> list[ScoredHand]:
    """Return two closed boards dealt quads or straight flushes, which they break up as often as not."""
    deck = [Card(card) for card in range(52)]
    chance.shuffle(deck)
    hands: list[ScoredHand] = []
    for _ in range(2):
        rank, suit, low = chance.randrange(13), chance.randrange(4), chance.randrange(-1, 9)
        wanted = {Card(rank * 4 + other) for other in range(4)} if chance.random() < 0.6 else set()
        if chance.random() < 0.6:
            run = chance.choice([5, 5, 6, 8])
            wanted |= {Card(value % 13 * 4 + suit) for value in range(low, min(low + run, 13))}
        cards = [card for card in deck if card in wanted][:13]
        cards += [card for card in deck if card not in cards][: 13 - len(cards)]
        deck = [card for card in deck if card not in cards]
        if chance.random() < 0.3:
            chance.shuffle(cards)
        board = random_board(rules, chance, cards[::-1] if chance.random() < 0.5 else cards)
        hands.append(ScoredHand(board, declared=chance.randrange(8)))
    return hands


def five_hands(rules: Ruleset, chance: random.Random) -> list[ScoredHand]:
    """Return two boards with quads and a joker in the back now and then; the whole joker choice is tried for each."""
    deck = [Card(card) for card in range(52)]
    chance.shuffle(deck)
    rank = chance.randrange(13)
    four = [Card(rank * 4 + suit) for suit in range(4)]
    deck = [card for card in deck if card not in four]
    row = [*four, Card(51 + rules.deal.jokers)]
    board = [*deck[:3], *deck[3:8], *row] if chance.random() < 0.7 else [*deck[:3], *row, *deck[3:8]]
    return [ScoredHand(tuple(board)), ScoredHand(tuple(deck[8:21]))]


def random_hands(rules: Ruleset, chance: random.Random) -> list[ScoredHand]:
    """Return two to four hands as they might come to the showdown."""
    crossed = rules.deal.game == "criss_cross"
    count = 4 if crossed else chance.choice([2, 2, 3, 4])
    deck = random_deck(rules, chance, count)
    hands: list[ScoredHand] = []
    for index in range(count):
        cards = deck[13 * index : 13 * index + 13]
        owner = index % 2 if crossed else None
        if rules.surrender.points and chance.random() < 0.1:
            hands.append(ScoredHand(kind="surrender", owner=owner))
        elif is_closed(rules) and chance.random() < 0.7 and best_natural(rules, cards):
            hands.append(ScoredHand(tuple(cards), "natural", owner=owner))
        else:
            fantasyland, in_row = chance.choice([(0, 0), (0, 0), (13, 1), (14, 2), (16, 1)])
            board = random_board(rules, chance, cards)
            hands.append(ScoredHand(board, "board", fantasyland, in_row, owner, chance.randrange(8)))
    return hands


def random_rules(rules: Ruleset, chance: random.Random) -> Ruleset:
    """Return the rules with many options drawn again; seats and clocks are left alone."""
    pick = chance.choice
    change = msgspec.structs.replace
    middle: Literal["high", "deuce_to_seven"] = pick(["high", "high", "deuce_to_seven"])
    low = middle == "deuce_to_seven"
    return change(
        rules,
        rows=change(
            rules.rows,
            order=pick(["ge", "gt"]),
            wheel=pick(["lowest", "second"]),
            middle=middle,
            low_limit=pick(["ten", "none"]),
            tie_break="none" if rules.deal.jokers else pick(["none", "suits"]),
            suits=pick(["cshd", "dchs"]),
            joker_value=pick(["best_legal", "best_total", "best_row"]),
            joker_domain=pick(["any", "not_on_own_board"]),
            five_of_a_kind=pick([False, True]),
        ),
        foul=change(
            rules.foul,
            points=pick(["scoop", "scoop", 0, 4]),
            pays_royalties=pick([False, True]),
            scope=pick(["board", "board", "rows"]),
            still_plays=pick([False, True]),
        ),
        scoring=change(
            rules.scoring,
            rows=pick(
                [
                    "per_row",
                    "per_row_scoop3",
                    "match_1_6",
                    "match_2_6",
                    "two_four",
                    "one_four",
                    "first_to_11",
                    "custom",
                ]
            ),
            points=tuple(pick([0, 1, 1, 2, 5]) for _ in range(3)),
            bonus=pick([0, 2, 3]),
            match_tied=pick(["needs_two_rows", "more_rows"]),
            scoop_doubles=pick([False, True]),
            home_run_doubles=pick([False, True]),
            doubles=pick(["rows", "all"]),
            pairs=pick(["all", "all", "banker"]),
        ),
        royalties=change(
            rules.royalties,
            rule=pick(["difference", "row_winner"]),
            deuce_of_spades=pick([False, True]),
            one_per_board=pick([False, True]),
            broken_up=pick(["lost", "paid"]),
            declare=pick(["auto", "must"]),
        ),
        naturals=change(
            rules.naturals,
            claim=pick(["auto", "must"]),
            no_pictures=pick(["off", "no_JQK", "no_TJQKA"]),
            also=tuple(chance.sample(NATURAL_KINDS, 4)),
            also_units=pick([1, 3, 5]),
        ),
        surrender=change(rules.surrender, points=pick([0, 3])),
        fantasyland=change(
            rules.fantasyland,
            entry=random_entries(chance, low=low),
            repeat=random_repeats(chance, low=low),
            repeat_limit=pick(["none", 0, 1]),
        ),
    )


def random_settlement(rules: Ruleset, chance: random.Random) -> Ruleset:
    """Return the rules with their settlement drawn again."""
    settlement = msgspec.structs.replace(
        rules.settlement,
        cap=chance.choice(["none", "min_stack_at_start", "min_current"]),
        after_bust=chance.choice(["continue", "stop"]),
        loss_limit=chance.choice([0, 0, 1, 6, 15]),
        credit=chance.random() < 0.2,
    )
    return msgspec.structs.replace(rules, settlement=settlement)
