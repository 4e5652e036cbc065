"""What the package offers; each name is loaded when it is first used."""

from triptych.solve.analysis.analyse import Analysis as Analysis, PlacementValue as PlacementValue, Side as Side
from triptych.solve.analysis.difference import Difference as Difference, largest_differences as largest_differences
from triptych.solve.analysis.players import PlayerRate as PlayerRate
from triptych.solve.analysis.rating import ErrorRate as ErrorRate
from triptych.solve.analysis.review import (
    ResultBreakdown as ResultBreakdown,
    Review as Review,
    ReviewedDecision as ReviewedDecision,
)
from triptych.solve.closed.settings import ClosedSetting as ClosedSetting, ClosedSolution as ClosedSolution
from triptych.solve.exact.outs import Chance as Chance, Outs as Outs, RowOuts as RowOuts
from triptych.solve.exact.places import icm_value as icm_value
from triptych.solve.exact.setting import Setting as Setting
