"""`triptych verify`: a deal's history is checked afterwards (issue 12, part 5)."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest

from tests.fair.chains import make_chain
from tests.table.session import Session, fair_session
from triptych.cli.history import export
from triptych.cli.verify import verify
from triptych.server.bootstrap import store_from_url
from triptych.store.types import Append, NewEvent
from triptych.table import commands as c
from triptych.table.codec import encode

if TYPE_CHECKING:
    from pathlib import Path


def exported(session: Session, folder: Path, capsys: pytest.CaptureFixture[str], **who: object) -> Path:
    """Return a history file of the session's last finished deal, as the command writes it."""
    database = folder / "room.db"

    async def fill() -> None:
        store = store_from_url(str(database))
        await store.open()
        await store.append(
            Append(table="t1", expected_version=0, events=tuple(NewEvent(*encode(event)) for event in session.log))
        )
        await store.close()

    asyncio.run(fill())
    assert export("t1", session.state().deals, database=str(database), **who) == 0  # type: ignore[arg-type]
    file = folder / "deal.toml"
    file.write_text(capsys.readouterr().out, "utf-8")
    return file


def cut_by_ann() -> Session:
    links = [link.hex() for link in make_chain(b"a" * 32, 9)]
    session = fair_session()
    session.ask("ann", c.CommitChain(links[0]))
    session.play()
    session.ask("ann", c.RevealLink(session.state().fair.number, links[1]))
    session.play()
    return session


@pytest.mark.parametrize(("who", "closed"), [({"seat": 0}, 52 - 17 - 13), ({}, 52 - 26), ({"everything": True}, 18)])
def test_each_card_that_a_reader_knows_is_proved_and_the_others_stay_closed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], who: dict[str, object], closed: int
) -> None:
    file = exported(cut_by_ann(), tmp_path, capsys, **who)
    assert verify(file) == 0
    printed = capsys.readouterr().out
    assert f"{closed} cards stay closed; the deck was cut by Ann" in printed
    assert "not proved" not in printed


def test_a_card_without_its_proof_is_named_and_the_status_is_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = exported(cut_by_ann(), tmp_path, capsys, seat=0)
    text = file.read_text("utf-8")
    first = next(line for line in text.splitlines() if line.startswith("  {at = 0,"))
    card = re.findall(r'card = "(..)"', first)[0]
    file.write_text(text.replace(first + "\n", ""), "utf-8")
    assert verify(file) == 1
    assert f"not proved: {card}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("pattern", "by", "code"),
    [
        (r"number = \d+", "number = 77", "fair."),
        (r'salt = "..', 'salt = "00', "fair.path"),
        (r'link = "....', 'link = "0000', "fair."),
        (r'table = "t1"', 'table = "t2"', "fair."),
        (r'roots = \["....', 'roots = ["0000', "fair."),
        (r"\{at = 1,", "{at = 50,", "fair."),
        (r"size = 52", "size = 99", "history."),
        (r'salt = "..', 'salt = "', "history."),
    ],
)
def test_changes_made_afterwards_are_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], pattern: str, by: str, code: str
) -> None:
    file = exported(cut_by_ann(), tmp_path, capsys, seat=0)
    head, fair = file.read_text("utf-8").split("[fair]")
    changed = re.sub(pattern, by, fair, count=1)
    assert changed != fair
    file.write_text(f"{head}[fair]{changed}", "utf-8")
    assert verify(file) == 1
    assert code in capsys.readouterr().err


def test_cards_exchanged_between_players_are_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A history that says of another's card that it was one's own has proofs for the other's places."""
    file = exported(cut_by_ann(), tmp_path, capsys, everything=True)
    text = file.read_text("utf-8")
    places = re.findall(r"\{at = (\d+), card", text)
    first, last = places[0], places[5]  # the first player's first card, the second player's
    mixed = text.replace(f"{{at = {first},", "{at = x,").replace(f"{{at = {last},", f"{{at = {first},")
    file.write_text(mixed.replace("{at = x,", f"{{at = {last},"), "utf-8")
    assert verify(file) == 1
    assert "fair.path" in capsys.readouterr().err


def test_a_deal_without_a_commitment_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = Session()
    session.play()
    file = exported(session, tmp_path, capsys, seat=0)
    assert verify(file) == 1
    assert "was not committed" in capsys.readouterr().err
    assert verify(tmp_path / "none.toml") == 2
