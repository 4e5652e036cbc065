"""Write the names of hands into client/messages/*.json, from the server's catalogues; `--check` only compares.

    python -m scripts.hand_messages [--check]

So a row has the same name at a table, where the server says it, as in lessons and solo games.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Final

from scripts import generated
from triptych.cards import RANKS
from triptych.i18n.languages import LANGUAGES
from triptych.i18n.messages import catalogue

FOLDER: Final = generated.ROOT / "client" / "messages"
PREFIX: Final = "cards_hand_"
KINDS: Final = (
    "royal_flush",
    "straight_flush",
    "quads",
    "full_house",
    "flush",
    "straight",
    "trips",
    "two_pair",
    "pair",
    "high_card",
)
# Names with places for ranks: of one card, of several cards of a rank, and of the highest card of a row.
ONE_CARD: Final = ("high",)
SEVERAL: Final = ("pair", "two_pair", "trips", "full_house", "quads", "five", "low", "as_low")
HIGHEST: Final = ("straight", "flush", "straight_flush")
FORM: Final = re.compile(r"\{(\w+)(?:\.(\w+))?\}")


def hand_messages(texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the client's keys and messages for hands, from a catalogue; ranks are lists from the deuce."""
    for kind in KINDS:
        yield f"kind_{kind}", texts[f"hand_kind.{kind}"]
    for name in (*ONE_CARD, *SEVERAL, *HIGHEST):
        yield name, FORM.sub(r"{\1}", texts[f"hand.{name}"])
    forms = {slot[2] for name in HIGHEST for slot in FORM.finditer(texts[f"hand.{name}"])}
    form = f"@{forms.pop()}" if forms != {None} else ""
    for name, path, case in (("rank", "rank", ""), ("ranks", "ranks", ""), ("rank_highest", "rank", form)):
        yield name, ", ".join(texts[f"hand.{path}.{rank}{case}"] for rank in RANKS)


def pages() -> dict[str, str]:
    """Return the client's messages by their files."""
    files = {}
    for language in LANGUAGES:
        name = f"{language}.json"
        messages = json.loads((FOLDER / name).read_text("utf-8"))
        names = {PREFIX + key: message for key, message in hand_messages(catalogue(language))}
        current = {key: text for key, text in messages.items() if key in names or not key.startswith(PREFIX)}
        files[name] = json.dumps(current | names, ensure_ascii=False, indent=2) + "\n"
    return files


if __name__ == "__main__":
    sys.exit(generated.run(FOLDER, pages, "scripts.hand_messages", __doc__))
