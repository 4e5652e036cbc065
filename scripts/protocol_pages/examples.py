"""An example of everything that can be said: bodies, messages, requests of a table and of a tournament.

They are structs of the server's own types, so that none can be wrong without mypy or a test saying so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, get_args

import msgspec

from triptych.board import Layout
from triptych.deal import actions as deal
from triptych.i18n.messages import plain_text
from triptych.rulesets.load import resolve
from triptych.server.schemas import identity as me
from triptych.server.schemas import replay, review, rules, scorer
from triptych.server.schemas.analysis import AnalysisRequest
from triptych.server.schemas.daily import ShareDailyResult
from triptych.server.schemas.tournaments import NewTournament
from triptych.server.wire import bodies
from triptych.server.wire import messages as m
from triptych.table import commands
from triptych.table.aggregate import open_table
from triptych.table.evolve.core import evolve
from triptych.table.state import TableConfig
from triptych.table.view import view
from triptych.table.view_paths import numbered
from triptych.tournament import commands as cup
from triptych.tournament.config import normalize_rules
from triptych.tournament.events import TournamentAnnounced
from triptych.tournament.evolve import evolve as cup_evolve
from triptych.tournament.state import TournamentConfig
from triptych.tournament.view import view as cup_view

if TYPE_CHECKING:
    from msgspec import Struct

NOW: Final = 1_700_000_000_000
TABLE: Final = "k3fq9xwm"
PLAYER: Final = "p0123456789abcdef"
_HASH: Final = "0f" * 32
_STREET: Final = Layout(middle=("9c",), back=("Ah",))
_DEAL: Final = {
    "rules": "pineapple",
    "players": {
        "Ann": {"front": "QsQh4d", "middle": "8c8d5h5s2c", "back": "ThTd9c9hAs"},
        "Bob": {"front": "AhKd7c", "middle": "JdJs6d4c3h", "back": "Kc9d8h7s6h"},
    },
}


def _table() -> msgspec.Raw:
    config = TableConfig(TABLE, "Ann's table", PLAYER, resolve("pineapple"))
    state = None
    for event in open_table(config, NOW):
        state = evolve(state, event)
    assert state is not None  # noqa: S101 - a table is opened by an event
    return msgspec.Raw(msgspec.json.encode(view(state, PLAYER), enc_hook=plain_text))


def _tournament() -> msgspec.Raw:
    config = TournamentConfig(
        cup="c7x2mmqd",
        name="Sunday",
        host=PLAYER,
        rules=normalize_rules(resolve("pineapple")),
        seats=3,
        stack=1000,
        levels=(10, 20, 40),
        level_kind="deals",
        level_length=6,
        most=9,
    )
    return msgspec.Raw(
        msgspec.json.encode(cup_view(cup_evolve(None, TournamentAnnounced(NOW, config)), PLAYER), enc_hook=plain_text)
    )


REQUESTS: Final[tuple[Struct, ...]] = (
    deal.Arrange(0, _STREET),
    deal.Place(0, _STREET),
    deal.Announce(0, play=True),
    deal.ClaimNatural(0),
    deal.Declare(0, ("front", "back")),
    commands.SetPremove(0, deal.Place(0, _STREET)),
    commands.CommitChain(_HASH),
    commands.RevealLink(1, _HASH),
    commands.Sit(1, 100),
    commands.Leave(),
    commands.TopUp(50),
    commands.SitOut(),
    commands.SitIn(),
    commands.Ready(),
    commands.Say("well played"),
    commands.OfferStake(0, 2),
    commands.DeclineStake(0),
    commands.WithdrawStake(1),
    commands.RequestDelay(),
    commands.RequestHint(0),
    commands.SeatBot(2, "fast", 100),
    commands.Unseat(2),
    commands.CloseTable(),
    commands.Start(),
    commands.Pause(),
    commands.ResumePlay(),
    commands.LockSeats(locked=True),
    commands.TransferHost(1),
    commands.Ban(1),
    commands.MuteViewer("p-7f3a"),
    commands.RemoveViewer("p-7f3a"),
    commands.AddTime(1, 60),
    commands.ChangeRules({"preset": "pineapple", "clock.seconds": 45}),
    commands.AllowArranging(allowed=True),
    commands.AllowHints(allowed=True),
    commands.ChangeDetails("Friday at Anna's", private=True),
    commands.PlaceFor(1),
)
TOURNAMENT_REQUESTS: Final[tuple[Struct, ...]] = (
    cup.Register(),
    cup.Withdraw(),
    cup.AddBots("fast", 3),
    cup.RemoveBots(),
    cup.StartNow(),
    cup.Cancel(),
    cup.PausePlay(),
    cup.ResumePlay(),
    cup.RemovePlayer(PLAYER),
)
TO_SERVER: Final[tuple[Struct, ...]] = (
    m.Subscribe(TABLE),
    m.Unsubscribe(TABLE),
    m.CommandMessage("a7", TABLE, 41, deal.Place(0, _STREET)),
    m.Ping(),
)
_REFUSED: Final = m.WireError("seat.taken", "this seat is taken", "$.seat")
TO_CLIENT: Final[tuple[Struct, ...]] = (
    m.Hello(PLAYER, "Ann", NOW),
    m.Update(TABLE, 1, NOW, (m.VersionedEvent(1),), _table()),
    m.ViewPatch(TABLE, 46, 41, NOW, [numbered("deal.boards.0."), [numbered("back.cards.+"), "Ah"]], 2774816051),
    m.TournamentUpdate("c7x2mmqd", 1, NOW, _tournament()),
    m.Ack("a7", TABLE, 46),
    m.Rejected("a8", TABLE, _REFUSED),
    m.ErrorMessage(m.WireError("table.unknown", "there is no such table", "$.table")),
    m.Pong(NOW),
)
BODIES: Final[tuple[Struct, ...]] = (
    bodies.Rename("Ann"),
    bodies.CheckRules({"preset": "pineapple", "clock.seconds": 45}),
    bodies.NewTable("Ann's table", {"preset": "pineapple", "clock.seconds": 45}),
    bodies.TablePasswordBody("queens over jacks"),
    bodies.ViewerItem("p-7f3a", "Ann", muted=False),
    rules.EditRules("pineapple"),
    rules.ReadRules('preset = "pineapple"\n[clock]\nseconds = 45\n'),
    AnalysisRequest("pineapple"),
    scorer.ScorerSetupRequest("pineapple"),
    scorer.ScoreDealRequest(_DEAL),
    scorer.ScoreSessionRequest((_DEAL,)),
    ShareDailyResult(12),
    review.ReviewSetupRequest('triptych = 1\nrules = "pineapple"\n'),
    review.ReviewRequest(table=TABLE, deal=1),
    review.SavedReview('{"version": "2"}'),
    review.AnalysePositionRequest("*Kd/7s7h3c/AhAd2c +Qc4s9h -2d | Th/8c8d5s/TcJcQd"),
    replay.ReplayRequest('triptych = 1\nrules = "pineapple"\n'),
    me.NameAndPassword("Ann", "correct horse"),
    me.Passkey(msgspec.Raw(b'{"id":"kq0v8m3T","rawId":"kq0v8m3T","type":"public-key","response":{}}')),
    me.KeepName("Ann", "correct horse", me.Proof("battery staple")),
    me.KeepPasskey(
        msgspec.Raw(b'{"id":"kq0v8m3T","rawId":"kq0v8m3T","type":"public-key","response":{}}'),
        me.Proof("correct horse"),
    ),
    me.DropKey(me.Proof("correct horse")),
    me.NewTokenRequest("my bot", ("play",)),
    me.RedeemDeviceLink("kq0v8m3TqgXqkq0v8m3TqgXq"),
    me.DeviceOwner("Ann"),
    NewTournament("Sunday", "pineapple", 1000, (10, 20, 40), "deals", 6, 9),
)
EXAMPLES: Final[tuple[Struct, ...]] = (*REQUESTS, *TOURNAMENT_REQUESTS, *TO_SERVER, *TO_CLIENT, *BODIES)


def examples_of(kind: Any) -> dict[str, Any]:  # noqa: ANN401 - a struct or a union of them
    """Return the examples of a type by their tag or their type's name, as plain data."""
    kinds = get_args(kind) or (kind,)
    examples = [example for example in EXAMPLES if type(example) in kinds]
    return {
        str(type(example).__struct_config__.tag or type(example).__name__): plain(example) for example in examples
    }


def plain(example: Struct) -> Any:  # noqa: ANN401 - JSON
    """Return an example as it goes over the wire, without what may be left out of what is sent."""
    written = _written(example)
    if isinstance(example, get_args(m.ServerMessage)):
        return written
    defaults = {
        field.encode_name: field.default
        for field in msgspec.structs.fields(example)
        if field.default is not msgspec.NODEFAULT
    }
    return {key: value for key, value in written.items() if key not in defaults or value != _written(defaults[key])}


def _written(thing: object) -> Any:  # noqa: ANN401 - JSON
    return msgspec.json.decode(msgspec.json.encode(thing, enc_hook=plain_text))
