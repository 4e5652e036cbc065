"""The four suits are told apart also by who sees no red or no green (issue 11, 1.12).

Colours as such a person sees them: Machado, Oliveira and Fernandes 2009, severity 1. Distance: CIEDE2000 (Sharma, Wu
and Dalal 2005); hearts and clubs, of which people complained, stood 9.6 apart for a deuteranope.
"""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path

import numpy as np
import pytest

STYLE = (Path(__file__).parents[2] / "client" / "src" / "app" / "style.css").read_text()
SEEN = {
    "all colours": np.eye(3),
    "no red": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no green": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    ),
    "no blue": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]
    ),
}
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]]
)
WHITE = np.array([0.95047, 1, 1.08883])
APART = 15
READABLE = 4.5  # WCAG 2.2, 1.4.3


def token(name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return a colour of the style sheet as linear RGB; the first place is the four-coloured deck."""
    match = re.search(rf"--{name}: #([0-9a-f]{{6}})", STYLE)
    assert match is not None
    part = np.array([int(match[1][at : at + 2], 16) / 255 for at in (0, 2, 4)])
    linear: np.ndarray[tuple[int], np.dtype[np.float64]] = np.where(
        part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4
    )
    return linear


def lab(linear: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[float, float, float]:
    x = XYZ @ np.clip(linear, 0, 1) / WHITE
    x, y, z = np.where(x > 216 / 24389, np.cbrt(x), (24389 / 27 * x + 16) / 116)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(first: tuple[float, float, float], second: tuple[float, float, float]) -> float:
    (l1, a1, b1), (l2, a2, b2) = first, second
    c7 = ((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2) ** 7
    a1, a2 = (a * (1.5 - 0.5 * math.sqrt(c7 / (c7 + 25**7))) for a in (a1, a2))
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180
    dl, dc, dh = l2 - l1, c2 - c1, 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    lm, cm, hm = (l1 + l2) / 2, (c1 + c2) / 2, math.radians((h1 + turn / 2) % 360)
    t = 1 - 0.17 * math.cos(hm - math.radians(30)) + 0.24 * math.cos(2 * hm)
    t += 0.32 * math.cos(3 * hm + math.radians(6)) - 0.2 * math.cos(4 * hm - math.radians(63))
    sl = 1 + 0.015 * (lm - 50) ** 2 / math.sqrt(20 + (lm - 50) ** 2)
    sc, sh = 1 + 0.045 * cm, 1 + 0.015 * cm * t
    bend = 60 * math.exp(-(((math.degrees(hm) - 275) / 25) ** 2))
    rt = -2 * math.sqrt(cm**7 / (cm**7 + 25**7)) * math.sin(math.radians(bend))
    return math.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rt * dc / sc * dh / sh)


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.694), (23.0331, 14.973, -42.5619), 2.0373),
    ],
)
def test_the_distance_is_the_published_one(
    first: tuple[float, float, float], second: tuple[float, float, float], distance: float
) -> None:
    """Sharma, Wu and Dalal 2005, table 1: pairs 1, 17 and 23."""
    assert ciede2000(first, second) == pytest.approx(distance, abs=1e-4)


@pytest.mark.parametrize("eye", SEEN)
def test_suits_are_distinguishable(eye: str) -> None:
    colours = {suit: lab(SEEN[eye] @ token(suit)) for suit in ("spade", "heart", "diamond", "club")}
    for first, second in itertools.combinations(colours, 2):
        assert ciede2000(colours[first], colours[second]) >= APART, (first, second)


@pytest.mark.parametrize("suit", ["spade", "heart", "diamond", "club"])
def test_suits_are_readable_on_paper(suit: str) -> None:
    light = np.array([0.2126, 0.7152, 0.0722])
    assert (light @ token("paper") + 0.05) / (light @ token(suit) + 0.05) >= READABLE
