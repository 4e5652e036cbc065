"""`triptych verify`: verify that the cards of a played deal were fixed before it began."""

from __future__ import annotations

import sys

from triptych.cards import cards_text
from triptych.cli.errors import report_error, report_message
from triptych.cli.options import File
from triptych.errors import TriptychError
from triptych.notation.history.model import History
from triptych.notation.history.read import parse_history
from triptych.notation.history.replay import check_history
from triptych.notation.history.verify_proofs import ProofResult, verify_history
from triptych.text_files import read_text


def verify(*files: File) -> int:
    """Check the proofs in histories; exit status 1 unless every known card is proved.

    A deal's deck is fixed and cut by the players before it is dealt; docs: fairness says how, and what that shows.

    Parameters
    ----------
    files
        History files, as the table's sheet or triptych history export gives them; - is standard input.
    """
    if not files:
        return report_message("name at least one history file", 2)
    status = 0
    for file in files:
        try:
            history = parse_history(read_text(file))
            check_history(history)
            verdict = verify_history(history)
        except TriptychError as error:
            status = max(status, report_error(error, file=file))
        else:
            sys.stdout.write(_result_text(str(file), history, verdict))
            status = max(status, int(any(verdict.unproved)))
    return status


def _result_text(file: str, history: History, verdict: ProofResult) -> str:
    """Return the result as text, hand by hand."""
    lines = [f"{file}: deal {history.number}, commitment {history.fair.number if history.fair else 0}"]
    for index, name in enumerate(history.players):
        proved, rest = verdict.proved[index], verdict.unproved[index]
        unproved = f"; not proved: {cards_text(rest)}" if rest else ""
        lines.append(f"  p{index + 1} {name}: {len(proved)} cards proved{unproved}")
    names = {hand.seat: name for hand, name in zip(history.hands, history.players, strict=True)}
    cutters = ", ".join(names.get(seat, f"seat {seat}") for seat in verdict.links)
    lines.append(
        f"  {verdict.undisclosed} cards stay closed; "
        f"{f'the deck was cut by {cutters}' if cutters else 'nobody cut the deck'}"
    )
    return "\n".join(lines) + "\n"
