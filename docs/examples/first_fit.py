"""A bot in plain Python: high cards to the back, low ones to the front. `triptych arena ./first_fit.py random`."""

import json
import sys
from typing import Any

RANKS = "23456789TJQKAX"
HIGH, MEDIUM, LOW = ("back", "middle", "front"), ("middle", "back", "front"), ("front", "middle", "back")


def place(task: dict[str, Any]) -> dict[str, Any]:
    """Put the highest cards, one by one, into the first row with a free slot; the lowest ones are left over."""
    layout: dict[str, list[str]] = {"front": [], "middle": [], "back": []}
    for card in sorted(task["cards"], key=lambda card: RANKS.index(card[0]), reverse=True)[: task["place"]]:
        rows = HIGH if card[0] in "TJQKAX" else MEDIUM if card[0] in "6789" else LOW
        row = next(row for row in rows if len(layout[row]) < task["open"][row])
        layout[row].append(card)
    return {"do": "place", "hand": task["hand"], "layout": layout}


def choose(task: dict[str, Any]) -> dict[str, Any]:
    """Play every board, claim every royalty, lay out every street."""
    if task["kind"] == "announce":
        return {"do": "announce", "hand": task["hand"], "play": True}
    if task["kind"] == "declare":
        return {"do": "declare", "hand": task["hand"], "rows": task["rows"]}
    return place(task)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1}), flush=True)
    elif message["type"] == "ask":
        print(json.dumps({"id": message["id"], "action": choose(message["task"])}), flush=True)
