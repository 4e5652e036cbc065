"""Whether a tournament can be played as it is announced, and the rules that its tables have."""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace

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
        raise TournamentError("cup.stack", f"Everybody begins with 1 to {MAX_CHIPS} chips.", "$.stack")
    levels = config.levels
    if not 1 <= len(levels) <= MAX_LEVELS or config.level_length < 1 or not all(map(_is_worth, levels)):
        message = f"1 to {MAX_LEVELS} levels, each with the chips that a point is worth, 1 to {MAX_CHIPS}."
        raise TournamentError("cup.levels", message, "$.levels")
    if any(later <= earlier for earlier, later in pairwise(levels)):
        raise TournamentError("cup.levels", "Each level raises what a point is worth.", "$.levels")
    if config.starts_at is not None and config.starts_at <= now:
        raise TournamentError("cup.start", "Choose a start time in the future.", "$.starts_at")
    if config.late < 0 or config.reentries < 0 or (config.reentries and not config.late):
        raise TournamentError("cup.levels", "Say in how many levels people may come back.", "$.late")
    if config.break_every < 0 or (config.break_every and config.break_minutes < 1):
        raise TournamentError("cup.breaks", "A break lasts at least a minute.", "$.break_minutes")
    if config.fill and not config.bots_allowed:
        raise TournamentError("cup.bots", "Allow bots to fill empty places with them.", "$.fill")
    _verify_league(config)
    _verify_prizes(config)


def _is_worth(chips: int) -> bool:
    return 1 <= chips <= MAX_CHIPS


def _verify_rules(config: TournamentConfig) -> None:
    on_book = config.rounds > 0 and config.rules.settlement.credit
    if config.rules != normalize_rules(config.rules, league=on_book):
        raise TournamentError(
            "cup.rules", "A tournament's tables play with chips and by matches that end.", "$.rules"
        )
    problem = next((found for found in check(config.rules) if found.severity == "error"), None)
    if problem is not None:
        raise TournamentError("cup.rules", problem.message, problem.path.replace("$", "$.rules", 1))


def _verify_seats(config: TournamentConfig) -> None:
    seats = config.rules.seats
    least = max(2, seats.min)
    if not least <= config.seats <= seats.max:
        raise TournamentError("cup.seats", f"{least} to {seats.max} sit at a table of this game.", "$.seats")
    if not 2 <= config.least <= config.most <= MAX_PLAYERS:
        raise TournamentError("cup.seats", f"2 to {MAX_PLAYERS} players take part.", "$.most")


def _verify_league(config: TournamentConfig) -> None:
    if not 0 <= config.rounds <= MAX_ROUNDS:
        raise TournamentError("cup.rounds", f"A league has at most {MAX_ROUNDS} rounds.", "$.rounds")
    if not config.rounds:
        return
    whole = config.most % config.seats == 0 and config.most > config.seats
    if not whole or config.least != config.most or config.starts_at is not None:
        message = f"A league has two or more full tables of {config.seats}, and begins when it is full."
        raise TournamentError("cup.rounds", message, "$.most")
    if len(config.levels) > 1 or config.late or config.break_every:
        raise TournamentError("cup.rounds", "A league has one level, no breaks, and nobody comes late.", "$.levels")


def _verify_prizes(config: TournamentConfig) -> None:
    prizes = config.prizes
    if config.prize_kind == "none":
        if prizes or config.fee:
            raise TournamentError("cup.prizes", "Say whether the prizes are points or shares.", "$.prizes")
        return
    if not 1 <= len(prizes) <= MAX_PLAYERS or any(each < 1 for each in prizes) or config.fee < 0:
        raise TournamentError("cup.prizes", "Each prize must be at least 1.", "$.prizes")
    if any(later > earlier for earlier, later in pairwise(prizes)):
        raise TournamentError("cup.prizes", "A better place brings no less than the next one.", "$.prizes")
    if config.prize_kind == "shares" and (sum(prizes) != PERCENT or not config.fee):
        raise TournamentError(
            "cup.prizes", "Shares of a pool add up to 100, and each entry brings something to it.", "$.prizes"
        )
