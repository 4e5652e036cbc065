"""What the package offers; each name is loaded when it is first used."""

from triptych.arena.report import BotReport as BotReport, MatchResult as MatchResult
