"""Plots as SVG text, without a library: lines with a band, bars, histograms. Colours come from the page's CSS."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import Final, NamedTuple

WIDTH: Final = 640
HEIGHT: Final = 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 12, 10, 34
_TICKS: Final = 5
_HEADING: Final = 30
_BINS: Final = 40
_MARGIN_SHARE: Final = 0.05
_STYLE: Final = (
    "svg{background:#fff;font:11px system-ui,sans-serif}text{fill:#5b6675}.title{font-size:15px;fill:#1c2430}"
    ".grid{stroke:#d9dee5}.zero{stroke:#5b6675}.line{fill:none;stroke-width:1.6}.band{opacity:.22;stroke:none}"
    ".s0{fill:#1f6feb;stroke:#1f6feb}.s1{fill:#d1652a;stroke:#d1652a}.s2{fill:#2b8a5a;stroke:#2b8a5a}"
    ".s3{fill:#8a4fbf;stroke:#8a4fbf}.s4{fill:#7a6a1f;stroke:#7a6a1f}.line{fill:none}.band{stroke:none}"
    ".k0{fill:#1f6feb}.k1{fill:#d1652a}.k2{fill:#2b8a5a}.k3{fill:#8a4fbf}.k4{fill:#7a6a1f}"
)  # for documents without a page's CSS


class Curve(NamedTuple):
    """A curve with the band about it; `y`, `low`, `high` as long as `x`."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]


class Bar(NamedTuple):
    """A bar from 0 to `value`, with a whisker of `half` to each side; `series` picks its colour."""

    label: str
    value: float
    half: float
    series: int


class _Frame:
    """Converts values to coordinates of the drawing."""

    def __init__(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        self._x, self._y = x, y

    def x(self, value: float) -> float:
        low, high = self._x
        return round(_LEFT + (value - low) / (high - low) * (WIDTH - _LEFT - _RIGHT), 1)

    def y(self, value: float) -> float:
        low, high = self._y
        return round(HEIGHT - _BOTTOM - (value - low) / (high - low) * (HEIGHT - _TOP - _BOTTOM), 1)

    def grid(self, *, across: bool) -> str:
        """Return the lines and numbers of the y axis, and with `across` the numbers of the x axis."""
        parts = []
        for tick in ticks(*self._y):
            position, kind = self.y(tick), "zero" if tick == 0 else "grid"
            parts.append(f'<line class="{kind}" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{position}" y2="{position}"/>')
            parts.append(f'<text x="{_LEFT - 6}" y="{position + 4}" text-anchor="end">{tick:g}</text>')
        parts += [
            f'<text x="{self.x(tick)}" y="{HEIGHT - 14}" text-anchor="middle">{tick:g}</text>'
            for tick in (ticks(*self._x) if across else ())
        ]
        return "".join(parts)


def ticks(low: float, high: float) -> list[float]:
    """Return round numbers from `low` to `high`, about five of them."""
    rough = (high - low) / _TICKS
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    return [round(number * step, 10) for number in range(ceil(low / step), floor(high / step) + 1)]


def lines(title: str, curves: Sequence[Curve], x_label: str) -> str:
    """Return curves with their bands over a common axis."""
    lows = [value for curve in curves for value in curve.low]
    highs = [value for curve in curves for value in curve.high]
    frame = _Frame(_range([value for curve in curves for value in curve.x]), _range([*lows, *highs, 0.0]))
    parts = [frame.grid(across=True)]
    for series, curve in enumerate(curves):
        upper_edge = [f"{frame.x(x)},{frame.y(y)}" for x, y in zip(curve.x, curve.high, strict=True)]
        lower_edge = [f"{frame.x(x)},{frame.y(y)}" for x, y in zip(curve.x, curve.low, strict=True)]
        parts.append(f'<polygon class="band s{series}" points="{" ".join([*upper_edge, *reversed(lower_edge)])}"/>')
        points = " ".join(f"{frame.x(x)},{frame.y(y)}" for x, y in zip(curve.x, curve.y, strict=True))
        parts.append(f'<polyline class="line s{series}" points="{points}"/>')
    return _svg(title, "".join(parts), x_label)


def histogram(title: str, series: Sequence[Sequence[float]], x_label: str) -> str:
    """Return a histogram in per cent with equal bins, one outline for each series."""
    low, high = _range([value for values in series for value in values])
    size = (high - low) / _BINS
    shares = []
    for values in series:
        counts = [0] * _BINS
        for value in values:
            counts[min(_BINS - 1, int((value - low) / size))] += 1
        shares.append([100 * count / len(values) for count in counts])
    frame = _Frame((low, high), _range([*(share for bin_shares in shares for share in bin_shares), 0.0]))
    parts = [frame.grid(across=True)]
    for number, bin_shares in enumerate(shares):
        corners = [f"{frame.x(low)},{frame.y(0)}"]
        for index, share in enumerate(bin_shares):
            edges = (low + index * size, low + (index + 1) * size)
            corners += [f"{frame.x(edge)},{frame.y(share)}" for edge in edges]
        corners.append(f"{frame.x(high)},{frame.y(0)}")
        parts.append(f'<polygon class="area s{number}" points="{" ".join(corners)}"/>')
    return _svg(title, "".join(parts), x_label)


def bars(title: str, values: Sequence[Bar]) -> str:
    """Return bars side by side with whiskers."""
    ends = [end for bar in values for end in (bar.value - max(0, bar.half), bar.value + max(0, bar.half))]
    low, high = _range([*ends, 0.0])
    padding = (high - low) * _MARGIN_SHARE  # so that no whisker ends at the drawing's edge
    frame = _Frame((0, len(values)), (low - padding if low < 0 else low, high + padding))
    parts = [frame.grid(across=False)]
    for index, bar in enumerate(values):
        left, right, middle = frame.x(index + 0.2), frame.x(index + 0.8), frame.x(index + 0.5)
        top, bottom = frame.y(max(bar.value, 0)), frame.y(min(bar.value, 0))
        parts.append(
            f'<rect class="bar s{bar.series}" x="{left}" y="{top}" width="{right - left:.1f}" '
            f'height="{bottom - top:.1f}"/>'
        )
        if bar.half > 0:
            ends_at = (frame.y(bar.value - bar.half), frame.y(bar.value + bar.half))
            parts.append(f'<line class="whisker" x1="{middle}" x2="{middle}" y1="{ends_at[0]}" y2="{ends_at[1]}"/>')
        parts.append(f'<text x="{middle}" y="{HEIGHT - 14}" text-anchor="middle">{escape_xml(bar.label)}</text>')
    return _svg(title, "".join(parts), "")


def document(title: str, panels: Sequence[tuple[str, Sequence[str], str]]) -> str:
    """Return plots one below another as an SVG document, each with its heading and key."""
    step = HEIGHT + _HEADING
    parts = [f'<text class="title" x="{_LEFT}" y="20">{escape_xml(title)}</text>']
    for number, (heading, labels, plot) in enumerate(panels):
        top = _HEADING + number * step
        key = "".join(f' <tspan class="k{series}">{escape_xml(label)}</tspan>' for series, label in enumerate(labels))
        parts.append(f'<text x="{_LEFT}" y="{top + _HEADING - 8}">{escape_xml(heading)}:{key}</text>')
        parts.append(f'<g transform="translate(0 {top + _HEADING})">{plot}</g>')
    size = f'width="{WIDTH}" height="{_HEADING + len(panels) * step}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{_STYLE}</style>{"".join(parts)}</svg>\n'


def escape_xml(text: str) -> str:
    """Return text escaped for XML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 1, high + 1)


def _svg(title: str, content: str, x_label: str) -> str:
    label = (
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 1}" text-anchor="middle">{escape_xml(x_label)}</text>' if x_label else ""
    )
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    return f'<svg {size} role="img" aria-label="{escape_xml(title)}">{content}{label}</svg>'
