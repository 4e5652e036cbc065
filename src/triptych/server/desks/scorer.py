"""What the live scorer asks: what to fill in under some rules, a deal's sheet, an evening's ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triptych.cards import card_text, deck
from triptych.rules.compile import natural_entries
from triptych.rules.load import resolve
from triptych.rules.model import is_closed
from triptych.score.errors import RequestError
from triptych.score.evening import EveningDeal, evening_deal, tallies
from triptych.server.score_shapes import Evening, ScoredDeal, ScoreForm
from triptych.server.wire.errors import Refusal
from triptych.server.wire.messages import WireError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.rules.model import Ruleset
    from triptych.score.sheet.shapes import ScoreSheet


def form(spec: str | dict[str, Any]) -> ScoreForm:
    """Return what a scorer has to ask under these rules. Raises RulesError."""
    rules = resolve(spec)
    crossed = rules.deal.game == "criss_cross"
    return ScoreForm(
        title=rules.title or rules.name,
        deck=tuple(card_text(card) for card in deck(rules.deal.jokers)),
        players_min=2,
        players_max=2 if crossed else 4,
        boards=2 if crossed else 1,
        surrender=rules.surrender.points if is_closed(rules) else 0,
        natural=is_closed(rules) and bool(natural_entries(rules.naturals)),
        declare=rules.royalties.declare == "must",
        fantasyland=_fantasylands(rules),
        in_row=rules.fantasyland.repeat_limit != "none",
        point=rules.stake.point,
        unit=rules.stake.unit,
    )


def _fantasylands(rules: Ruleset) -> tuple[int, ...]:
    land = rules.fantasyland
    if is_closed(rules):
        return ()
    repeat = 0 if land.repeat_cards == "same" else land.repeat_cards
    return tuple(sorted({*land.pair, *land.trips, land.best_low, land.front_and_low, repeat} - {0}))


def scored(deal: dict[str, Any], number: int) -> ScoreSheet:
    """Return the sheet of one deal. Raises Refusal with the code and path of the scoring contract."""
    try:
        return evening_deal(deal, number).sheet
    except RequestError as error:
        raise Refusal(error.code, error.message, error.path) from error


def evening(deals: Sequence[dict[str, Any]]) -> Evening:
    """Return all deals of an evening scored, and the ledger over them; a bad deal spoils no other."""
    lines: list[ScoredDeal] = []
    good: list[EveningDeal] = []
    for number, deal in enumerate(deals, 1):
        try:
            found = evening_deal(deal, number)
        except RequestError as error:
            lines.append(ScoredDeal(None, WireError(error.code, error.message, error.path)))
        else:
            good.append(found)
            lines.append(ScoredDeal(found.sheet, None))
    return Evening(tuple(lines), tallies(good))
