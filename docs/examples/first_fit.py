"""A bot in plain Python: high cards to the back, low ones to the front. `triptych arena ./first_fit.py random`."""

import json
import sys

ROWS = ("back", "middle", "front")


def place(task):
    """Fill the rows from the back with the highest cards; the lowest ones are left over."""
    cards = sorted(task["cards"], key=lambda card: "23456789TJQKAX".index(card[0]), reverse=True)[: task["place"]]
    layout = {}
    for row in ROWS:
        layout[row], cards = cards[: task["open"][row]], cards[task["open"][row] :]
    return {"do": "place", "hand": task["hand"], "layout": layout}


def choose(task):
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
