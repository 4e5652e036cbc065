"""Questions to every binding of the kernel: right ones, and right ones with something changed."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from functools import cache
from math import inf, nan
from random import Random
from typing import Any, Final, TypeAlias

import numpy as np

from triptych import _kernel
from triptych.cards import card_text
from triptych.rulesets.compile import compile_rules, to_kernel_ints
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import Ruleset, is_closed, streets
from triptych.solve.value.points import can_learn
from triptych.solve.value.weights import packaged, packaged_file

Call: TypeAlias = Callable[..., Any]  # what is asked of a thing that was made is asked by name
Question: TypeAlias = Callable[[Random, Call], None]
REFUSALS: Final = (ValueError, TypeError, OverflowError, IndexError, MemoryError, RuntimeError)

_INTS: Final = (
    -1,
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    12,
    13,
    14,
    17,
    18,
    52,
    53,
    54,
    64,
    127,
    128,
    255,
    256,
    2**31,
    2**32,
    2**63,
    2**64 - 1,
)
_FLOATS: Final = (nan, inf, -inf, -1.0, 0.0, -0.0, 0.5, 1.0, 1e-300, 1e12, 1e300)


def odd(random: Random, value: object, depth: int = 0) -> object:
    """Return a value like the given one that may not be."""
    match value:
        case bool():
            return not value
        case int():
            return random.choice(_INTS) if random.random() < 0.7 else value + random.choice((-1, 1))
        case float():
            return random.choice(_FLOATS)
        case bytes():
            return _odd_bytes(random, value)
        case str():
            return random.choice(("", "X", "X1", "??", "Zz", "Ah", "10h"))
        case list() | tuple() if depth < 3:
            return type(value)(_odd_items(random, list(value), depth))
        case np.ndarray():
            return _odd_array(random, value)
        case _:
            return value


def _odd_bytes(random: Random, value: bytes) -> bytes:
    changed = bytearray(value)
    match random.randrange(5):
        case 0 if changed:
            changed[random.randrange(len(changed))] = random.choice((0, 3, 51, 52, 53, 54, 64, 128, 255))
        case 1 if changed:
            del changed[random.randrange(len(changed))]
        case 2:
            changed += bytes(random.randrange(54) for _ in range(random.choice((1, 1, 5, 13, 60))))
        case 3 if len(changed) > 1:
            changed[random.randrange(len(changed))] = changed[random.randrange(len(changed))]
        case _:
            return b""
    return bytes(changed)


def _odd_items(random: Random, items: list[object], depth: int) -> list[object]:
    match random.randrange(5):
        case 0 if items:
            del items[random.randrange(len(items))]
        case 1 if items:
            items.append(random.choice(items))
        case 2:
            return []
        case _ if items:
            at = random.randrange(len(items))
            items[at] = odd(random, items[at], depth + 1)
    return items


def _odd_array(random: Random, value: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> object:
    changed = value.copy()
    match random.randrange(5):
        case 0 if changed.size:
            changed.flat[random.randrange(changed.size)] = random.choice((52, 53, 54, 64, 127))
        case 1:
            return changed[:-1]
        case 2:
            return changed[..., :-1].copy()
        case 3:
            return changed.astype(np.float64)
        case _:
            return changed.reshape(-1)
    return changed


def _perhaps(random: Random, arguments: Sequence[object]) -> list[object]:
    """Change one of the arguments in one of five cases, seldom another one too."""
    changed = list(arguments)
    while changed and random.random() < 0.2:
        at = random.randrange(len(changed))
        changed[at] = odd(random, changed[at])
    return changed


@cache
def presets() -> tuple[str, ...]:
    """Return the presets by which questions are asked."""
    return tuple(preset_names())


@cache
def learned_presets() -> tuple[str, ...]:
    """Return those for which a table was learned."""
    return tuple(name for name in presets() if can_learn(resolve(name)) and packaged_file(resolve(name)) is not None)


def _player(ruleset: Ruleset) -> _kernel.Learner:
    package = packaged(ruleset)
    if package is None:
        raise AssertionError(ruleset.name)
    return package[1]


def _rules(random: Random, *, closed: bool | None = None) -> tuple[Ruleset, _kernel.Rules]:
    names = [name for name in presets() if closed is None or is_closed(resolve(name)) == closed]
    rules = resolve(random.choice(names))
    return rules, compile_rules(rules)


def _cards(random: Random, count: int, jokers: int = 0, without: bytes = b"") -> bytes:
    left = [card for card in range(52 + jokers) if card not in without]
    return bytes(random.sample(left, min(count, len(left))))


def _rows(random: Random, cards: bytes) -> tuple[bytes, bytes, bytes]:
    """Return cards in rows at random, none over full."""
    slots = [0] * 3 + [1] * 5 + [2] * 5
    random.shuffle(slots)
    rows = [bytearray(), bytearray(), bytearray()]
    for card, row in zip(cards, slots, strict=False):
        rows[row].append(card)
    return bytes(rows[0]), bytes(rows[1]), bytes(rows[2])


def _hands(random: Random, count: int, jokers: int) -> bytes:
    pack = _cards(random, 13 * count, jokers)
    heads = (
        bytes((random.choice((0, 0, 0, 1, 2, 3)), random.randrange(8), random.choice((0, 14, 17)), 1, at))
        for at in range(count)
    )
    return b"".join(head + pack[13 * at : 13 * at + 13] for at, head in enumerate(heads))


def rank(random: Random, call: Call) -> None:
    """Ask the rank functions."""
    ranks: tuple[tuple[Call, int], ...] = ((_kernel.rank5, 5), (_kernel.rank3, 3))
    for function, count in ranks:
        call(function, *_perhaps(random, list(_cards(random, count))))
    value = random.choice((random.randrange(2**24), random.randrange(2**32), *_INTS))
    for binding in (_kernel.wheel_second, _kernel.low_order, _kernel.from_low_order, _kernel.is_low):
        call(binding, value)


def rank_batch(random: Random, call: Call) -> None:
    """Ask the rank functions about many rows."""
    call(_kernel.known_ranks(int), *_perhaps(random, [tuple(_cards(random, random.choice((3, 4, 5)), 2))]))
    for function, count in ((_kernel.rank5_batch, 5), (_kernel.rank3_batch, 3)):
        rows = np.frombuffer(b"".join(_cards(random, count) for _ in range(random.randrange(4))), np.uint8)
        call(function, *_perhaps(random, [rows.reshape(-1, count)]))


def decks(random: Random, call: Call) -> None:
    """Ask for the roots of decks."""
    seeds = random.randbytes(random.choice((0, 32, 32, 128)))
    call(_kernel.deck_roots, *_perhaps(random, [seeds, random.choice((1, 2, 52, 53, 54, 256, *_INTS))]))


def rules_table(random: Random, call: Call) -> None:
    """Make rules out of numbers, and score by those that are taken."""
    numbers = to_kernel_ints(resolve(random.choice(presets())))
    for _ in range(random.randrange(4)):
        numbers[random.randrange(len(numbers))] = random.choice(
            (-2, -1, 0, 1, 2, 3, 7, 13, 17, 18, 24, 25, 10**6, 10**6 + 1, 2**31 - 1, -(2**31))
        )
    rules = call(_kernel.Rules, numbers)
    cards = _cards(random, 13, 2)
    call(_kernel.row_values, rules, cards)
    call(_kernel.best_natural, rules, cards)
    call(_kernel.shows_natural, rules, cards)
    call(_kernel.broken_up, rules, cards)
    call(_kernel.score_deal, rules, _hands(random, random.randrange(2, 5), 2))
    call(_kernel.row_bounds, rules, *_rows(random, cards[: random.randrange(14)]), random.random() < 0.5)
    goal = call(_kernel.Objective, rules, random.choice((0, 14, 17)), 1, [float(at) for at in range(18)])
    call(_kernel.complete, goal, (b"", b"", b""), _cards(random, 14, 2))


def score(random: Random, call: Call) -> None:
    """Ask everything of the scorer."""
    ruleset, rules = _rules(random)
    jokers = random.choice((ruleset.deal.jokers, 2))
    cards = _cards(random, 13, jokers)
    for function in (_kernel.row_values, _kernel.broken_up, _kernel.shows_natural, _kernel.best_natural):
        call(function, rules, *_perhaps(random, [cards]))
    values = (
        list(_kernel.row_values(rules, cards))
        if random.random() < 0.5
        else [random.choice((random.randrange(2**24), *_INTS)) for _ in range(3)]
    )
    for of_values in (_kernel.offending_rows, _kernel.row_royalties):
        call(of_values, rules, *_perhaps(random, values))
    call(_kernel.row_points, rules, *_perhaps(random, [random.randrange(-1, 2) for _ in range(3)]))
    rows = _rows(random, cards[: random.randrange(14)])
    call(_kernel.row_bounds, rules, *_perhaps(random, [*rows, False]))
    call(_kernel.score_deal, rules, *_perhaps(random, [_hands(random, random.randrange(2, 5), jokers)]))


def score_batch(random: Random, call: Call) -> None:
    """Score many deals."""
    ruleset, rules = _rules(random)
    deals, seats = random.randrange(3), random.randrange(1, 6)
    boards = np.array(
        [list(_cards(random, 13, ruleset.deal.jokers)) for _ in range(deals * seats)], np.uint8
    ).reshape(deals, seats, 13)
    fantasylands = np.full((deals, seats, 2), random.choice((0, 14, 255)), np.uint8)
    call(_kernel.score_batch, rules, *_perhaps(random, [boards, random.choice((None, fantasylands))]))


def _goal(random: Random, call: Call, rules: object, *, opponents: int) -> object:
    fantasyland = random.choice((0, 0, 13, 14, 17))
    goal: Any = call(
        _kernel.Objective, rules, *_perhaps(random, [fantasyland, 1, [float(at) for at in range(18)], 1])
    )
    for _ in range(opponents):
        goal.add_opponent(*_perhaps(random, [_cards(random, 13)]))
    if random.random() < 0.3:
        seats = opponents + 1
        dues = [(a, b, 1.0) for a in range(seats) for b in range(a + 1, seats)]
        goal.set_stakes(*_perhaps(random, [[9.0] * seats, dues, random.randrange(3), False]))
    if random.random() < 0.3:
        goal.set_worth(*_perhaps(random, [[1.0] * 27, [1.0] * 11, [1.0] * 11]))
    return goal


def solve(random: Random, call: Call) -> None:
    """Finish boards, count outs, and value placements."""
    ruleset, rules = _rules(random)
    jokers = ruleset.deal.jokers
    goal = _goal(random, call, rules, opponents=random.randrange(4))
    lying = random.choice((0, 9, 10, 11, 12, 13))
    pack = _cards(random, 40, jokers)
    rows = _rows(random, pack[:lying])
    call(_kernel.foul_value, goal)
    call(_kernel.complete, goal, *_perhaps(random, [rows, pack[13 : 13 + random.choice((13 - lying, 14, 4))]]))
    call(_kernel.full_row_class, rules, *_perhaps(random, [random.randrange(3), pack[: random.choice((3, 5))]]))
    place = min(2, 13 - lying)
    street = [rows, pack[13:16], place, pack[16:30], -6.0]
    if lying >= 9:
        call(
            _kernel.exact_placements,
            goal,
            *_perhaps(random, [*street, random.randrange(1, 4), random.random() < 0.5]),
        )
        call(_kernel.sampled_placements, goal, *_perhaps(random, [*street, max(0, 13 - lying - place), 30, 1]))
        call(
            _kernel.count_outs,
            rules,
            *_perhaps(random, [rows, pack[13:30], 13 - lying + random.randrange(3), 20, 9, 1]),
        )


def solve_unknown(random: Random, call: Call) -> None:
    """Set a fantasyland against samples of boards."""
    _, rules = _rules(random)
    call(_kernel.solves_unknown, rules)
    each, samples = random.randrange(1, 4), random.randrange(1, 4)
    boards = b"".join(_cards(random, 13) for _ in range(each * samples))
    goal = _goal(random, call, rules, opponents=0)
    call(
        _kernel.complete_unknown,
        goal,
        *_perhaps(random, [_cards(random, random.choice((13, 14))), boards, each, [1.0] * samples]),
    )


def closed(random: Random, call: Call) -> None:
    """Set closed hands against boards and hand pools."""
    ruleset, rules = _rules(random, closed=random.random() < 0.9)
    jokers = ruleset.deal.jokers
    seats = random.randrange(1, 4)
    hands = _hands(random, seats * 1, jokers) if seats > 1 else _hands(random, 2, jokers)
    stakes = [1.0] * (seats if seats > 1 else random.choice((1, 2)))
    own = _cards(random, 13, jokers)
    table = call(_kernel.OpponentSamples, rules, *_perhaps(random, [hands, stakes]))
    which = random.choice(("best", "value", "rank", "natural"))
    more = [random.choice((0, 1, 3, 10**6))] if which == "rank" else []
    call(getattr(table, which), *_perhaps(random, [own, *more]))
    call(table.surrender)


def closed_hand_pool(random: Random, call: Call) -> None:
    """Ask hand pools of closed games."""
    ruleset, rules = _rules(random, closed=random.random() < 0.9)
    jokers = ruleset.deal.jokers
    pool = call(_kernel.HandPool, rules, *_perhaps(random, [b"".join(_hands(random, 4, jokers) for _ in range(3))]))
    own = _cards(random, 13, jokers)
    known_cards = _cards(random, random.choice((0, 13, 30)), jokers, own)
    states = [random.randrange(3) for _ in range(random.randrange(1, 4))]
    which = random.randrange(4)
    if which == 0:
        call(pool.choose, *_perhaps(random, [own, known_cards, states, random.randrange(3)]))
    elif which == 1:
        call(pool.announce, *_perhaps(random, [own, known_cards, states]))
    else:
        players, per_deal = random.choice(((2, 2), (3, 3), (4, 4), (2, 4)))
        pack = np.frombuffer(_cards(random, 13 * per_deal), np.uint8).reshape(-1, 13)
        if which == 2:
            call(pool.play, *_perhaps(random, [pack, random.randrange(1, 4)]))
        else:
            call(pool.gains, pool, *_perhaps(random, [pack, players, per_deal]))


def _shape(random: Random, call: Call) -> tuple[object, Any, dict[str, object]]:
    ruleset, rules = _rules(random)
    steps = streets(ruleset)
    dealt, placed = _perhaps(random, [[step.dealt for step in steps], [step.placed for step in steps]])
    hands = random.randrange(2, 5)
    named: dict[str, object] = {
        "hands": hands,
        "players": random.choice((hands, 2)),
        "jokers": ruleset.deal.jokers,
        "closed": is_closed(ruleset),
        "chain": random.random() < 0.5,
        "button_moves": True,
        "lone_hand_is_hidden": False,
    }
    for name in list(named):
        if random.random() < 0.03:
            named[name] = odd(random, named[name])
    return rules, call(_kernel.make_shape, rules, dealt, placed, **named), named


def batch(random: Random, call: Call) -> None:
    """Step games side by side."""
    rules, shape, named = _shape(random, call)
    size = random.randrange(1, 4)
    games = call(_kernel.make_batch, rules, *_perhaps(random, [shape, size, 1]))
    for _ in range(random.randrange(1, 60)):
        player, legal = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
        call(games.state, player, legal)
        actions = np.array(
            [random.choice([action for action in range(7) if mask >> action & 1] or [0]) for mask in legal], np.uint8
        )
        if random.random() < 0.05:
            actions[0] = random.choice((0, 3, 6, 7, 31, 32, 254, 255))
        reward, done = np.zeros((size, int(str(named["players"]))), np.int32), np.zeros(size, np.uint8)
        call(games.step, actions, reward, done)
        call(games.observe, np.zeros((size, _kernel.OBSERVATION_SIZE), np.uint8))
    state = games.save()
    call(games.load, *_perhaps(random, [state]))
    call(games.play_random, random.choice((0, 1, 50)))


def game(random: Random, call: Call) -> None:
    """Play one game card by card."""
    rules, shape, _ = _shape(random, call)
    fantasylands = random.choice(([], [0, 14], [14, 17, 0], [13] * 4, [12, 18]))
    simulated = call(_kernel.make_game, rules, shape, fantasylands)
    for _ in range(random.randrange(80)):
        if simulated.over:
            break
        if simulated.wanted:
            call(
                simulated.deal_cards,
                *_perhaps(random, [_cards(random, simulated.wanted, 2)])
                if random.random() < 0.1
                else [_cards(random, simulated.wanted)],
            )
            continue
        legal = simulated.legal
        action = random.choice([at for at in range(7) if legal >> at & 1] or [0])
        call(simulated.step, odd(random, action) if random.random() < 0.03 else action)
        call(simulated.observe, *_perhaps(random, [simulated.player]))
    state = simulated.__getstate__()
    again: Any = pickle.loads(pickle.dumps(simulated))  # noqa: S301 - made here
    call(again.observe, 0)
    again = _kernel.Game.__new__(_kernel.Game)
    call(again.__setstate__, *_perhaps(random, [state]))
    call(again.observe, 0)


def learner(random: Random, call: Call) -> None:
    """Learn a little."""
    ruleset, rules = _rules(random, closed=False)
    steps = streets(ruleset)
    numbers = _perhaps(random, [[step.dealt for step in steps], [step.placed for step in steps]])
    named = {
        "hands": random.randrange(2, 4),
        "jokers": ruleset.deal.jokers,
        "weights": [1.0] * _kernel.OUTCOMES,
        "strengths": [2**20] * (3 * _kernel.STRENGTH_BINS),
        "seed": 1,
    }
    if random.random() < 0.3:
        name = random.choice(list(named))
        named[name] = odd(random, named[name])
    instance = call(_kernel.Learner, rules, *numbers, **named)
    if not isinstance(instance, _kernel.Learner):
        return
    call(
        instance.play,
        random.choice((0, 1, 5)),
        learning=True,
        rate=random.choice((0.1, *_FLOATS)),
        decay=random.choice((0.5, *_FLOATS)),
        noise=random.choice((0.0, 1.0, *_FLOATS)),
        draws=random.choice((0, 1, 2, -1)),
        others=random.choice((0, 1, -1)),
        spread=random.choice(_FLOATS),
    )
    for function, value in (
        (instance.set_outcome_weights, [1.0] * _kernel.OUTCOMES),
        (instance.with_fantasyland_values, [0.0] * 18),
        (instance.set_strengths, [2**20] * 12),
        (instance.set_temperature, [1.0] * len(steps)),
        (instance.set_first_answers, [(0.1, 0.1, 0.1, 0.1)] * 6),
    ):
        if random.random() < 0.5:
            call(function, *_perhaps(random, [value]))
    call(instance.play, 1, learning=False, rate=0.1, decay=0.5, noise=0.0)
    getters = (
        instance.pop_stats,
        instance.last_values,
        instance.last_boards,
        instance.memory,
        instance.refresh_weights,
        instance.played,
    )
    for getter in getters:
        call(getter)


def _table(random: Random, ruleset: Ruleset) -> tuple[list[tuple[object, ...]], int, int, bytes, int, bytes]:
    """Return hands, the street, who acts, the cards, what is unseen, and the pack: mostly as a table can stand."""
    steps = streets(ruleset)
    jokers = ruleset.deal.jokers
    count = random.choice((2, 2, 2, 3, 3, 4))
    street, me = random.randrange(len(steps)), random.randrange(count)
    pack, used = _cards(random, 54, jokers), 0
    in_fantasyland = random.random() < 0.15
    hands: list[tuple[object, ...]] = []
    for hand in range(count):
        done = street if hand >= me else street + 1
        if random.random() < 0.15:
            done = random.randrange(len(steps) + 1)
        fantasyland = random.choice((13, 14, 17)) if (in_fantasyland and hand == me) or random.random() < 0.08 else 0
        lying = sum(step.placed for step in steps[:done]) if not fantasyland else random.choice((0, 0, 0, 13))
        if random.random() < 0.05:
            lying = random.randrange(14)
        hands.append(
            (*_rows(random, pack[used : used + lying]), 0 if fantasyland else done, fantasyland, random.randrange(3))
        )
        used += lying
    own = hands[me][4]
    dealt = own if isinstance(own, int) and own else steps[street].dealt
    cards = pack[used : used + dealt]
    dead = pack[: used + dealt + random.choice((0, 0, 1, 3))]
    unseen = sum(1 << card for card in range(52 + jokers) if card not in dead)
    return hands, street, me, cards, unseen, pack


def _fantasyland_values(random: Random) -> list[float]:
    return [0.0] * 13 + [7.0, 9.0, 11.0, 13.0, 15.0] if random.random() < 0.95 else [random.choice(_FLOATS)] * 18


def _stacks(random: Random, count: int) -> tuple[object, ...] | None:
    if random.random() < 0.6:
        return None
    pairs = count * (count - 1) // 2
    stacks = (
        [random.choice((0.0, 5.0, 40.0, inf)) for _ in range(count)],
        [1.0] * pairs,
        1.0,
        random.randrange(3),
        False,
        random.choice((inf, 9.0)),
        random.choice(([], [50.0, 30.0])),
        random.choice(([], [10.0])),
    )
    return tuple(_perhaps(random, stacks)) if random.random() < 0.4 else stacks


def analysis(random: Random, call: Call) -> None:
    """Search a decision, and do with the search all that can be done."""
    ruleset = resolve(random.choice(learned_presets()))
    player = _player(ruleset)
    hands, street, me, cards, unseen, _ = _table(random, ruleset)
    named: dict[str, object] = {
        "shared": random.random() < 0.2,
        "believing": random.random() < 0.2,
        "stacks": _stacks(random, len(hands)),
    }
    if random.random() < 0.3:
        named["orders"] = [
            b"" if random.random() < 0.6 else bytes(random.randrange(6) for _ in range(3 * random.randrange(6)))
            for _ in hands
        ]
    arguments = [street, me, hands, cards, unseen, _fantasyland_values(random)]
    search = call(
        _kernel.Analysis, player, *(_perhaps(random, arguments) if random.random() < 0.3 else arguments), **named
    )
    if not isinstance(search, _kernel.Analysis):
        return
    count = len(search.table())
    acts: list[tuple[Call, list[object]]] = [
        (search.run, [random.choice((0, 1, 5, 1000)), random.choice((0, 1, 50)), 1]),
        (search.measure, [random.choice((0, 1, 3)), random.choice((0, 1, 3)), 1, 0, [random.randrange(count + 1)]]),
        (search.sample_points, [[random.randrange(count)], 3, 1, 0]),
        (search.street_progress, [random.randrange(count), 2, 1, 0]),
        (search.response_corrections, [1, 1]),
        (search.reset_samples, []),
        (search.exact, []),
        (search.table, []),
    ]
    for _ in range(random.randrange(1, 4)):
        act, what = random.choice(acts)
        call(act, *_perhaps(random, what))
    if random.random() < 0.05:
        call(search.discard_belief, thorough=random.random() < 0.3)


def luck(random: Random, call: Call) -> None:
    """Ask what a draw brought."""
    ruleset = resolve(random.choice(learned_presets()))
    player = _player(ruleset)
    hands, street, me, cards, unseen, _ = _table(random, ruleset)
    fantasylands = [b""] * len(hands)
    arguments = [street, me, hands, fantasylands, cards, unseen, _fantasyland_values(random)]
    call(
        _kernel.luck,
        player,
        *(_perhaps(random, arguments) if random.random() < 0.3 else arguments),
        orders=random.choice((0, 1, 2)),
        seed=1,
    )


def place(random: Random, call: Call) -> None:
    """Choose at once, as `fast` does."""
    ruleset = resolve(random.choice(learned_presets()))
    player = _player(ruleset)
    hands, street, me, cards, _, pack = _table(random, ruleset)

    def texts(some: bytes) -> tuple[str, ...]:
        return tuple(card_text(card) for card in some)  # type: ignore[arg-type]

    boards = [(*(texts(row) for row in hand[:3]), (), texts(pack[-2:])) for hand in hands]  # type: ignore[arg-type]
    call(_kernel.place, player, *_perhaps(random, [street, boards, me, texts(cards), random.random() < 0.5]))


def chips(random: Random, call: Call) -> None:
    """Ask what stacks and places are worth."""
    count = random.randrange(1, 6)
    stacks = _stacks(random, count) or ([9.0] * count, [1.0] * (count * (count - 1) // 2), 1.0, 0, False, inf, [], [])
    call(_kernel.limited_fantasyland_values, *_perhaps(random, [stacks, random.randrange(count), [0.0, 9.0]]))
    some = [random.choice((0.0, 1.0, 20.0)) for _ in range(random.choice((1, 2, 4, 12, 13)))]
    call(_kernel.icm_values, *_perhaps(random, [some, some, [50.0, 30.0]]))


QUESTIONS: Final[tuple[tuple[str, Question], ...]] = tuple(
    (function.__name__, function)
    for function in (
        rank, rank_batch, decks, rules_table, score, score_batch, solve, solve_unknown, closed, closed_hand_pool,
        batch, game, learner, analysis, analysis, analysis, analysis, luck, place, chips,
    )
)  # fmt: skip
