"""A session's file: deals as JSON Lines of the scoring contract (Rules §8), and the parser of typed hands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from triptych.board import ROWS
from triptych.errors import TriptychError
from triptych.json_input import read_object
from triptych.rulesets.catalog import DEFAULT_PRESET
from triptych.rulesets.diff import overrides
from triptych.rulesets.load import parse_set, preset_names, read_toml, resolve
from triptych.rulesets.toml import parse_toml
from triptych.scoring.errors import RequestError
from triptych.scoring.jsonl.request import KINDS
from triptych.scoring.settle import Amount
from triptych.text_files import read_text

_HAND: Final = re.compile(
    r"(?P<owner>[^=:]+)(?::(?P<board>[^=:]+))?=(?P<content>[^@!]*)(?:@(?P<cards>\d+)(?::(?P<in_row>\d+))?)?(?:!(?P<rows>.*))?"
)
_POINTS: Final = re.compile(r"(?P<name>[^=:]+)=(?P<sign>[+\-−]?)(?P<amount>\d+(?:\.\d+)?)")
_EXAMPLE: Final = "Ann=QhQd7c/8c8dTsTh2c/AhAcAd9d9h, Bob=surrender or Cem=natural:AsKhQd…"


class Line(Struct, frozen=True):
    """One line of the file: its number, its deal, or the error when it is not a deal."""

    number: int
    document: dict[str, Any]
    error: TriptychError | None = None


def read_session(file: Path, *, missing_ok: bool = False) -> list[Line]:
    """Return the deals of a file; a line that is not a deal keeps its error. Raises OSError."""
    if missing_ok and not file.exists():
        return []
    lines: list[Line] = []
    for number, text in enumerate(file.read_bytes().splitlines(), 1):
        if not text.strip():
            continue
        try:
            lines.append(Line(number, read_object(text)))
        except TriptychError as error:
            lines.append(Line(number, {}, error))
    return lines


def deals_of(file: Path, *, missing_ok: bool = False) -> list[Line]:
    """Return the deals of a file that will be rewritten; every line must be a deal, so that no line is lost.

    Raises OSError, RequestError.
    """
    lines = read_session(file, missing_ok=missing_ok)
    for line in lines:
        if line.error is not None or not any(isinstance(line.document.get(kind), Mapping) for kind in KINDS):
            message = f"line {line.number} of {file} is not a deal; nothing was changed"
            raise RequestError("line.type", message, f"$[{line.number - 1}]")
    return lines


def write_session(file: Path, documents: Sequence[Mapping[str, Any]]) -> None:
    """Write all deals, renumbered; the old file is replaced when the new one is complete. Raises OSError."""
    encoded = (
        msgspec.json.encode({**document, "id": str(number)}) + b"\n" for number, document in enumerate(documents, 1)
    )
    new_file = file.with_name(f"{file.name}.new")
    new_file.write_bytes(b"".join(encoded))
    new_file.replace(file)


def read_points(texts: Sequence[str]) -> tuple[str, dict[str, Amount]] | None:
    """Return `points` or `pairs`, and the points of each player or pair; None when the texts are hands.

    Raises RequestError `line.type` when they are neither.
    """
    matches = [match for match in map(_POINTS.fullmatch, texts) if match]
    if not matches:
        return None
    names = [match["name"].strip() for match in matches]
    pairs = ["-" in name for name in names]
    if len(matches) < len(texts) or any(pairs) != all(pairs):
        message = "give boards, or points of all players (Ann=+12 Bob=-12), or points of all pairs (Ann-Bob=6)"
        raise RequestError("line.type", message, "$.points")
    amounts = {name: _amount(match) for name, match in zip(names, matches, strict=True)}
    if len(amounts) < len(names):
        raise RequestError("player.duplicate", "a player or a pair is given twice", "$.points")
    return "pairs" if any(pairs) else "points", amounts


def _amount(match: re.Match[str]) -> Amount:
    amount = float(match["amount"]) if "." in match["amount"] else int(match["amount"])
    return amount if match["sign"] in ("", "+") else -amount


def read_hand(text: str) -> tuple[str, str, dict[str, Any]]:
    """Return a hand's name, its owner and its entry in the scoring contract. Raises RequestError `line.type`."""
    match = _HAND.fullmatch(text)
    if match is None:
        raise RequestError("line.type", f"{text!r} is not a hand; write such as {_EXAMPLE}", "$.players")
    owner = match["owner"].strip()
    name = f"{owner} {match['board']}" if match["board"] else owner
    entry = _entry(match["content"].strip(), name)
    if match["cards"]:
        entry["fantasyland"] = {"cards": int(match["cards"]), "in_row": int(match["in_row"] or 1)}
    if match["rows"] is not None:
        entry["declared"] = [row for row in match["rows"].split(",") if row]
    return name, owner, entry


def _entry(text: str, name: str) -> dict[str, Any]:
    if text == "surrender":
        return {"surrender": True}
    if text.startswith("natural:"):
        return {"natural": text.removeprefix("natural:")}
    rows = text.split("/")
    if len(rows) != len(ROWS):
        message = f"{text!r} is not a board; write front/middle/back, as in {_EXAMPLE}"
        raise RequestError("line.type", message, f"$.players.{name}")
    return dict(zip(ROWS, rows, strict=True))


def rules_spec(rules: str | None, settings: Sequence[str], before: object) -> dict[str, Any]:
    """Return the rules of a deal: `rules`, else those of the deal before, with some options changed.

    `rules` is a preset or a TOML file. Raises RequestError `line.missing`, RulesError, OSError.
    """
    changes = parse_set(settings)
    if rules is None:
        if before is None:
            raise RequestError("line.missing", "name the rules of the first deal: --rules closed_1_6", "$.rules")
        spec = {"preset": before} if isinstance(before, str) else dict(before) if isinstance(before, Mapping) else {}
        return {**spec, **changes}
    if rules in preset_names() or not rules.endswith(".toml"):
        return {"preset": rules, **changes}
    text = read_text(Path(rules))
    custom_rules = read_toml(text)
    document = parse_toml(text)
    preset = str(document.get("extends", document.get("preset", DEFAULT_PRESET)))
    return {"preset": preset, **overrides(custom_rules, resolve(preset)), **changes}


def stakes_between(owners: Sequence[str], before: object, changes: Sequence[str]) -> dict[str, float]:
    """Return the stakes of a deal: those of the deal before for its players, with some changes.

    Raises RequestError `line.type` when one is not NAME-NAME=NUMBER.
    """
    pairs = {f"{a}-{b}" for a in owners for b in owners if a != b}
    stakes = dict(before) if isinstance(before, Mapping) else {}
    agreed = {pair: stake for pair, stake in stakes.items() if pair in pairs or pair == "default"}
    for text in changes:
        pair, sign, stake = text.rpartition("=")
        if not sign or not re.fullmatch(r"\d+(\.\d+)?", stake):
            raise RequestError("line.type", f"{text!r} is not a stake; write such as Ann-Bob=10", "$.stakes")
        first, _, second = pair.partition("-")
        agreed.pop(f"{second}-{first}", None)
        agreed[pair] = float(stake) if "." in stake else int(stake)
    return agreed
