"""A match as an object: deals one after another as a table plays them, with button, fantasylands and stacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from triptych.arguments import MAX_SEED, whole_number
from triptych.game.deal import Deal
from triptych.game.errors import GameError
from triptych.game.players import Seats
from triptych.game.score import Score, money_from_input
from triptych.inputs import CardsLike
from triptych.rules_input import RulesLike
from triptych.rules_input import rules as rules_of
from triptych.rulesets.model import Ruleset, bankroll_mode
from triptych.scoring.jsonl.request import Request, request_for_hands
from triptych.scoring.match_prize import MatchTarget, prizes
from triptych.scoring.settle import Amount, plain_amount


class _Standing(Struct, frozen=True):
    """The standing of a match between two deals; all mappings by name.

    `next_fantasylands`: fantasylands of the next deal, cards and number in a row. `first`: the player with the
    button in the first deal; `round_done`: the button has come back to them. `rounds`: deals that were not
    fantasylands. `last`: the players of the last deal.
    """

    points: dict[str, Amount]
    paid: dict[str, Amount]
    stacks: dict[str, Amount] | None
    next_fantasylands: dict[str, tuple[int, int]]
    button: str | None = None
    first: str | None = None
    round_done: bool = False
    rounds: int = 0
    last: tuple[str, ...] = ()


class Match:
    """Deals one after another, as a table plays them, until the match is over (`match.kind` of the rules).

    Players sit clockwise in the order given; the last one has the button first. The button moves, fantasylands
    follow for the players who earned them, and with `stacks` no player can win or lose more than the stacks (table
    stakes).

    >>> match = Match("pineapple", ["Ann", "Bob"], seed=2, stacks={"Ann": 60, "Bob": 40})
    >>> for deal in match:
    ...     while not deal.is_over:
    ...         deal.time_out()
    >>> len(match.deals), match.is_over, sum(match.stacks.values())
    (1, True, 100)
    """

    def __init__(
        self,
        rules: RulesLike = "pineapple",
        players: int | Iterable[str] = 2,
        *,
        seed: int | None = None,
        button: str | None = None,
        stakes: Mapping[str, Amount] | None = None,
        stacks: Mapping[str, Amount] | None = None,
    ) -> None:
        """`seed`: of all decks, the same ones everywhere; without it each is shuffled. `button`: its first player.

        `stakes` and `stacks` by name and pair as `triptych.score` takes them. Raises RulesError, GameError,
        JsonInputError, ArgumentError.
        """
        self._rules = rules_of(rules)
        self._seats = Seats.from_input(self._rules, players)
        self._seed = None if seed is None else whole_number(seed, "$.seed", 0, MAX_SEED)
        self._money = money_from_input(stakes, stacks)
        request = self._request()
        first_button = self.players[-1] if button is None else self.players[self._seats.hand(button)]
        zero: dict[str, Amount] = dict.fromkeys(self.players, 0)
        self._first_button = first_button
        self._standing = _Standing(zero, zero, _stacks(request), {})
        self._deals: list[Deal] = []

    @property
    def rules(self) -> Ruleset:
        """The rules of the match."""
        return self._rules

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players, clockwise."""
        return self._seats.players

    @property
    def deals(self) -> tuple[Deal, ...]:
        """All deals so far, the one in progress among them."""
        return tuple(self._deals)

    @property
    def deal(self) -> Deal | None:
        """The deal in progress, or the last one; None before the first."""
        return self._deals[-1] if self._deals else None

    @property
    def results(self) -> tuple[Score, ...]:
        """The scores of the deals that are over."""
        return tuple([deal.result() for deal in self._deals if deal.is_over])

    @property
    def button(self) -> str:
        """The player with the button in the deal in progress, or in the first one."""
        return self._standing.button or self._first_button

    @property
    def points(self) -> dict[str, Amount]:
        """The points of each player in the deals that are over, before stakes and caps."""
        return dict(self._now().points)

    @property
    def paid(self) -> dict[str, Amount]:
        """The payments to each player, after stakes and caps, with the prize of a match that is over."""
        standing = self._now()
        return {name: plain_amount(paid + self._prize(standing)[name]) for name, paid in standing.paid.items()}

    @property
    def stacks(self) -> dict[str, Amount] | None:
        """The current stacks, with the prize of a match that is over; None for a match without stacks."""
        standing = self._now()
        if standing.stacks is None:
            return None
        won = self._prize(standing)
        return {name: plain_amount(stack + won[name]) for name, stack in standing.stacks.items()}

    @property
    def fantasylands(self) -> dict[str, int]:
        """The fantasylands of the next deal: cards by name."""
        return {name: cards for name, (cards, _) in self._now().next_fantasylands.items()}

    @property
    def is_over(self) -> bool:
        """Return whether no deal follows: none is in progress, and no fantasyland is to be played."""
        return (not self._deals or self._deals[-1].is_over) and self._ends(self._now())

    def next_deal(self, deck: CardsLike | None = None) -> Deal:
        """Begin the next deal and return it; `deck`: its cards, top card first.

        Raises GameError: `deal.not_over` while a deal is in progress, `match.over` when the match is over.
        """
        if self._deals and not self._deals[-1].is_over:
            raise GameError("deal.not_over", "the deal in progress is not over")
        standing = self._now()
        if self._ends(standing):
            raise GameError("match.over", "the match is over; no deal follows")
        names = self._lineup(standing)
        button = self._next_button(standing, names)
        first = names.index(button) + 1
        order = names[first:] + names[:first]
        deal = Deal(
            self._rules,
            order,
            seed=self._seed if deck is None else None,
            deck=deck,
            number=len(self._deals) + 1,
            fantasyland=standing.next_fantasylands,
            stakes=self._stakes_among(order),
            stacks=None if standing.stacks is None else {name: standing.stacks[name] for name in order},
        )
        self._standing = replace(
            standing,
            round_done=standing.round_done or self._passes_first(standing, button),
            button=button,
            first=standing.first or button,
            rounds=standing.rounds + (not standing.next_fantasylands),
            last=order,
        )
        self._deals.append(deal)
        return deal

    def __iter__(self) -> Iterator[Deal]:
        """Yield the deal in progress and all that follow; each must be played to its end before the next."""
        if self._deals and not self._deals[-1].is_over:
            yield self._deals[-1]
        while not self.is_over:
            yield self.next_deal()

    def __repr__(self) -> str:
        points = ", ".join(f"{name} {paid:+g}" for name, paid in self.paid.items())
        return f"<Match {self._rules.name}, {len(self._deals)} deals{', over' if self.is_over else ''}: {points}>"

    def _request(self) -> Request:
        seats = self._seats
        return request_for_hands(self._rules, seats.hands, (), seats.players, seats.owners, self._money)

    def _stakes_among(self, names: tuple[str, ...]) -> dict[str, Amount] | None:
        """Return the stakes of a deal among some of the players."""
        stakes = cast("dict[str, Amount] | None", self._money.get("stakes"))
        if stakes is None:
            return None
        pairs = {f"{a}-{b}" for a in names for b in names} | {"default"}
        return {pair: stake for pair, stake in stakes.items() if pair in pairs}

    def _now(self) -> _Standing:
        """Return the standing with the last deal counted, if that is over."""
        previous = self._standing
        if not self._deals or not self._deals[-1].is_over:
            return previous
        deal = self._deals[-1]
        sheet = deal.result().sheet
        scored: dict[str, Amount] = dict.fromkeys(self.players, 0)
        moved: dict[str, Amount] = dict.fromkeys(self.players, 0)
        owners = [deal.players[owner] for owner in deal.owners]
        for hand in sheet.hands:
            scored[owners[hand.hand]] += hand.points
        for pair in sheet.pairs:
            moved[owners[pair.a]] += pair.moved.points
            moved[owners[pair.b]] -= pair.moved.points
        stacks = previous.stacks
        standing = replace(
            previous,
            points={name: points + scored[name] for name, points in previous.points.items()},
            paid={name: paid + moved[name] for name, paid in previous.paid.items()},
            stacks=None if stacks is None else {name: stack + moved[name] for name, stack in stacks.items()},
            next_fantasylands=deal.next_fantasylands(),
        )
        return replace(standing, next_fantasylands=self._playable(standing))

    def _playable(self, standing: _Standing) -> dict[str, tuple[int, int]]:
        """Return the fantasylands in which a point can be won. Rule: source 002 L31; Rules §6 (buy-in)."""
        if len(self._lineup(standing)) < 2:
            return {}
        return {
            name: fantasyland
            for name, fantasyland in standing.next_fantasylands.items()
            if not self._plays_for_nothing(standing, name)
        }

    def _plays_for_nothing(self, standing: _Standing, name: str) -> bool:
        """Return whether a player is bust and, under table stakes, can neither win nor lose."""
        return self._rules.settlement.cap != "none" and not self._has_chips(standing, name)

    def _has_chips(self, standing: _Standing, name: str) -> bool:
        if standing.stacks is None or bankroll_mode(self._rules) != "stacks":
            return True
        return standing.stacks[name] > 0

    def _lineup(self, standing: _Standing) -> tuple[str, ...]:
        """Return the players of the next deal, clockwise: those of the last deal when it is a fantasyland.

        Players who are bust and cannot win a point in it are left out.
        """
        if standing.next_fantasylands:
            last_players = [name for name in self.players if name in standing.last]
            return tuple([name for name in last_players if not self._plays_for_nothing(standing, name)])
        return tuple([name for name in self.players if self._has_chips(standing, name)])

    def _next_button(self, standing: _Standing, names: tuple[str, ...]) -> str:
        """Return the player with the button in a deal of these players. Rule: Rules §5; sources 001 L41, 002 L5."""
        if standing.button is None:
            return self._first_button if self._first_button in names else names[-1]
        button_stays = bool(standing.next_fantasylands) and self._rules.fantasyland.button == "stay"
        if button_stays and standing.button in names:
            return standing.button
        button_index = self.players.index(standing.button)
        return next((name for name in names if self.players.index(name) > button_index), names[0])

    def _passes_first(self, standing: _Standing, button: str) -> bool:
        """Return whether the button, moving on, reaches or passes its first player. Rule: source 001 L8."""
        if standing.first is None or standing.button is None or button == standing.button:
            return False
        count = len(self.players)
        next_index = self.players.index(standing.button) + 1
        to_first = (self.players.index(standing.first) - next_index) % count
        return (self.players.index(button) - next_index) % count >= to_first

    def _ends(self, standing: _Standing) -> bool:
        """Return whether the match ends between two deals. Rule: Rules §6 (match)."""
        if not standing.last or standing.next_fantasylands:
            return False
        names = self._lineup(standing)
        if len(names) <= 1:
            return True
        kind, _, number = self._rules.match.kind.partition(":")
        if kind == "deal_group":
            return True
        if kind == "orbit":
            return standing.round_done or self._passes_first(standing, self._next_button(standing, names))
        if kind == "deals":
            return standing.rounds >= int(number)
        if kind == "points":
            return max(standing.points.values()) >= int(number)
        return len(names) < len(self.players)

    def _prize(self, standing: _Standing) -> dict[str, Amount]:
        """Return each player's part of the prize of a match that is over. Rule: Rules §6 (match.prize)."""
        won: dict[str, Amount] = dict.fromkeys(self.players, 0)
        if not self.is_over:
            return won
        request = self._request()
        points = {name: int(total) for name, total in standing.points.items()}
        remaining = None if standing.stacks is None or self._rules.settlement.credit else dict(standing.stacks)
        for loser, winner, prize in prizes(MatchTarget.from_rules(self._rules), points):
            a, b = sorted((self.players.index(loser), self.players.index(winner)))
            due = prize * request.stakes.get((a, b), request.default_stake)
            if remaining is not None:
                due = min(due, remaining[loser])
                remaining[loser] -= due
            won[loser] -= due
            won[winner] += due
        return won


def _stacks(request: Request) -> dict[str, Amount] | None:
    """Return the stacks of all players. Raises GameError where some are given and others not."""
    if request.stacks is None:
        return None
    stacks: dict[str, Amount] = {}
    for name, stack in zip(request.owner_names, request.stacks, strict=True):
        if stack is None:
            raise GameError("deal.players", f"{name!r} has no stack", "$.stacks")
        stacks[name] = stack
    return stacks
