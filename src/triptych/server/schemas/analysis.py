"""The bodies of the analysis, with which a browser analyses positions under some rules."""

from __future__ import annotations

from msgspec import Struct

from triptych.server.wire.bodies import RulesSpec


class AnalysisRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules under which to analyse positions or, with `play`, to play whole deals."""

    rules: RulesSpec
    play: bool = False


class AnalysisStreet(Struct, frozen=True):
    """Cards dealt to a hand on a street, and how many of them it places."""

    dealt: int
    placed: int


class OpponentModel(Struct, frozen=True):
    """The values, in points from one opponent, with which bots set a fantasyland blindly.

    `front`, `middle`, `back`: by the kernel's classes of rows; `land`: of the next fantasyland, by its cards from 0.
    """

    front: tuple[float, ...]
    middle: tuple[float, ...]
    back: tuple[float, ...]
    land: tuple[float, ...]


class AnalysisClosed(Struct, frozen=True):
    """The data with which a browser ranks the settings of a closed game.

    `fields`: the addresses of the hand pools with the strategies of one, two and three opponents; `nearest`: the
    rules that they belong to, if these rules have none of their own. `surrenders`: players may surrender.
    """

    fields: tuple[str, ...]
    nearest: str
    surrenders: bool


class AnalysisSetup(Struct, frozen=True):
    """The data with which a browser analyses positions of these rules.

    `button_moves`: also between a deal and its fantasylands. `alone_hides`: the only hand outside fantasyland lies
    face down. `scoring`: as `scoring.rows`. `field`: only with `play`. `fantasyland`: the possible numbers of cards;
    `land_value`: their values in points from each opponent, by number of cards from 0. The kernel needs `rules`
    (base64) to set a fantasyland; to analyse a street it needs `player` (base64) followed by the file at `weights`,
    both null if there are no weights for the rules. `closed`: only for closed games.
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
