"""A table of a tournament over several tables: obeys numbered orders, plays one match for each. Issue 11, part 5."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.table.session import START, Session
from tests.tournament.simulated import quick
from triptych.deal.actions import Action
from triptych.deal.engine import acting_hands
from triptych.rulesets.load import resolve
from triptych.table import aggregate
from triptych.table import commands as c
from triptych.table.errors import TableError
from triptych.table.events import DealSettled, PlayerLeft
from triptych.table.host import acting_host
from triptych.table.ledger import balances
from triptych.table.state import Place, TableConfig, TableState, TournamentLevel
from triptych.table.tournament_orders import match_results

SECOND_LEVEL = TournamentLevel(2, 4, 8, START + 60_000)


class TournamentTable:
    """Such a table, and everything that has happened at it."""

    def __init__(self, rules: str | dict[str, object] = "pineapple", *, duplicate: bool = False) -> None:
        session = Session(rules, people=0)
        self.now = START
        self.shuffle = session._shuffle
        config = TableConfig("cup-1", "Table 1", "", resolve(rules), pause=1, start="host", cup="cup", private=True)
        config = replace(config, duplicate=duplicate)
        self.log = list(aggregate.open_table(config, self.now))
        self.state: TableState = aggregate.evolve(None, self.log[0])

    def ask(self, request: c.PlayerRequest | c.SystemRequest, player: str = "") -> int:
        draft = aggregate.decide(self.state, c.Command(player, request, player.title()), self.now, self.shuffle)
        self.state = draft.state
        self.log += draft.events
        return len(draft.events)

    def play(self, gone: str = "") -> None:
        """Play the ordered match; nothing is ever awaited from who is gone."""
        while not match_results(self.state):
            deal = self.state.deal
            if deal is None or self.state.settled:
                self.now = aggregate.next_wakeup(self.state) or self.now
                self.ask(c.Tick())
                continue
            hand = acting_hands(deal)[0]
            action = quick(deal, hand)
            assert isinstance(action, Action)
            player = self.state.seats[deal.hands[hand].seat].player
            assert player != gone
            self.ask(action, player)


def _chairs(**chips: int) -> tuple[c.SeatAssignment, ...]:
    return tuple(
        c.SeatAssignment(seat, player, player.title(), held) for seat, (player, held) in enumerate(chips.items())
    )


def test_it_plays_one_match_for_each_order_at_its_level() -> None:
    table = TournamentTable()
    table.ask(c.MatchOrder(1, _chairs(ann=100, bob=100)))
    table.play()
    assert [result.player for result in match_results(table.state)] == ["ann", "bob"]
    assert sum(result.chips for result in match_results(table.state)) == 200
    assert [result.out for result in match_results(table.state)] == [0, 0]  # both are still in
    table.now += 600_000
    assert aggregate.next_wakeup(table.state) is None
    assert table.ask(c.Tick()) == 0
    chips = {result.player: result.chips for result in match_results(table.state)}
    table.ask(c.MatchOrder(2, _chairs(**chips), SECOND_LEVEL))
    assert not match_results(table.state)
    table.play()
    sheets = [event.event.sheet for event in table.log if isinstance(event.event, DealSettled)]
    assert (sheets[0].pairs[0].stake, sheets[-1].pairs[0].stake) == (1, 4)
    level = aggregate.view(table.state, "ann").level
    assert level is not None
    assert (level.number, level.chips, level.next_chips, level.next_at) == (2, 4, 8, START + 60_000)


def test_the_end_of_a_level_comes_so_much_later_as_the_table_stood_still() -> None:
    """Issue 27.10: the table's side told another time than the tournament, which waits for pauses too."""
    table = TournamentTable()
    table.ask(c.MatchOrder(1, _chairs(ann=100, bob=100), SECOND_LEVEL))
    table.ask(c.SetTournamentPause(still=True))
    table.now += 7_000
    table.ask(c.SetTournamentPause(still=False))
    level = aggregate.view(table.state, "ann").level
    assert level is not None
    assert level.next_at == START + 67_000
    table.ask(c.ReportDowntime(table.now - 1_000, table.now, "still"))
    table.now += 500
    table.ask(c.ReportDowntime(table.now - 500, table.now, "store"))  # the tournament's own clock went on
    level = aggregate.view(table.state, "ann").level
    assert level is not None
    assert level.next_at == START + 67_000


def test_an_eliminated_player_sees_the_place_in_the_tournament() -> None:
    """Issue 27.10: the place was counted among the table's own seats."""
    table = TournamentTable()
    table.ask(c.MatchOrder(1, _chairs(ann=100, bob=1, cid=1)))
    while not any(seat.stack == 0 for seat in table.state.seats[:3]):
        table.play()
        chips = {result.player: result.chips for result in match_results(table.state)}
        if min(chips.values()):
            table.ask(c.MatchOrder(table.state.order + 1, _chairs(**chips)))
    out = next(seat for seat in table.state.seats if seat.player and not seat.stack)
    assert " is out" not in " ".join(line.text for line in table.state.talk)
    assert aggregate.view(table.state, out.player).prompt == (
        "You’re out of chips. See your place on the tournament page."
    )
    news = c.TellPlaces(table.state.order, (Place(out.player, out.name, 17),))
    table.ask(news)
    assert table.ask(news) == 0
    assert table.state.talk[-1].text == f"{out.name} finished in place 17"
    assert aggregate.view(table.state, out.player).prompt == "You finished the tournament in place 17"


def test_in_a_league_points_are_on_the_book_and_nobody_goes_out() -> None:
    """Issue 27.10: a league's stacks showed an internal million; they show what was won or lost since the start."""
    table = TournamentTable({"preset": "pineapple", "settlement.credit": True}, duplicate=True)
    table.ask(c.MatchOrder(1, _chairs(ann=0, bob=0, cid=0)))
    table.play()
    table_view = aggregate.view(table.state, "ann")
    assert table_view.rules.purse == "book"
    points = [seat.stack for seat in table_view.seats]
    assert sum(points) == 0
    assert any(points)
    assert table_view.sheet is not None
    assert {stack.seat: stack.after for stack in table_view.sheet.stacks} == dict(enumerate(points))
    assert [(result.chips, result.out) for result in match_results(table.state)] == [(held, 0) for held in points]
    table.ask(c.MatchOrder(2, _chairs(cid=0, ann=0, bob=0)))
    assert [seat.stack for seat in table.state.seats] == [0, 0, 0]
    assert not [
        account for account, held in balances(aggregate.transfers(table.log)).items() if "table" in account and held
    ]


def test_an_order_that_comes_again_does_nothing_and_one_inside_a_match_is_refused() -> None:
    table = TournamentTable()
    order = c.MatchOrder(1, _chairs(ann=100, bob=100))
    assert table.ask(order)
    assert table.ask(order) == 0
    table.now += 5_000
    table.ask(c.Tick())
    assert table.state.match is not None
    before = table.state
    with pytest.raises(TableError) as refusal:
        table.ask(c.MatchOrder(2, ()))
    assert refusal.value.code == "table.order"
    assert table.state is before


def test_players_come_and_go_with_their_chips_and_the_ledger_says_so() -> None:
    table = TournamentTable()
    table.ask(c.MatchOrder(1, _chairs(ann=100, bob=100)))
    table.play()
    after = {result.player: result.chips for result in match_results(table.state)}
    chairs = (
        c.SeatAssignment(0, "ann", "Ann", after["ann"]),
        c.SeatAssignment(2, "cid", "Cid", 70, absent=True, sitting_out=True),
    )
    table.ask(c.MatchOrder(2, chairs))
    assert [(seat.player, seat.stack) for seat in table.state.seats] == [("ann", after["ann"]), ("", 0), ("cid", 70)]
    gone = [event.event.player for event in table.log if isinstance(event.event, PlayerLeft)]
    assert gone == ["bob"]  # who stays has not stood up
    assert (table.state.seats[2].absent, table.state.seats[2].connected) == (True, False)
    held = balances(aggregate.transfers(table.log))
    assert held["cup:cup:bob"] == after["bob"] - 100
    assert held["table:cup-1:cid"] == 70
    assert not any(account.startswith("player:") for account in held)
    table.play()
    table.ask(c.MatchOrder(3))
    assert table.state.closed
    assert not any(table.state.seats[seat].player for seat in range(3))
    assert match_results(table.state) == ()


def test_nobody_rules_it_or_changes_who_plays_for_how_much() -> None:
    table = TournamentTable()
    table.ask(c.MatchOrder(1, _chairs(ann=100, bob=100)))
    requests: tuple[c.PlayerRequest, ...] = (
        c.Leave(),
        c.TopUp(5),
        c.OfferStake(1, 3),
        c.RequestDelay(),
        c.Pause(),
        c.CloseTable(),
        c.Unseat(1),
        c.Start(),
        c.SeatBot(2, "x"),
        c.ChangeRules("turbo"),
    )
    assert acting_host(table.state) == ""
    for request in requests:
        with pytest.raises(TableError) as refusal:
            table.ask(request, "ann")
        assert refusal.value.code == "table.tournament"
    with pytest.raises(TableError):
        table.ask(c.Sit(2, 100), "cid")
    assert set(aggregate.view(table.state, "ann").may) <= {"say", "ready", "sit_out", "sit_in", "place_for"}
    assert aggregate.view(table.state, "cid").may == ("say",)
    assert aggregate.view(table.state, "cid").cup == "cup"


def test_a_player_out_of_one_match_is_not_out_of_the_next() -> None:
    """An order starts again: its places are those of its own match."""
    table = TournamentTable()
    table.ask(c.MatchOrder(1, _chairs(ann=100, bob=100)))
    table.play()
    table.state = replace(table.state, places=(Place("bob", "Bob", 2),))
    table.ask(c.MatchOrder(2, _chairs(ann=100, bob=50)))
    assert table.state.places == ()


@pytest.mark.parametrize("clock", [{"clock.kind": "none"}, {"clock.seconds": 3600}])
def test_nobody_waits_for_a_player_removed_from_the_tournament(clock: dict[str, object]) -> None:
    """Issue 27.11: their cards are placed at once to the match's end; the next order frees the seat."""
    table = TournamentTable({"preset": "pineapple", **clock})
    table.ask(c.MatchOrder(1, _chairs(ann=100, bob=100, cid=100)))
    table.now += 5_000
    table.ask(c.Tick())
    assert table.state.match is not None
    assert table.ask(c.Remove(), "bob") > 0
    assert table.ask(c.Remove(), "bob") == 0
    assert table.ask(c.Remove(), "dan") == 0
    table.play(gone="bob")
    assert [result.player for result in match_results(table.state)] == ["ann", "bob", "cid"]
    chips = {result.player: result.chips for result in match_results(table.state)}
    del chips["bob"]
    table.ask(c.MatchOrder(2, _chairs(**chips)))
    assert [seat.player for seat in table.state.seats[:3]] == ["ann", "cid", ""]
