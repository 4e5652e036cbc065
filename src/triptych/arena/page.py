"""The report of a match as one self-contained HTML page: tables, plots, and the command to repeat it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from triptych.arena.faults import KINDS
from triptych.arena.tally import MatchAccumulator
from triptych.arena.words import (
    fantasyland_rows,
    points_by_fantasyland_mode,
    speed_row,
    summary,
    verdict,
)
from triptych.stats import any_time_half, signed, t_quantile, unsigned
from triptych.svg_plots import Bar, Curve, bars, escape_xml, histogram, lines

if TYPE_CHECKING:
    from triptych.arena.report import BotSpeed, MatchResult, RunInfo

_FANTASYLAND_HEADINGS: Final = ("", "cards", "value", "played", "royalties", "foul %", "repeats %")
_LATENCY_HEADINGS: Final = ("", "moves", "CPU mean", "p50", "p99", "wall mean", "p50", "p99")
_CURVE_POINTS: Final = 200
_FIRST_SHOWN: Final = 10

_STYLE: Final = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1c2430;--soft:#5b6675;--rule:#d9dee5;
--s0:#1f6feb;--s1:#d1652a;--s2:#2b8a5a;--s3:#8a4fbf}
@media (prefers-color-scheme:dark){:root{--paper:#12161c;--ink:#e6eaf0;--soft:#9aa5b3;--rule:#2b333e;
--s0:#6ea8ff;--s1:#f0955f;--s2:#5cc38f;--s3:#be8dea}}
body{font:15px/1.5 system-ui,sans-serif;background:var(--paper);color:var(--ink);max-width:46rem;margin:2rem auto;
padding:0 1rem}
h1{font-size:1.5rem;margin-bottom:.2rem}h2{font-size:1.1rem;margin:2rem 0 .4rem}p,figcaption{color:var(--soft)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .6rem .25rem 0;border-bottom:1px solid var(--rule);text-align:right}
th{font-weight:600;color:var(--soft)}th:first-child,td:first-child{text-align:left}
pre{white-space:pre-wrap;border:1px solid var(--rule);border-radius:6px;padding:.6rem}
.scroll{overflow-x:auto}figure{margin:1rem 0}svg{width:100%;height:auto}
svg text{font-size:11px;fill:var(--soft)}.grid{stroke:var(--rule)}.zero{stroke:var(--soft)}
.whisker{stroke:var(--ink);stroke-width:1.5}.line{fill:none;stroke-width:1.6}.band,.area{opacity:.22}.bar{opacity:.8}
.s0{fill:var(--s0);stroke:var(--s0)}.s1{fill:var(--s1);stroke:var(--s1)}.s2{fill:var(--s2);stroke:var(--s2)}
.s3{fill:var(--s3);stroke:var(--s3)}.bar,.band{stroke:none}.line{fill:none}
.key span{margin-right:1rem}.key i{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin-right:.35em}
.key .s0{background:var(--s0)}.key .s1{background:var(--s1)}
.key .s2{background:var(--s2)}.key .s3{background:var(--s3)}
"""


def page_html(tally: MatchAccumulator, result: MatchResult, speeds: Sequence[BotSpeed], run: RunInfo) -> str:
    """Return the page: HTML with inline style and plots, without scripts or other files."""
    title = " v ".join(bot.bot for bot in result.bots)
    parts = (
        f"<h1>{escape_xml(title)}</h1>",
        f"<p><strong>{escape_xml(verdict(result))}</strong> {escape_xml(summary(result))}</p>",
        _section("Points a deal", _points(result), _running_means(tally, result), _distribution(tally, result)),
        _section("The deals themselves", _deals(result), _by_seat(result), _shares(result)),
        _section("Fantasylands", _table(_FANTASYLAND_HEADINGS, fantasyland_rows(result)))
        if any(bot.fantasyland_stats for bot in result.bots)
        else "",
        _section("Milliseconds a move", _table(_LATENCY_HEADINGS, map(speed_row, speeds))),
        _section("Forfeited decisions", _faults(result)) if any(bot.faults for bot in result.bots) else "",
        _section(
            "Play it again", f"<pre>{escape_xml(run.command)}</pre>", f"<p>{escape_xml(_facts(result, run))}</p>"
        ),
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape_xml(title)}</title><style>{_STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def _facts(result: MatchResult, run: RunInfo) -> str:
    processes = "one process" if run.jobs == 1 else f"{run.jobs} processes"
    return (
        f"Seed {result.seed}. triptych {run.triptych}, Python {run.python}, {run.machine}, {processes}, "
        f"{run.seconds:.1f} seconds. All figures but the times come out the same again."
    )


def _points(result: MatchResult) -> str:
    rows = [
        (bot.bot, name, signed(points.duplicate), signed(points.raw), f"{points.duplicate.sd:.2f}")
        for bot in result.bots
        for name, points in points_by_fantasyland_mode(bot)
    ]
    return _table(("", "fantasylands", "duplicate", "raw", "SD of a deck"), rows)


def _running_means(tally: MatchAccumulator, result: MatchResult) -> str:
    points = tally.points(tally.headline()).mean(axis=1)
    count = len(points)
    if count < _FIRST_SHOWN:
        return ""
    sizes = np.unique(np.linspace(_FIRST_SHOWN, count, _CURVE_POINTS).astype(int))
    curves = []
    for player, bot in enumerate(result.bots):
        sums, squares = np.cumsum(points[:, player]), np.cumsum(points[:, player] ** 2)
        means = sums[sizes - 1] / sizes
        spreads = np.sqrt(np.maximum(0, squares[sizes - 1] - sizes * means**2) / (sizes - 1))
        halves = [
            any_time_half(sd, n, result.planned)
            if result.interval == "any_time"
            else t_quantile(n - 1) * sd / sqrt(n)
            for n, sd in zip(sizes.tolist(), spreads.tolist(), strict=True)
        ]
        low, high = (means - halves).tolist(), (means + halves).tolist()
        curves.append(Curve(bot.bot, sizes.tolist(), means.tolist(), low, high))
    title = "Mean points a deal as the match went on, with its interval"
    return _figure(title, lines(title, curves, "decks"), [bot.bot for bot in result.bots])


def _distribution(tally: MatchAccumulator, result: MatchResult) -> str:
    points = tally.points(tally.headline())
    series = [points[:, :, player].reshape(-1).tolist() for player in range(len(result.bots))]
    title = "Points of one deal, per cent of deals"
    return _figure(title, histogram(title, series, "points"), [bot.bot for bot in result.bots])


def _deals(result: MatchResult) -> str:
    rows = [
        (bot.bot, unsigned(bot.foul, 1), unsigned(bot.fantasyland, 1), unsigned(bot.royalties, 2))
        for bot in result.bots
    ]
    return _table(("", "foul %", "fantasyland %", "royalties"), rows)


def _by_seat(result: MatchResult) -> str:
    title = "Points a deal by seat, fantasylands not counted; the last seat has the button"
    values = [
        Bar(f"seat {seat + 1}", figure.mean, figure.half, number)
        for number, bot in enumerate(result.bots)
        for seat, figure in enumerate(bot.by_seat)
    ]
    return _figure(title, bars(title, values), [bot.bot for bot in result.bots])


def _shares(result: MatchResult) -> str:
    """Per cent and points have an axis each."""
    labels = [bot.bot for bot in result.bots]
    title, of_royalties = "Boards that fouled, deals that brought a fantasyland, in per cent", "Royalties a deal"
    shares = [Bar("fouls", bot.foul.mean, bot.foul.half, number) for number, bot in enumerate(result.bots)]
    shares += [
        Bar("fantasylands", bot.fantasyland.mean, bot.fantasyland.half, number)
        for number, bot in enumerate(result.bots)
    ]
    royalties = [
        Bar("royalties", bot.royalties.mean, bot.royalties.half, number) for number, bot in enumerate(result.bots)
    ]
    return _figure(title, bars(title, shares), labels) + _figure(of_royalties, bars(of_royalties, royalties), labels)


def _faults(result: MatchResult) -> str:
    counts = [(bot.bot, kind, KINDS[kind], f"{count:,}") for bot in result.bots for kind, count in bot.faults.items()]
    examples = [
        (bot.bot, f"{fault.deal + 1}", f"{fault.rotation + 1}", f"{fault.street}", fault.kind, fault.message)
        for bot in result.bots
        for fault in bot.examples
    ]
    return _table(("", "fault", "", "times"), counts) + _table(
        ("", "deal", "seating", "street", "fault", "what happened"), examples
    )


def _section(title: str, *parts: str) -> str:
    return f"<h2>{escape_xml(title)}</h2>{''.join(parts)}"


def _figure(title: str, svg: str, labels: Sequence[str]) -> str:
    key = "".join(f'<span><i class="s{number}"></i>{escape_xml(label)}</span>' for number, label in enumerate(labels))
    return f'<figure><figcaption>{escape_xml(title)}</figcaption>{svg}<div class="key">{key}</div></figure>'


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape_xml(heading)}</th>" for heading in headings)
    body = "".join("<tr>" + "".join(f"<td>{escape_xml(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
