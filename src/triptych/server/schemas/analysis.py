"""Bodies of the analysis: what a browser needs to analyse under some rules."""

from __future__ import annotations

from msgspec import Struct

from triptych.server.wire.bodies import RulesSpec


class AnalysisRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Under which rules positions are to be analysed, or, with `play`, whole deals played."""

    rules: RulesSpec
    play: bool = False


class AnalysisStreet(Struct, frozen=True):
    """Cards dealt to a hand on a street, and how many of them it places."""

    dealt: int
    placed: int


class OpponentModel(Struct, frozen=True):
    """What bots set a fantasyland by where they do not see the others' boards, in points against one of them.

    `front`, `middle`, `back` by the kernel's classes of rows; `land`: the next fantasyland, by its cards from 0.
    """

    front: tuple[float, ...]
    middle: tuple[float, ...]
    back: tuple[float, ...]
    land: tuple[float, ...]


class AnalysisClosed(Struct, frozen=True):
    """What a browser ranks the settings of a closed game with.

    `fields`: where the hands lie that one, two or three opponents are taken to hold, as they set them; `nearest`: of
    which rules those are, where these have none of their own. `surrenders`: giving up is a choice.
    """

    fields: tuple[str, ...]
    nearest: str
    surrenders: bool


class AnalysisSetup(Struct, frozen=True):
    """What a browser analyses these rules with.

    `button_moves`: also between a deal and the fantasylands that it brings. `alone_hides`: the only hand outside
    fantasyland lies face down. `scoring`: how rows count, as `scoring.rows`. `field` comes with `play` alone.
    `fantasyland` holds the numbers of cards that one can have; `land_value` what each is worth in points from each
    opponent, by its number of cards from 0. The kernel keeps `rules` (base64) to set a fantasyland; to analyse a
    street it takes `player` (base64) and behind it the file at `weights`. Both are null where nothing was learned.
    `closed` is there for closed games alone.
    """

    title: str
    deck: tuple[str, ...]
    hands_max: int
    streets: tuple[AnalysisStreet, ...]
    fantasyland: tuple[int, ...]
    land_value: tuple[float, ...]
    rules: str
    player: str | None
    weights: str | None
    hands_min: int = 2
    jokers: int = 0
    button_moves: bool = False
    alone_hides: bool = False
    low_middle: bool = False
    scoring: str = "per_row"
    field: OpponentModel | None = None
    closed: AnalysisClosed | None = None
