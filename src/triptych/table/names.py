"""Checks that names and chat lines can be read and told apart.

Invisible are Unicode's Default_Ignorable_Code_Point (DerivedCoreProperties.txt) and the blank letters. For names that
look alike, NFKD decomposes wide, styled and accented letters, and the table below has the letters of other scripts
that look like Latin ones (Unicode Technical Standard 39, confusables.txt; those of usual keyboards).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

JOINER: Final = "\N{ZERO WIDTH JOINER}"  # joins the parts of an emoji
_SELECTORS: Final = "\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}"  # a sign as text or as an emoji
# Letters and signs by their category, but invisible: the fillers of Hangul, the inherent vowels of Khmer, joiners
# and selectors of single scripts, and the Braille cell without a dot.
_INVISIBLE: Final = frozenset(
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
# One stroke each: they cannot be told apart.
_STROKES: Final = str.maketrans("i1", "ll")


def is_visible(letter: str) -> bool:
    """Return whether a character is visible, or is a plain space.

    Marks count as visible: they change the letter before them.
    """
    return letter == " " or not (unicodedata.category(letter)[0] in "CZ" or letter in _INVISIBLE)


def readable_name(text: str) -> str | None:
    """Return a name in its normal form, None if it is empty or has invisible or reversing characters.

    At most three marks may follow a letter; a selector may follow a sign, to make it an emoji.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    marks = 0
    before = ""
    for letter in name:
        if letter in _SELECTORS and unicodedata.category(before or " ")[0] == "S":
            continue
        if not is_visible(letter):
            return None
        marks = marks + 1 if unicodedata.category(letter)[0] == "M" else 0
        if marks > (_MAX_MARKS if before else 0):
            return None
        before = letter
    return name or None


def readable_line(text: str) -> str:
    """Return a chat line without characters that are invisible or reverse its letters; may be empty."""
    line = "".join(letter if is_visible(letter) or letter in JOINER + _SELECTORS else " " for letter in text)
    line = " ".join(line.split())
    return line if line.strip(JOINER + _SELECTORS + " ") else ""


def are_alike(first: str, second: str) -> bool:
    """Return whether two names look the same at a glance, whatever their case, accents, width or script."""
    return any(a == b for a, b in zip(_skeletons(first), _skeletons(second), strict=True))


def _skeletons(name: str) -> tuple[str, str]:
    """Return two skeletons of a name (UTS 39), since some letters look alike in one case only."""
    plain = "".join(
        letter for letter in unicodedata.normalize("NFKD", name) if unicodedata.category(letter)[0] != "M"
    )
    letters = "".join(letter for letter in plain if letter.isalnum() or letter in "|!" or not letter.isascii())
    letters = letters or plain
    return _strokes(letters.casefold().translate(_LATIN)), _strokes(letters.translate(_LATIN))


def _strokes(text: str) -> str:
    return text.casefold().translate(_STROKES).replace("rn", "m").replace("vv", "w")


def default_name(player: str) -> str:
    """Return the name of a guest who has chosen no name, or has deleted their account."""
    return f"Guest {player[-4:]}"


def unique_name(name: str, others: Iterable[str]) -> str:
    """Return a name that looks like none of the others: the same, or with a number."""
    other_names = tuple(others)
    number, result = 1, name
    while any(are_alike(result, other) for other in other_names):
        number += 1
        result = f"{name} ({number})"
    return result
