"""Verifies a tournament's configuration, and makes the rules of its tables."""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace

from triptych.i18n.messages import Message
from triptych.rulesets.model import Ruleset, Tournament, bankroll_mode
from triptych.rulesets.validate import check
from triptych.tournament.errors import TournamentError
from triptych.tournament.state import TournamentConfig

MAX_PLAYERS = 512
MAX_LEVELS = 100
MAX_CHIPS = 1_000_000
MAX_ROUNDS = 200
PERCENT = 100


def normalize_rules(rules: Ruleset, *, league: bool = False) -> Ruleset:
    """Return the rules of a tournament's tables: with matches that end, and chips or (in a league) a ledger.

    The tournament has the levels, so the rules have none. In a league nobody runs out of chips: each round begins
    at 0, and its points are kept in the ledger. First to n without a prize moves no points, so there the prize is
    the number of points that the loser is short of n (Rules §6, match.prize). In a match that never ends no player
    could be moved, so it becomes one deal and its fantasylands.
    """
    match = rules.match
    if match.kind == "endless":
        match = replace(match, kind="deal_group")
    if bankroll_mode(rules) == "count":
        match = replace(match, prize="short")
    return replace(rules, match=match, settlement=replace(rules.settlement, credit=league), tournament=Tournament())


def verify_config(config: TournamentConfig, now: int) -> None:
    """Raise TournamentError when a tournament's configuration is not valid; `now` in ms."""
    _verify_rules(config)
    _verify_seats(config)
    if not 1 <= config.stack <= MAX_CHIPS:
        raise TournamentError("cup.stack", Message("error.cup.stack", most=MAX_CHIPS), "$.stack")
    levels = config.levels
    if not 1 <= len(levels) <= MAX_LEVELS or config.level_length < 1 or not all(map(_is_valid_price, levels)):
        message = Message("error.cup.level_count", levels=MAX_LEVELS, chips=MAX_CHIPS)
        raise TournamentError("cup.levels", message, "$.levels")
    if any(later <= earlier for earlier, later in pairwise(levels)):
        raise TournamentError("cup.levels", Message("error.cup.level_order"), "$.levels")
    if config.starts_at is not None and config.starts_at <= now:
        raise TournamentError("cup.start", Message("error.cup.start"), "$.starts_at")
    if config.late < 0 or config.reentries < 0 or (config.reentries and not config.late):
        raise TournamentError("cup.levels", Message("error.cup.reentry_levels"), "$.late")
    if config.break_every < 0 or (config.break_every and config.break_minutes < 1):
        raise TournamentError("cup.breaks", Message("error.cup.breaks"), "$.break_minutes")
    if config.fill and not config.bots_allowed:
        raise TournamentError("cup.bots", Message("error.cup.bots_needed"), "$.fill")
    _verify_league(config)
    _verify_prizes(config)


def _is_valid_price(chips: int) -> bool:
    return 1 <= chips <= MAX_CHIPS


def _verify_rules(config: TournamentConfig) -> None:
    has_ledger = config.rounds > 0 and config.rules.settlement.credit
    if config.rules != normalize_rules(config.rules, league=has_ledger):
        raise TournamentError("cup.rules", Message("error.cup.rules"), "$.rules")
    problem = next((diagnostic for diagnostic in check(config.rules) if diagnostic.severity == "error"), None)
    if problem is not None:
        raise TournamentError("cup.rules", problem.message, problem.path.replace("$", "$.rules", 1))


def _verify_seats(config: TournamentConfig) -> None:
    seats = config.rules.seats
    least = max(2, seats.min)
    if not least <= config.seats <= seats.max:
        raise TournamentError("cup.seats", Message("error.cup.table_seats", least=least, most=seats.max), "$.seats")
    if not 2 <= config.least <= config.most <= MAX_PLAYERS:
        raise TournamentError("cup.seats", Message("error.cup.player_count", most=MAX_PLAYERS), "$.most")


def _verify_league(config: TournamentConfig) -> None:
    if not 0 <= config.rounds <= MAX_ROUNDS:
        raise TournamentError("cup.rounds", Message("error.cup.league_rounds", most=MAX_ROUNDS), "$.rounds")
    if not config.rounds:
        return
    fills_tables = config.most % config.seats == 0 and config.most > config.seats
    if not fills_tables or config.least != config.most or config.starts_at is not None:
        raise TournamentError("cup.rounds", Message("error.cup.league_tables", seats=config.seats), "$.most")
    if len(config.levels) > 1 or config.late or config.break_every:
        raise TournamentError("cup.rounds", Message("error.cup.league_levels"), "$.levels")


def _verify_prizes(config: TournamentConfig) -> None:
    prizes = config.prizes
    if config.prize_kind == "none":
        if prizes or config.fee:
            raise TournamentError("cup.prizes", Message("error.cup.prize_kind"), "$.prizes")
        return
    if not 1 <= len(prizes) <= MAX_PLAYERS or any(prize < 1 for prize in prizes) or config.fee < 0:
        raise TournamentError("cup.prizes", Message("error.cup.prize_min"), "$.prizes")
    if any(later > earlier for earlier, later in pairwise(prizes)):
        raise TournamentError("cup.prizes", Message("error.cup.prize_order"), "$.prizes")
    if config.prize_kind == "shares" and (sum(prizes) != PERCENT or not config.fee):
        raise TournamentError("cup.prizes", Message("error.cup.prize_shares"), "$.prizes")
