"""What the package offers; each name is loaded when it is first used."""

from triptych.deal.actions import (
    Action as Action,
    Announce as Announce,
    Arrange as Arrange,
    ClaimNatural as ClaimNatural,
    Declare as Declare,
    Forfeit as Forfeit,
    Place as Place,
)
from triptych.deal.engine import decide as decide, start as start
from triptych.deal.project import view as view
from triptych.deal.seeding import seeded_deck as seeded_deck
from triptych.deal.state import (
    DealState as DealState,
    HandStart as HandStart,
    acting_hands as acting_hands,
    finished as finished,
)
from triptych.deal.view_types import DealView as DealView, Task as Task
