"""`triptych session`: score real cards deal by deal, keep the ledger, and say who pays whom."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from triptych.cli.errors import report_error, report_message
from triptych.cli.session.file import (
    Line,
    deals_of,
    read_hand,
    read_session,
    rules_spec,
    stakes_between,
    write_session,
)
from triptych.cli.session.output import print_ledger, print_sheet
from triptych.cli.session.prompts import ask_hands, seats_of
from triptych.errors import TriptychError
from triptych.rulesets.load import resolve
from triptych.scoring.errors import RequestError
from triptych.scoring.session import SessionDeal, ledgers, session_deal

app = App(name="session", help="Score a session of real cards, keep its ledger, and say who pays whom.")

Rules = Annotated[str | None, Parameter(help="A preset, or a house's own TOML file.")]
Settings = Annotated[
    list[str] | None,
    Parameter(
        name="--set",
        negative="",
        help="Change one option: key=value, such as stake.point=0.5. May be given many times.",
    ),
]
Stakes = Annotated[
    list[str] | None,
    Parameter(name="--stake", negative="", help="What a pair's points count: Ann-Bob=10. May be given many times."),
]


@app.command
def add(file: Path, /, *hands: str, rules: Rules = None, set_: Settings = None, stake: Stakes = None) -> int:
    """Add a deal to a session's file and print its sheet.

    Each hand is NAME=BOARD, in seat order, the button last: `Ann=QhQd7c/8c8dTsTh2c/AhAcAd9d9h`. Instead of a board:
    `Bob=surrender`, `Cem=natural:AsKhQd…`. After it `@14` says that the board was set in a fantasyland of 14 cards,
    `@14:2` that it was the second in a row, `!front,back` which royalties were announced. Criss-cross: `Ann:1=…
    Ann:2=…`. Rules and stakes stay those of the deal before until others are given.

    Parameters
    ----------
    file
        The session: one deal a line, as `triptych score` reads them. It is made when it is not there.
    hands
        The players' hands.
    """
    try:
        lines = deals_of(file, missing_ok=True)
        document = _document(hands, _last(lines), rules, set_ or (), stake or ())
        deal = session_deal(document, len(lines) + 1)
        write_session(file, [*(line.document for line in lines), document])
    except (TriptychError, OSError) as error:
        return _refuse(error)
    print_sheet(deal)
    return 0


@app.command
def play(file: Path, /, *players: str, rules: Rules = None, set_: Settings = None, stake: Stakes = None) -> int:
    """Ask for board after board, deal after deal, until an empty line ends the session; then say who pays whom.

    A board is typed as in `add`, without the name: `QhQd7c/8c8dTsTh2c/AhAcAd9d9h`, `surrender`, `natural:AsKhQd…`.
    What cannot be scored is asked again, and `back` takes the board before once more.

    Parameters
    ----------
    file
        The session; it goes on where it was.
    players
        Names in seat order, the button last; those of the deal before when none are given. Criss-cross: Ann:1 Ann:2.
    """
    try:
        last = _last(deals_of(file, missing_ok=True))
        names = players or seats_of(last)
        # Before anybody types a board in vain.
        resolve(rules_spec(rules, set_ or (), last.get("rules")))
        while (hands := ask_hands(names, len(read_session(file, missing_ok=True)) + 1)) is not None:
            # `add` has said why it refused the deal; its boards are asked for again.
            if add(file, *hands, rules=rules, set_=set_, stake=stake) == 0:
                rules, set_, stake = None, None, None
    except (TriptychError, OSError) as error:
        return _refuse(error)
    return show(file) if file.exists() else 0


@app.command
def change(file: Path, number: int, /, *hands: str) -> int:
    """Change hands of a deal that was added before, and print its sheet.

    Parameters
    ----------
    file
        The session.
    number
        The deal, 1 for the first.
    hands
        The hands that were wrong, as in `add`; the others stay.
    """
    try:
        lines = deals_of(file)
        document = _changed(lines, number, hands)
        deal = session_deal(document, number)
        documents = [line.document for line in lines]
        documents[number - 1] = document
        write_session(file, documents)
    except (TriptychError, OSError) as error:
        return _refuse(error)
    print_sheet(deal)
    return 0


@app.command
def undo(file: Path, /) -> int:
    """Take the last deal out again.

    Parameters
    ----------
    file
        The session.
    """
    try:
        lines = deals_of(file)
        if not lines:
            return report_message("the session has no deal yet")
        write_session(file, [line.document for line in lines[:-1]])
    except (TriptychError, OSError) as error:
        return _refuse(error)
    sys.stdout.write(f"deal {len(lines)} is out\n")
    return 0


@app.command
def show(file: Path, /, *, sheets: Annotated[bool, Parameter(negative="")] = False) -> int:
    """Print the ledger of a session and the fewest payments that settle it.

    Exit status 1 when a line cannot be scored; the others count.

    Parameters
    ----------
    file
        The session.
    sheets
        Print the sheet of every deal too.
    """
    try:
        lines = read_session(file)
    except OSError as error:
        return _refuse(error)
    deals, bad = _scored(lines)
    for deal in deals if sheets else ():
        print_sheet(deal)
    for tally in ledgers(deals):
        print_ledger(tally)
    if not deals:
        sys.stdout.write("no deal yet\n")
    return int(bad)


def _last(lines: Sequence[Line]) -> dict[str, Any]:
    """Return the deal before, nothing when there is none."""
    return lines[-1].document if lines else {}


def _scored(lines: Sequence[Line]) -> tuple[list[SessionDeal], bool]:
    """Return the deals that can be scored; the others are told on standard error."""
    deals: list[SessionDeal] = []
    bad = False
    for number, line in enumerate(lines, 1):
        try:
            if line.error is not None:
                raise line.error
            deals.append(session_deal(line.document, number))
        except TriptychError as error:
            sys.stderr.write(f"line {line.number}: {error} ({error.code})\n")
            bad = True
    return deals, bad


def _document(
    hands: Sequence[str], last: dict[str, Any], rules: str | None, settings: Sequence[str], stakes: Sequence[str]
) -> dict[str, Any]:
    """Return a deal as a line of the scoring contract; what is not given is taken from the deal before."""
    read = [read_hand(hand) for hand in hands]
    names = [name for name, _, _ in read]
    doubled = next((name for name in names if names.count(name) > 1), None)
    if doubled is not None:
        raise RequestError("player.duplicate", f"{doubled!r} is given twice", f"$.players.{doubled}")
    owners = {name: owner for name, owner, _ in read}
    document: dict[str, Any] = {
        "rules": rules_spec(rules, settings, last.get("rules")),
        "players": {name: entry for name, _, entry in read},
        "order": names,
    }
    if owners != {name: name for name in names}:
        document["owners"] = owners
    agreed = stakes_between(list(dict.fromkeys(owners.values())), last.get("stakes", {}), stakes)
    return {**document, "stakes": agreed} if agreed else document


def _changed(lines: Sequence[Line], number: int, hands: Sequence[str]) -> dict[str, Any]:
    """Return a deal that was added before, with some hands in place of the old ones."""
    if not 1 <= number <= len(lines):
        raise RequestError("line.missing", f"the session has {len(lines)} deals", "$")
    document = lines[number - 1].document
    players = dict(document.get("players", {}))
    for name, _, entry in map(read_hand, hands):
        if name not in players:
            raise RequestError("player.unknown", f"{name!r} is no player of this deal", f"$.players.{name}")
        players[name] = entry
    return {**document, "players": players}


def _refuse(error: TriptychError | OSError) -> int:
    if isinstance(error, OSError):
        return report_message(f"cannot use {error.filename}: {error.strerror}")
    return report_error(error)
