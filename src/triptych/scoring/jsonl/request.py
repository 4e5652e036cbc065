"""Read one line of the scoring contract (Rules §8): every mistake gets a code, a message and a path.

Beyond the rulebook: a pair may be named in either direction; `declared` lists the rows whose royalties a
player declared (only where `royalties.declare = must`); a player missing in `stacks` has no limit. A deal of which
only the points of each player are known has `points`; `corrections` and `removed` are notes of a session.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, cast

from msgspec import Struct
from msgspec.structs import replace

from triptych.json_input import Json, read_rules, verify_keys, verify_table
from triptych.rulesets.model import Ruleset
from triptych.scoring.errors import MAX_AMOUNT, RequestError, verify_amount
from triptych.scoring.jsonl.hands import read_hands
from triptych.scoring.settle import Amount, plain_amount
from triptych.scoring.showdown import ScoredHand

_KEYS: Final = frozenset(
    {"id", "rules", "players", "stakes", "stacks", "order", "owners", "pairs", "points", "corrections", "removed"}
)
# The forms in which a deal is given; a line has one of them.
KINDS: Final = ("players", "pairs", "points")
# Points of a player are settled already, and belong to no pair.
_NOT_WITH_POINTS: Final = ("stakes", "stacks", "owners")
_PLAYERS: Final = range(2, 5)

_OWNERS: Final = 2

Pair = tuple[int, int]
Pairs = tuple[tuple[Pair, ...], int]


def is_removed(document: Mapping[str, object]) -> bool:
    """Return whether a deal was removed from its session; it stays in the file."""
    return document.get("removed") is True


class Request(Struct, frozen=True):
    """One deal to score, or (`hands` empty) pairs or points to settle. Tuples go by `names`, in seat order.

    `owners`: by hand the index in `owner_names`; without criss-cross every player owns its hand. `stakes` and `pairs`
    by pair of hands, `default_stake` for all other pairs; `stacks` by owner, None without one. `points`: the total of
    each player, where nothing else is known.
    """

    rules: Ruleset
    names: tuple[str, ...]
    hands: tuple[ScoredHand, ...]
    owner_names: tuple[str, ...]
    owners: tuple[int, ...]
    stakes: Mapping[Pair, Amount]
    default_stake: Amount
    stacks: tuple[Amount | None, ...] | None
    pairs: Mapping[Pair, Amount]
    points: tuple[Amount, ...] | None = None


def parse_request(document: Json, rules: Ruleset | None = None) -> Request:
    """Return the request of a decoded line; `rules`: for a document that names none. Raises JsonInputError."""
    verify_keys(document, _KEYS, "$")
    rules = _rules(document) if rules is None else _playable(rules)
    hands: tuple[ScoredHand, ...] = ()
    kinds = [key for key in KINDS if key in document]
    if len(kinds) > 1:
        raise RequestError("line.unknown_key", f"give `{kinds[0]}` or `{kinds[1]}`, not both", f"$.{kinds[1]}")
    if "players" in document:
        players = _table(document, "players")
        _verify_names(tuple(players), "$.players")
        result = read_hands(rules, players)
        names = _seat_order(document, tuple(players))
        hands = tuple([result[name] for name in names])
    elif "points" in document:
        return _points_request(document, rules)
    elif "pairs" in document:
        # Hands are named by their owners, else by the players with a stack.
        key = "owners" if "owners" in document else "stacks"
        names = _seat_order(document, tuple(_table(document, key)) if key in document else ())
        _verify_names(names, "$.order")
    else:
        raise RequestError("line.missing", "give `players` to score a deal or `pairs` to settle", "$.players")
    return _request(document, rules, names, hands)


def _points_request(document: Json, rules: Ruleset) -> Request:
    """Return the request of a deal of which only the points of each player are known."""
    for key in _NOT_WITH_POINTS:
        if key in document:
            message = f"points of players are settled as they are; give `pairs` where `{key}` count"
            raise RequestError("line.unknown_key", message, f"$.{key}")
    table = _table(document, "points")
    _verify_names(tuple(table), "$.points")
    names = _seat_order(document, tuple(table))
    points = tuple([verify_amount(table[name], f"$.points.{name}", -MAX_AMOUNT) for name in names])
    total = plain_amount(sum(points))
    if total and rules.scoring.rows != "first_to_11":
        raise RequestError("points.sum", f"the points of a deal sum to 0, not to {total}", "$.points")
    return Request(rules, names, (), names, tuple(range(len(names))), {}, 1, None, {}, points)


def _request(document: Json, rules: Ruleset, names: tuple[str, ...], hands: tuple[ScoredHand, ...]) -> Request:
    owner_names, owners = names, tuple(range(len(names)))
    if "owners" in document:
        owner_names, owners = _owners(document, names)
        hands = tuple([replace(hand, owner=owner) for hand, owner in zip(hands, owners, strict=False)])
    keys = _pair_keys(names)
    stake_keys = keys if owner_names == names else keys | _owner_keys(owner_names, owners)
    return Request(
        rules,
        names,
        hands,
        owner_names,
        owners,
        *_stakes(document, stake_keys),
        _stacks(document, owner_names, _min_stack(rules)),
        _pairs(document, keys),
    )


def request_for_hands(
    rules: Ruleset,
    names: tuple[str, ...],
    hands: tuple[ScoredHand, ...],
    owner_names: tuple[str, ...],
    owners: tuple[int, ...],
    money: Json,
) -> Request:
    """Return the request of hands that were played; `money`: `stakes` and `stacks` as in a line.

    Raises JsonInputError.
    """
    _verify_names(names, "$.players")
    keys = _pair_keys(names)
    if owner_names != names:
        keys |= _owner_keys(owner_names, owners)
    stakes, default = _stakes(money, keys)
    stacks = _stacks(money, owner_names, _min_stack(rules))
    return Request(rules, names, hands, owner_names, owners, stakes, default, stacks, {})


def _min_stack(rules: Ruleset) -> int:
    return -MAX_AMOUNT if rules.settlement.credit else 0


def _rules(document: Json) -> Ruleset:
    if document.get("rules") is None:
        raise RequestError("line.missing", 'name the rules, such as {"preset": "pineapple"}', "$.rules")
    return _playable(read_rules(document["rules"]))


def _playable(rules: Ruleset) -> Ruleset:
    if rules.rows.tie_break == "suits" and rules.deal.jokers:
        message = "a joker has no suit, so suits cannot break ties; use none"
        raise RequestError("rules.tie_break", message, "$.rules.rows.tie_break")
    return rules


def _verify_names(names: Sequence[str], path: str) -> None:
    if len(names) not in _PLAYERS:
        raise RequestError("players.count", f"a deal has two to four players, not {len(names)}", path)
    if "" in names:
        raise RequestError("players.name", "a player's name is empty", path)


def _seat_order(document: Json, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names in seat order; when pairs are settled `order` may add names."""
    if "order" not in document:
        return names
    order = document["order"]
    if not isinstance(order, list):
        raise RequestError("line.type", "expected a list of names", "$.order")
    for index, name in enumerate(order):
        path = f"$.order[{index}]"
        if not isinstance(name, str):
            raise RequestError("line.type", "expected a player's name", path)
        if name in order[:index]:
            raise RequestError("player.duplicate", f"{name!r} is given twice", path)
        if name not in names and "pairs" not in document:
            raise RequestError("player.unknown", f"{name!r} is not a player of this deal", path)
    for name in names:
        if name not in order:
            raise RequestError("line.missing", f"{name!r} has no place in the order", "$.order")
    return tuple(order)


def _pair_keys(names: tuple[str, ...]) -> dict[str, Pairs]:
    """Return the pairs of hands of each key such as `P1-P2`, and -1 where the key reverses them."""
    keys: dict[str, Pairs] = {}
    for a in range(len(names)):
        for b in range(a + 1, len(names)):
            for key, sign in ((f"{names[a]}-{names[b]}", 1), (f"{names[b]}-{names[a]}", -1)):
                if key in keys:
                    message = f"two pairs would be called {key!r}; choose names without '-'"
                    raise RequestError("players.name", message, "$.players")
                keys[key] = (((a, b),), sign)
    return keys


def _owner_keys(owner_names: tuple[str, ...], owners: tuple[int, ...]) -> dict[str, Pairs]:
    hands = range(len(owners))
    result = tuple((a, b) for a in hands for b in hands if a < b and owners[a] != owners[b])
    first, second = owner_names
    return {f"{first}-{second}": (result, 1), f"{second}-{first}": (result, -1)}


def _owners(document: Json, names: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the two owners in seat order, and the owner's index of each hand."""
    table = _table(document, "owners")
    result: list[str] = []
    for name, owner in table.items():
        if name not in names:
            raise RequestError("player.unknown", f"{name!r} is not a player of this deal", f"$.owners.{name}")
        if not isinstance(owner, str) or not owner:
            raise RequestError("line.type", "expected the owner's name", f"$.owners.{name}")
    for name in names:
        if name not in table:
            raise RequestError("line.missing", f"{name!r} has no owner", f"$.owners.{name}")
        result.append(str(table[name]))
    owner_names = tuple(dict.fromkeys(result))
    if len(owner_names) != _OWNERS:
        raise RequestError("players.count", f"criss-cross has two owners, not {len(owner_names)}", "$.owners")
    return owner_names, tuple([owner_names.index(owner) for owner in result])


def _stakes(document: Json, keys: Mapping[str, Pairs]) -> tuple[dict[Pair, Amount], Amount]:
    """Return the agreed stake of each pair of hands, and that of all others."""
    if "stakes" not in document:
        return {}, 1
    stakes: dict[Pair, Amount] = {}
    default: Amount = 1
    for key, value in _table(document, "stakes").items():
        path = f"$.stakes.{key}"
        amount = verify_amount(value, path, 0)
        if key == "default":
            default = amount
            continue
        for pair in _known_pair(keys, key, path)[0]:
            if pair in stakes:
                raise RequestError("player.duplicate", f"{key!r} has its stake already", path)
            stakes[pair] = amount
    return stakes, default


def _stacks(document: Json, owner_names: tuple[str, ...], minimum: int) -> tuple[Amount | None, ...] | None:
    if "stacks" not in document:
        return None
    table = _table(document, "stacks")
    for name, value in table.items():
        if name not in owner_names:
            raise RequestError("player.unknown", f"{name!r} is not a player of this deal", f"$.stacks.{name}")
        verify_amount(value, f"$.stacks.{name}", minimum)
    return tuple([cast("Amount | None", table.get(name)) for name in owner_names])


def _pairs(document: Json, keys: Mapping[str, Pairs]) -> dict[Pair, Amount]:
    if "pairs" not in document:
        return {}
    pairs: dict[Pair, Amount] = {}
    for key, value in _table(document, "pairs").items():
        path = f"$.pairs.{key}"
        amount = verify_amount(value, path, -MAX_AMOUNT)
        (pair,), sign = _known_pair(keys, key, path)
        if pair in pairs:
            raise RequestError("player.duplicate", f"{key!r} is given twice", path)
        pairs[pair] = sign * amount
    return pairs


def _table(document: Json, key: str) -> Json:
    return verify_table(document[key], f"$.{key}")


def _known_pair(keys: Mapping[str, Pairs], key: str, path: str) -> Pairs:
    if key not in keys:
        raise RequestError("player.unknown", f"{key!r} is not a pair of players here; write it as A-B", path)
    return keys[key]
