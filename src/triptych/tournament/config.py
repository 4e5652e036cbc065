"""Whether a tournament can be played as it is announced, and the rules that its tables have."""

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
    """Return rules as a tournament's table plays them: by matches that end, with chips, in a league on the book.

    The tournament has the levels, so the rules have none. In a league nobody runs out of chips: each round begins
    at 0, and its points are written down. First to n without a prize moves no points, so there it is as many as the
    loser is short of n (Rules §6, match.prize). A match that never ends would never let a player be moved, so it is
    one deal and its fantasylands.
    """
    match = rules.match
    if match.kind == "endless":
        match = replace(match, kind="deal_group")
    if bankroll_mode(rules) == "count":
        match = replace(match, prize="short")
    return replace(rules, match=match, settlement=replace(rules.settlement, credit=league), tournament=Tournament())


def verify_config(config: TournamentConfig, now: int) -> None:
    """Raise TournamentError when a tournament cannot be played so; `now` in ms."""
    _verify_rules(config)
    _verify_seats(config)
    if not 1 <= config.stack <= MAX_CHIPS:
        raise TournamentError("cup.stack", Message("error.cup.stack", most=MAX_CHIPS), "$.stack")
    levels = config.levels
    if not 1 <= len(levels) <= MAX_LEVELS or config.level_length < 1 or not all(map(_is_worth, levels)):
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


def _is_worth(chips: int) -> bool:
    return 1 <= chips <= MAX_CHIPS


def _verify_rules(config: TournamentConfig) -> None:
    on_book = config.rounds > 0 and config.rules.settlement.credit
    if config.rules != normalize_rules(config.rules, league=on_book):
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
    whole = config.most % config.seats == 0 and config.most > config.seats
    if not whole or config.least != config.most or config.starts_at is not None:
        message = Message("error.cup.league_tables", seats=config.seats)
        raise TournamentError("cup.rounds", message, "$.most")
    if len(config.levels) > 1 or config.late or config.break_every:
        raise TournamentError("cup.rounds", Message("error.cup.league_levels"), "$.levels")


def _verify_prizes(config: TournamentConfig) -> None:
    prizes = config.prizes
    if config.prize_kind == "none":
        if prizes or config.fee:
            raise TournamentError("cup.prizes", Message("error.cup.prize_kind"), "$.prizes")
        return
    if not 1 <= len(prizes) <= MAX_PLAYERS or any(each < 1 for each in prizes) or config.fee < 0:
        raise TournamentError("cup.prizes", Message("error.cup.prize_min"), "$.prizes")
    if any(later > earlier for earlier, later in pairwise(prizes)):
        raise TournamentError("cup.prizes", Message("error.cup.prize_order"), "$.prizes")
    if config.prize_kind == "shares" and (sum(prizes) != PERCENT or not config.fee):
        raise TournamentError("cup.prizes", Message("error.cup.prize_shares"), "$.prizes")
