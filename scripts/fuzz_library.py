"""Questions to analyse, review, solve, outs and score, by what is well formed but cannot be, or is merely odd."""

from __future__ import annotations

import json
from functools import cache
from math import inf, nan
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

import triptych
from scripts.fuzz_calls import learned_presets, presets
from triptych.arena.moves import play_out
from triptych.bots.levels import get_level
from triptych.cards import Card, card_text, cards_text, deck
from triptych.deal.engine import start
from triptych.deal.state import HandStart
from triptych.deal.view_types import Stacks
from triptych.errors import TriptychError
from triptych.notation.history.model import History, record
from triptych.notation.history.read import parse_history
from triptych.notation.history.text import history_text
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset, is_closed, streets
from triptych.scoring.jsonl import answer as score_lines
from triptych.solve.analysis.analyse import SearchBudget, analyse, pairwise_loss
from triptych.solve.analysis.discards import discard_beliefs
from triptych.solve.analysis.review import review
from triptych.solve.exact.street import solve_street
from triptych.solve.jsonl import closed as closed_lines
from triptych.solve.jsonl import fantasyland as land_lines

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from scripts.fuzz_calls import Call, Question

LIBRARY_REFUSALS: Final = (TriptychError,)

_HURRIED: Final = SearchBudget(max_error=50, max_slices=0, screening_rollouts=40, width=2, top=2, two_threads=False)
_ODD_NUMBERS: Final = (-1, 0, 1, 2, 255, 256, 1001, 2**31, 2**63, 2**64, -(2**63))
_ODD_FLOATS: Final = (nan, inf, -inf, -1.0, 0.0, 1e300)


def _number(random: Random, right: int) -> int:
    return right if random.random() < 0.9 else random.choice(_ODD_NUMBERS)


def _rules(random: Random, names: Sequence[str]) -> Ruleset:
    """Return a preset, sometimes with a rule changed that keeps its streets."""
    changes: dict[str, object] = {}
    if random.random() < 0.3:
        name, value = random.choice(
            (
                ("foul.points", random.choice(("scoop", 0, 6, 1000))),
                ("scoring.rows", random.choice(("per_row", "match_1_6", "two_four", "first_to_11", "custom"))),
                ("settlement.loss_limit", random.choice((1, 20))),
                ("deal.jokers", random.choice((0, 1, 2))),
                ("rows.middle", random.choice(("high", "deuce_to_seven"))),
                ("rows.joker_domain", "not_on_own_board"),
                ("rows.joker_value", random.choice(("best_row", "best_total"))),
                ("scoring.pairs", "banker"),
            )
        )
        changes[name] = value
    return resolve({"preset": random.choice(names), **changes})


def _row(random: Random, cards: Sequence[str]) -> list[list[str]]:
    slots = [0] * 3 + [1] * 5 + [2] * 5
    if random.random() < 0.03:
        slots.append(random.randrange(3))
    random.shuffle(slots)
    rows: list[list[str]] = [[], [], []]
    for card, row in zip(cards, slots, strict=False):
        rows[row].append("??" if random.random() < 0.01 else card)
    return rows


def _hand(
    random: Random,
    rows: list[list[str]],
    drawn: Sequence[str],
    discarded: Sequence[str],
    fantasyland: int,
    *,
    acts: bool,
) -> str:
    texts = ["".join(row) for row in rows]
    if random.random() < 0.05:
        texts = [text[:2] + "." + text[2:] if text else text for text in texts]
    parts = ("*" if acts else "") + "/".join(texts)
    parts += f" +{''.join(drawn)}" if drawn else ""
    parts += f" -{''.join(discarded)}" if discarded else ""
    return parts + (f" ={fantasyland}" if fantasyland else "")


def position(random: Random, rules: Ruleset) -> str:
    """Return a position whose hands are mostly where they can be."""
    steps = streets(rules)
    pack = [card_text(card) for card in deck(rules.deal.jokers if random.random() < 0.95 else 2)]
    random.shuffle(pack)
    count = random.choice((1, 2, 2, 2, 2, 3, 3, 4, 5))
    number, me = random.randrange(len(steps)), random.randrange(count)
    in_fantasyland = random.random() < 0.25
    hands: list[str] = []
    for hand in range(count):
        acts = hand == me
        done = number if hand >= me else number + 1
        if not acts and random.random() < 0.25:
            done = random.randrange(len(steps) + 1)
        fantasyland = random.choice((13, 14, 15, 17)) if (acts and in_fantasyland) or random.random() < 0.08 else 0
        lying = sum(step.placed for step in steps[:done])
        if fantasyland:
            lying = random.choice((0, 0, 0, 0, 13))
        if random.random() < 0.03:
            lying = random.randrange(14)
        rows = _row(random, [pack.pop() for _ in range(min(lying, len(pack)))])
        dealt = fantasyland or steps[number].dealt
        if random.random() < 0.03:
            dealt = random.randrange(18)
        drawn = [pack.pop() for _ in range(min(dealt, len(pack)))] if acts or random.random() < 0.02 else []
        discarded = [pack.pop() for _ in range(min(random.choice((0, 0, number)), len(pack)))] if acts else []
        hands.append(_hand(random, rows, drawn, discarded, fantasyland, acts=acts or random.random() < 0.01))
    if len(hands) > 1 and random.random() < 0.03:
        hands[0] = hands[1]
    return " | ".join(hands)


def _stacks(random: Random, count: int) -> Stacks | None:
    if random.random() < 0.6:
        return None
    chips = tuple(_number(random, random.choice((0, 1, 5, 40))) for _ in range(count))
    prizes = random.choice(((), (50.0, 30.0), (0.0,), (random.choice(_ODD_FLOATS),)))
    stakes = tuple(_number(random, 2) for _ in range(count * (count - 1) // 2)) if random.random() < 0.2 else ()
    return Stacks(
        chips, _number(random, 1), stakes, prizes, tuple(_number(random, 9) for _ in range(random.randrange(3)))
    )


def _budget(random: Random) -> SearchBudget:
    if random.random() < 0.9:
        return _HURRIED
    if random.random() < 0.2:
        return replace(_HURRIED, max_slices=1)
    name = random.choice(("max_error", "max_slices", "top", "screening_rollouts", "width"))
    value = random.choice(_ODD_FLOATS) if name == "max_error" else random.choice((-1, 0, 1, 2**63, 2**64))
    return replace(_HURRIED, **{name: value})


def ask_analyse(random: Random, call: Call) -> None:
    """Ask what the placements of a position are worth."""
    rules = _rules(random, learned_presets())
    text = position(random, rules)
    count = text.count("|") + 1
    analysis = call(
        analyse,
        text,
        rules,
        _budget(random),
        seed=_number(random, 1),
        stacks=_stacks(random, count),
        in_row=_number(random, 1),
        hand=random.choice((None, None, None, 0, -1, 9)),
    )
    values = analysis.placements
    if any(placement.value != placement.value for placement in values):
        raise AssertionError("a value is not a number")
    if random.random() < 0.2 and len(values) > 1:
        call(pairwise_loss, text, rules, (values[0], values[-1]), _HURRIED)
    if random.random() < 0.1:
        call(discard_beliefs, text, rules)


@cache
def _history(seed: int) -> tuple[History, str]:
    from random import Random as Stream  # noqa: PLC0415 - the generator of this one alone

    random = Stream(seed)  # noqa: S311 - deals to review, no secrets
    rules = resolve(random.choice(learned_presets()))
    count = random.randrange(2, min(rules.seats.max, 4) + 1)
    bots = [get_level(random.choice(("fast", "random"))).factory(seed) for _ in range(count)]
    pack = list(deck(rules.deal.jokers))
    random.shuffle(pack)
    course = start(rules, 1, tuple(map(HandStart, range(count))), tuple(pack))
    events = [*course.events, *(event for move in play_out(course.state, bots) for event in move.transition.events)]
    history = record(
        list(enumerate(events)), random.choice(("all", 0, 0, 1, 1)), tuple(f"P{at}" for at in range(count))
    )
    return history, history_text(history)


def ask_review(random: Random, call: Call) -> None:
    """Ask for the review of a deal, as it was or with its text changed."""
    history, text = _history(random.randrange(12))
    if random.random() < 0.4:
        history = replace(history, stacks=tuple(_number(random, 20) for _ in history.hands))
    elif random.random() < 0.7:
        lines = text.splitlines()
        at = random.randrange(len(lines))
        match random.randrange(3):
            case 0:
                del lines[at]
            case 1:
                lines[at] = lines[at].replace(random.choice("AKQJT98765432"), random.choice("AKQJT98765432"), 1)
            case _:
                lines[at] = lines[at].replace(random.choice("0123456789"), random.choice("0123456789"), 1)
        history = call(parse_history, "\n".join(lines))
    call(review, history, replace(_HURRIED, max_slices=0), seed=_number(random, 1))


def _shuffled(random: Random, jokers: int) -> list[Card]:
    pack = list(deck(jokers))
    random.shuffle(pack)
    return pack


def _board(random: Random, pack: list[Card]) -> tuple[tuple[Card, ...], ...]:
    cards = [pack.pop() for _ in range(13)]
    if random.random() < 0.05:
        cards[0] = cards[1]
    sizes = (3, 8) if random.random() < 0.95 else (random.randrange(5), 9)
    return tuple(cards[: sizes[0]]), tuple(cards[sizes[0] : sizes[1]]), tuple(cards[sizes[1] :])


def ask_solve(random: Random, call: Call) -> None:
    """Ask for a fantasyland, a closed hand, a last street."""
    rules = _rules(random, presets())
    pack = _shuffled(random, rules.deal.jokers if random.random() < 0.9 else 2)
    against = tuple(_board(random, pack) for _ in range(random.choice((0, 0, 1, 2))))
    match random.randrange(4):
        case 0:
            cards = [pack.pop() for _ in range(min(len(pack), random.choice((13, 14, 15, 17, 12))))]
            value = random.choice((0.0, 9.0, {14: 9.0, 17: 20.0}, random.choice(_ODD_FLOATS)))
            call(
                triptych.solve_fantasyland,
                cards,
                rules,
                against=against,
                repeat_value=value,
                in_row=_number(random, 1),
            )
        case 1 if is_closed(rules):
            cards = [pack.pop() for _ in range(13)]
            call(
                triptych.solve_closed,
                cards,
                rules,
                against=against,
                opponents=_number(random, 1),
                top=random.choice((1, 2, 0)),
                nearest=True,
            )
        case 2 if not is_closed(rules):
            steps = streets(rules)
            number = random.randrange(len(steps))
            rows = [[], [], []]  # type: list[list[Card]]
            for card, row in zip(
                [pack.pop() for _ in range(sum(step.placed for step in steps[:number]))],
                random.sample([0] * 3 + [1] * 5 + [2] * 5, 13),
                strict=False,
            ):
                rows[row].append(card)
            cards = [pack.pop() for _ in range(min(len(pack), steps[number].dealt))]
            dead = [pack.pop() for _ in range(min(len(pack), random.choice((0, 3, 30))))]
            call(
                solve_street,
                tuple(map(tuple, rows)),
                cards,
                rules,
                dead=dead,
                against=against,
                land_value=random.choice((0.0, 9.0, random.choice(_ODD_FLOATS))),
            )
        case _:
            line: dict[str, object] = {
                "rules": {"preset": rules.name},
                "cards": cards_text(pack[: random.choice((13, 14, 5))]),
                "against": [
                    dict(zip(("front", "middle", "back"), map(cards_text, board), strict=True)) for board in against
                ],
            }
            wrong: tuple[object, ...] = (None, [], {}, -1, 2**70, "X", [[]])
            line[random.choice(tuple(line))] = random.choice(wrong)
            call(random.choice((land_lines.process_line, closed_lines.process_line)), json.dumps(line))


def ask_outs(random: Random, call: Call) -> None:
    """Ask what a board can become."""
    rules = _rules(random, presets())
    pack = _shuffled(random, rules.deal.jokers)
    lying = random.choice((9, 10, 11, 11, 12, 12, 13, random.randrange(14)))
    slots = random.sample([0] * 3 + [1] * 5 + [2] * 5, 13)
    rows: list[list[Card]] = [[], [], []]
    for row in slots[:lying]:
        rows[row].append(pack.pop())
    dead = [pack.pop() for _ in range(random.choice((20, 25, 30, 35)))]
    call(triptych.outs, tuple(map(tuple, rows)), rules, dead=dead, seed=_number(random, 1))


def ask_score(random: Random, call: Call) -> None:
    """Score boards, and the same as a line."""
    rules = _rules(random, presets())
    pack = _shuffled(random, rules.deal.jokers if random.random() < 0.9 else 2)
    names = [f"P{at}" for at in range(random.choice((1, 2, 2, 3, 4, 5)))]
    players: dict[str, object] = {}
    for name in names:
        if len(pack) < 13:
            break
        rows = [cards_text(row) for row in _board(random, pack)]
        table: dict[str, object] = dict(zip(("front", "middle", "back"), rows, strict=True))
        if random.random() < 0.3:
            table[random.choice(("fantasyland", "surrender", "natural", "declared", "front", "in_row"))] = (
                random.choice((True, 14, 200, -1, "X", [], ["front"], None))
            )
        players[name] = table
    more: dict[str, object] = {}
    if random.random() < 0.4:
        more[random.choice(("stakes", "stacks", "owners", "order"))] = random.choice(
            ({name: _number(random, 9) for name in names}, [], names, None, 1.5, nan)
        )
    if random.random() < 0.5:
        call(triptych.score, players, rules, **more)
    else:
        call(
            score_lines.process_line,
            json.dumps({"rules": {"preset": rules.name}, "players": players, **more}, allow_nan=True),
        )


# The quick ones more often: a review takes as long as a thousand scores.
LIBRARY: Final[tuple[tuple[str, Question], ...]] = tuple(
    (function.__name__, function)
    for function in (*[ask_analyse] * 16, *[ask_solve] * 30, *[ask_outs] * 3, *[ask_score] * 50, ask_review)
)
