"""Deals of all presets, and what the server's scorer makes of them: the client's own scorer is held against it."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from tests.scoring.deals import random_hands
from triptych.cards import cards_text
from triptych.i18n.messages import plain_text
from triptych.rulesets.load import preset_names, resolve
from triptych.server.jobs.scorer import score_session_deals, scorer_setup

if TYPE_CHECKING:
    from triptych.rulesets.model import Ruleset
    from triptych.scoring.showdown import ScoredHand

EACH = 3  # deals of a preset


def scored() -> dict[str, Any]:
    """Return deals as lines, their presets' forms by name, and the server's ledger and sheets.

    Only the prize of a match to 11 is left to the server.
    """
    chance = Random(1)
    forms = {preset: scorer_setup(preset) for preset in preset_names()}
    assert [preset for preset, form in forms.items() if form.own is None] == ["first_to_11"]
    here = [preset for preset, form in forms.items() if form.own is not None]
    lines = [line_of(preset, chance) for preset in here for _ in range(EACH)]
    lines += [points_line(preset, chance, kind) for preset in here for kind in ("points", "pairs")]
    lines.append({**lines[0], "removed": True})
    document = {"forms": forms, "lines": lines, "session": score_session_deals(lines)}
    result: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(document, enc_hook=plain_text))
    return result


def line_of(preset: str, chance: Random) -> dict[str, Any]:
    """Return a random deal as a line: boards, naturals, surrenders, fantasylands, two boards a player, stakes."""
    rules = resolve(preset)
    names = ["Ann", "Bob", "Cem", "Dee"]
    hands = random_hands(rules, chance)
    players = {name: player(rules, hand) for name, hand in zip(names, hands, strict=False)}
    line: dict[str, Any] = {"rules": {"preset": preset, "stake.point": 0.05}, "players": players}
    if any(hand.owner not in (None, at) for at, hand in enumerate(hands)):
        line["owners"] = {name: names[hand.owner or 0] for name, hand in zip(names, hands, strict=False)}
    elif chance.random() < 0.5:
        line["stakes"] = {"Bob-Ann": 3, "default": 2}
    return line


def points_line(preset: str, chance: Random, kind: str) -> dict[str, Any]:
    """Return a random deal of which only the points are known."""
    rules = resolve(preset)
    names = ["Ann", "Bob", "Cem"] if rules.deal.game != "criss_cross" else ["Ann", "Bob"]
    line: dict[str, Any] = {"rules": {"preset": preset, "stake.point": 0.05}, "order": names}
    if kind == "points":
        won = [chance.randint(-20, 20) for _ in names[1:]]
        return {**line, "points": dict(zip(names, [-sum(won), *won], strict=True))}
    pairs = {f"{a}-{b}": chance.randint(-20, 20) for a, b in combinations(names, 2)}
    return {**line, "pairs": pairs, "stakes": {"Bob-Ann": 3, "default": 2}}


def player(rules: Ruleset, hand: ScoredHand) -> dict[str, Any]:
    if hand.kind == "surrender":
        return {"surrender": True}
    if hand.kind == "natural":
        return {"natural": cards_text(hand.cards)}
    rows = {"front": hand.cards[:3], "middle": hand.cards[3:8], "back": hand.cards[8:]}
    entry: dict[str, Any] = {row: cards_text(cards) for row, cards in rows.items()}
    if hand.fantasyland:
        entry["fantasyland"] = {"cards": hand.fantasyland, "in_row": hand.in_row}
    if rules.royalties.declare == "must":
        entry["declared"] = [row for at, row in enumerate(rows) if hand.declared >> at & 1]
    return entry
