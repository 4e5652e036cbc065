"""Convert a Ruleset to the kernel's shape of a game."""

from __future__ import annotations

from triptych import _kernel
from triptych.arguments import switch, whole_number
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.errors import RulesError
from triptych.rulesets.model import Ruleset, hands_per_seat, is_closed, lone_hand_is_hidden, streets

_MAX_PLAYERS = 99  # a loose bound: the rules' own limit has a better message


def game_shape(rules: Ruleset, players: int | None = None, *, chain: bool = False) -> _kernel.GameShape:
    """Return the kernel's shape of a game; `players` defaults to two.

    `chain`: a game is a deal and the fantasylands that follow, else one deal. Raises RulesError (`env.players`) when
    the rules do not allow this number of players, (`env.cards`) when the deck has too few cards; ArgumentError.
    """
    count = rules.seats.min if players is None else whole_number(players, "$.players", 1, _MAX_PLAYERS)
    chain = switch(chain, "$.chain")
    if not rules.seats.min <= count <= rules.seats.max:
        message = f"{rules.name} seats {rules.seats.min} to {rules.seats.max} players, not {count}"
        raise RulesError("env.players", message, "$.players")
    hands_each = hands_per_seat(rules)
    try:
        return _shape(rules, count, hands_each, chain=chain)
    except ValueError as error:
        raise RulesError("env.cards", f"{count} players: {error}", "$.players") from error


def _shape(rules: Ruleset, count: int, hands_each: int, *, chain: bool) -> _kernel.GameShape:
    steps = streets(rules)
    return _kernel.make_shape(
        compile_rules(rules),
        [step.dealt for step in steps],
        [step.placed for step in steps],
        hands=count * hands_each,
        players=count,
        jokers=rules.deal.jokers,
        closed=is_closed(rules),
        chain=chain,
        button_moves=rules.fantasyland.button == "move",
        lone_hand_is_hidden=lone_hand_is_hidden(rules),
    )
