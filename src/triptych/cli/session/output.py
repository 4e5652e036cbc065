"""A score sheet and a session's ledger on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from triptych.scoring.session import PointsDeal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.scoring.session import Ledger, PointsSheet, SessionDeal
    from triptych.scoring.sheet.types import Cell, ScoreSheet, SheetHand, SheetPair

_COLOURS: Final = {"c": "green", "d": "blue", "h": "red", "s": "default"}
_CELLS: Final = ("front", "middle", "back", "scoop", "royalties", "other")


def print_sheet(deal: SessionDeal | PointsDeal) -> None:
    """Print a deal: every board with its rows, and every pair with its points and the reasons."""
    console = Console(highlight=False)
    console.print(f"\n[bold]Deal {deal.sheet.deal}[/]")
    if isinstance(deal, PointsDeal):
        console.print(_points_table(deal.sheet))
    else:
        _print_boards(console, deal.sheet)


def _print_boards(console: Console, sheet: ScoreSheet) -> None:
    boards = Table(box=None, pad_edge=False)
    for heading in ("", "front", "middle", "back", "points"):
        boards.add_column(heading, justify="right" if heading == "points" else "left")
    for hand in sheet.hands:
        foul = "\n[red]foul[/]" if hand.status == "foul" else ""
        boards.add_row(f"[bold]{escape(hand.player)}[/]{foul}", *_rows(hand), _signed(hand.points))
    console.print(boards)
    console.print(_pairs(sheet))
    for pair in sheet.pairs:
        for reason in _reasons(pair):
            console.print(f"  [dim]{_name(sheet, pair)}: {escape(reason)}[/]", soft_wrap=True)
    for hand in sheet.hands:
        if hand.fantasyland_why:
            console.print(f"  [yellow]{escape(hand.player)}: {escape(hand.fantasyland_why)}[/]", soft_wrap=True)


def _points_table(sheet: PointsSheet) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    for player, points in zip(sheet.players, sheet.points, strict=True):
        table.add_row(f"[bold]{escape(player)}[/]", _signed(points))
    for pair in sheet.pairs:
        paid = f"paid {_plain(pair.moved)}" if pair.moved != pair.points else ""
        table.add_row(escape(f"{pair.a} - {pair.b}"), _signed(pair.points), paid)
    return table


def print_corrections(deals: Sequence[Sequence[str]]) -> None:
    """Print the corrections of each deal, from the first deal on."""
    if not any(deals):
        return
    console = Console(highlight=False)
    console.print("\n[bold]Corrected[/]")
    for number, lines in enumerate(deals, 1):
        for line in lines:
            console.print(f"  deal {number}: {escape(line)}", soft_wrap=True)


def print_ledger(tally: Ledger) -> None:
    """Print the results of all players and pairs, and the payments that settle them."""
    console = Console(highlight=False)
    unit = "with stakes" if tally.unit == "point" else escape(tally.unit)
    players = Table(box=None, pad_edge=False, title="The session", title_justify="left", title_style="bold")
    for heading in ("player", "deals", "points", unit):
        players.add_column(heading, justify="left" if heading == "player" else "right")
    for player in sorted(tally.players, key=lambda player: -player.money):
        players.add_row(escape(player.player), str(player.deals), _signed(player.points), _signed(player.money))
    console.print()
    console.print(players)
    pairs = Table(box=None, pad_edge=False)
    for heading in ("pair", "points", unit):
        pairs.add_column(heading, justify="left" if heading == "pair" else "right")
    for pair in tally.pairs:
        pairs.add_row(escape(f"{pair.a} - {pair.b}"), _signed(pair.points), _signed(pair.money))
    if tally.pairs:
        console.print()
        console.print(pairs)
    console.print("\n[bold]To be even[/]")
    for payment in tally.payments:
        amount = f"[bold]{_plain(payment.money)}[/] {escape(tally.unit)}{_plural(tally.unit, payment.money)}"
        console.print(f"  {escape(payment.payer)} pays {escape(payment.payee)} {amount}")
    if not tally.payments:
        console.print("  nobody owes anybody")


def _rows(hand: SheetHand) -> list[str]:
    rows = (hand.front, hand.middle, hand.back)
    if any(row is None for row in rows):
        return [f"[italic]{hand.status}[/] {escape(hand.natural)}", "", ""]
    return [
        f"{_cards(row.cards)}\n[dim]{escape(row.name)}[/]{f' [green]+{row.royalty}[/]' if row.royalty else ''}"
        for row in rows
        if row is not None
    ]


def _cards(cards: tuple[str, ...]) -> str:
    return " ".join(f"[{_COLOURS.get(card[1], 'magenta')}]{card}[/]" for card in cards)


def _pairs(sheet: ScoreSheet) -> Table:
    columns = [cell for cell in _CELLS if cell in _CELLS[:3] or any(_cell(pair, cell).points for pair in sheet.pairs)]
    staked = any(pair.moved.points != pair.points for pair in sheet.pairs)
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for heading in (*columns, "points", *(("paid",) if staked else ())):
        table.add_column(heading, justify="right")
    for pair in sheet.pairs:
        cells = [_signed(_cell(pair, cell).points) for cell in columns]
        paid = [_signed(pair.moved.points)] if staked else []
        table.add_row(_name(sheet, pair), *cells, f"[bold]{_signed(pair.points)}[/]", *paid)
    return table


def _cell(pair: SheetPair, name: str) -> Cell:
    cell: Cell = getattr(pair, name)
    return cell


def _reasons(pair: SheetPair) -> list[str]:
    """Return the reasons for points other than those of the rows, which are printed next to the boards."""
    return [_cell(pair, name).why for name in ("scoop", "royalties", "other") if _cell(pair, name).points]


def _name(sheet: ScoreSheet, pair: SheetPair) -> str:
    return escape(f"{sheet.hands[pair.a].player} - {sheet.hands[pair.b].player}")


def _signed(amount: float) -> str:
    colour = "green" if amount > 0 else "red" if amount < 0 else "dim"
    sign = "+" if amount > 0 else ""
    return f"[{colour}]{sign}{_plain(amount)}[/]"


def _plain(amount: float) -> str:
    if amount == int(amount):
        return str(int(amount))
    return f"{amount:.2f}" if round(amount, 2) == amount else f"{amount:g}"


def _plural(unit: str, amount: float) -> str:
    return "s" if unit == "point" and amount != 1 else ""
