"""Answer one JSON line of `triptych solve fantasyland --json -`.

In: `{"id":…, "cards":"AsKs…", "rules":{"preset":…}, "repeat_value":x, "against":[{"front":…,"middle":…,"back":…}]}`,
with `"stacks":[own, theirs, …], "place":n` under table stakes. `repeat_value` is one number of points or, by the
cards of the next fantasyland, `{"14":11,"17":25}`. Instead of `against`, unknown boards:
`"distribution":[{"boards":[{"front":…,…}], "weight":w}, …]` or `"sample":{"count":n, "opponents":n, "seed":n}`.
Out: `{"id":…, "front":"…", "middle":"…", "back":"…", "discards":"…", "royalties":n, "repeat":bool, "value":x}`, with
`"legal": false` added when every setting fouls, or `{"id":…, "error":{"code":…, "message":…, "path":…}}`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from triptych.board import ROWS
from triptych.cards import Card, cards_text
from triptych.json_input import (
    Json,
    read_rules,
    reply_to_line,
    verify_integer,
    verify_keys,
    verify_list,
    verify_number,
    verify_table,
)
from triptych.rulesets.model import Ruleset
from triptych.solve.errors import SolveError
from triptych.solve.exact.fantasyland import fantasyland
from triptych.solve.exact.setting import FantasylandValue, Rows, Setting
from triptych.solve.exact.stakes import Stakes
from triptych.solve.exact.unknown import OpponentSample, verify_samples
from triptych.solve.jsonl.cards import read_cards, read_rows
from triptych.solve.value.sampled import sample_opponent_boards

_KEYS: Final = frozenset(
    {"id", "cards", "rules", "repeat_value", "against", "in_row", "stacks", "place", "distribution", "sample"}
)
_SAMPLE: Final = {"count": 1000, "opponents": 1, "seed": 0}


def process_line(line: bytes | str) -> tuple[Json, bool]:
    """Return the answer to one line, and whether there was one; a bad line is answered with its error."""
    return reply_to_line(line, lambda document: setting_json(_solve(document)))


def setting_json(setting: Setting) -> Json:
    """Return a setting in its JSON form, cards as text."""
    value = setting.value
    body: Json = {name: cards_text(getattr(setting, name)) for name in (*ROWS, "discards")}
    body |= {"royalties": setting.royalties, "repeat": setting.repeat}
    body["value"] = int(value) if value.is_integer() else value
    return body if setting.legal else body | {"legal": False}


def _solve(document: Json) -> Setting:
    verify_keys(document, _KEYS, "$")
    if "cards" not in document:
        raise SolveError("line.missing", "cards are missing", "$.cards")
    cards = read_cards(document["cards"], "$.cards")
    rules = read_rules(document.get("rules", "pineapple"))
    return fantasyland(
        cards,
        rules,
        repeat_value=_repeat_value(document.get("repeat_value", 0), "$.repeat_value"),
        against=_boards(document.get("against", []), "$.against"),
        in_row=verify_integer(document.get("in_row", 1), "$.in_row"),
        stakes=_stakes(document),
        samples=_samples(document, rules, cards),
    )


def _repeat_value(source: object, path: str) -> FantasylandValue:
    """Return the value of the next fantasyland: one number, or one for each number of cards."""
    if not isinstance(source, dict):
        return _number(source, path)
    values = {}
    for cards, value in source.items():
        if not str(cards).isdecimal():
            raise SolveError("line.type", "expected numbers of cards, such as 14", f"{path}.{cards}")
        values[int(cards)] = _number(value, f"{path}.{cards}")
    return values


def _stakes(document: Json) -> Stakes | None:
    if "stacks" not in document:
        if "place" in document:
            raise SolveError("line.missing", "a place is for stacks", "$.stacks")
        return None
    stacks = verify_list(document["stacks"], "$.stacks", "the own stack and one for each board")
    numbers = tuple(_number(stack, f"$.stacks[{index}]") for index, stack in enumerate(stacks))
    return Stakes(numbers, verify_integer(document.get("place", 0), "$.place"))


def _samples(document: Json, rules: Ruleset, cards: tuple[Card, ...]) -> Sequence[OpponentSample]:
    """Return the samples in the request, or new ones as it specifies."""
    if "distribution" in document and "sample" in document:
        raise SolveError("line.unknown_key", "a distribution is given or sampled, not both", "$.sample")
    if "sample" in document:
        options = verify_table(document["sample"], "$.sample", "a table with count, opponents and seed")
        verify_keys(options, _SAMPLE, "$.sample")
        numbers = {key: verify_integer(options.get(key, value), f"$.sample.{key}") for key, value in _SAMPLE.items()}
        return sample_opponent_boards(rules, cards, **numbers)
    if "distribution" not in document:
        return ()
    samples = []
    items = verify_list(document["distribution"], "$.distribution", "a list of samples")
    for index, sample in enumerate(items):
        path = f"$.distribution[{index}]"
        body = verify_table(sample, path, "a table with boards and weight")
        verify_keys(body, ("boards", "weight"), path)
        if "boards" not in body:
            raise SolveError("line.missing", "boards are missing", f"{path}.boards")
        boards = _boards(body["boards"], f"{path}.boards")
        samples.append(OpponentSample(boards, _number(body.get("weight", 1), f"{path}.weight")))
    verify_samples(rules, cards, samples)
    return samples


def _boards(boards: object, path: str) -> tuple[Rows, ...]:
    all_rows = []
    for index, board in enumerate(verify_list(boards, path, "a list of boards")):
        body = verify_table(board, f"{path}[{index}]", 'front, middle and back, such as {"front": "QhQd7c", …}')
        verify_keys(body, ROWS, f"{path}[{index}]")
        all_rows.append(read_rows(body, f"{path}[{index}]"))
    return tuple(all_rows)


def _number(value: object, path: str) -> float:
    try:
        return float(verify_number(value, path))
    except OverflowError as error:
        raise SolveError("value.range", "the number is too large", path) from error
