"""Names and lines that people can read and tell apart.

What cannot be seen: Unicode's Default_Ignorable_Code_Point (DerivedCoreProperties.txt) and the blank letters. What
looks alike: NFKD takes wide, styled and accented letters apart, and the letters of other scripts that look like Latin
ones (Unicode Technical Standard 39, confusables.txt; those of usual keyboards) stand in the table below.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

JOINER: Final = "\N{ZERO WIDTH JOINER}"  # holds the parts of an emoji together
_SELECTORS: Final = "\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}"  # a sign as text or as an emoji
# Letters and signs by their category, but nothing is seen of them: the fillers of Hangul, vowels of Khmer that are
# inherent, joiners and selectors of single scripts, and the Braille cell without a dot.
_UNSEEN: Final = frozenset(
    chr(code)
    for first, last in (
        (0x034F, 0x034F),
        (0x115F, 0x1160),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0x2800, 0x2800),
        (0x3164, 0x3164),
        (0xFE00, 0xFE0F),
        (0xFFA0, 0xFFA0),
        (0xFFF0, 0xFFFC),
        (0xE0000, 0xE0FFF),
    )
    for code in range(first, last + 1)
)
_MAX_MARKS: Final = 3  # on one letter: Vietnamese and Hebrew have two

_LATIN: Final = str.maketrans(
    dict(
        zip(
            # Cyrillic, Greek, Armenian, small capitals, letters with a stroke, and signs that stand for letters.
            "АВЕЅІЈКМНОРСТУХҮԌԚԜӀаеѕіјорсухүһԁԛԝӏгкптмн"
            "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεικνορτυχγωη"
            "ՍՕՏԼսօոհցյզղ"
            "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢɑɡıȷɩʋøØđĐħĦłŁŧŦƒ"
            "0|!",
            "ABESIJKMHOPCTYXYGQWIaesijopcyxyhdqwlrknTmH"
            "ABEZHIKMNOPTYXaBeiKvopTuxywn"
            "UOSLuonhgjqn"
            "abcdefghijklmnoprstuvwyzagijivoOdDhHlLtTf"
            "oll",
            strict=True,
        )
    )
)
# One stroke each: which of them was meant is not to be seen.
_STROKES: Final = str.maketrans("i1", "ll")


def is_seen(letter: str) -> bool:
    """Return whether a character shows anything, or is a plain space.

    Marks count: they show on what is before them.
    """
    return letter == " " or not (unicodedata.category(letter)[0] in "CZ" or letter in _UNSEEN)


def readable_name(text: str) -> str | None:
    """Return a name in its normal form, None when it is empty or holds what nobody sees or what turns others.

    Marks are held to what any language needs; an emoji may say that it is one.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    marks = 0
    before = ""
    for letter in name:
        if letter in _SELECTORS and unicodedata.category(before or " ")[0] == "S":
            continue
        if not is_seen(letter):
            return None
        marks = marks + 1 if unicodedata.category(letter)[0] == "M" else 0
        if marks > (_MAX_MARKS if before else 0):
            return None
        before = letter
    return name or None


def readable_line(text: str) -> str:
    """Return a line of talk without what nobody sees or what would turn its letters; may be empty."""
    line = "".join(letter if is_seen(letter) or letter in JOINER + _SELECTORS else " " for letter in text)
    line = " ".join(line.split())
    return line if line.strip(JOINER + _SELECTORS + " ") else ""


def are_alike(one: str, other: str) -> bool:
    """Return whether two names look the same at a glance, whatever their case, accents, width or script."""
    return any(a == b for a, b in zip(_looks(one), _looks(other), strict=True))


def _looks(name: str) -> tuple[str, str]:
    """Return a name as it looks, its case folded before and after: letters may be alike in one case only."""
    plain = "".join(
        letter for letter in unicodedata.normalize("NFKD", name) if unicodedata.category(letter)[0] != "M"
    )
    shown = "".join(letter for letter in plain if letter.isalnum() or letter in "|!" or not letter.isascii())
    shown = shown or plain
    return _strokes(shown.casefold().translate(_LATIN)), _strokes(shown.translate(_LATIN))


def _strokes(text: str) -> str:
    return text.casefold().translate(_STROKES).replace("rn", "m").replace("vv", "w")


def default_name(player: str) -> str:
    """Return how a guest is called who has chosen no name, or has deleted their account."""
    return f"Guest {player[-4:]}"


def unique_name(name: str, others: Iterable[str]) -> str:
    """Return a name that looks like none of the others: this one, or this one with a number."""
    taken = tuple(others)
    number, result = 1, name
    while any(are_alike(result, other) for other in taken):
        number += 1
        result = f"{name} ({number})"
    return result
