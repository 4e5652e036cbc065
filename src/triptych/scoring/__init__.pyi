"""What the package offers; each name is loaded when it is first used."""

from triptych.scoring.sheet.types import (
    Cell as Cell,
    ScoreSheet as ScoreSheet,
    SheetHand as SheetHand,
    SheetPair as SheetPair,
    SheetRow as SheetRow,
    SheetStack as SheetStack,
    SheetTransfer as SheetTransfer,
)
