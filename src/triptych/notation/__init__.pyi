"""What the package offers; each name is loaded when it is first used."""

from triptych.notation.history.describe import describe_step as describe_step
from triptych.notation.history.model import History as History
from triptych.notation.history.replay import frames as frames
from triptych.notation.position import (
    Position as Position,
    PositionHand as PositionHand,
    parse_position as parse_position,
    position_link as position_link,
    position_text as position_text,
)
