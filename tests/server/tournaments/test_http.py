"""Tournaments as a client sees them: announced, listed, joined, refused, followed."""

from __future__ import annotations

import pytest

from tests.memory_store.store import MemoryStore
from tests.server.in_process import Person, play, run_server
from tests.server.tournaments.requests import announce, follow, newest, send_request, until
from triptych.deal.events import DeckShuffled
from triptych.server.tables.event_log import decode_events
from triptych.table.events import MatchBegan

pytestmark = pytest.mark.anyio


async def test_a_tournament_is_announced_listed_and_joined() -> None:
    async with run_server() as server, server.person("Ann") as ann, server.person("Bob") as bob:
        tournament_id = await announce(ann.http, most=4, late=1)
        first = await follow(bob, tournament_id)
        assert first["phase"] == "open"
        assert first["may"] == ["register"]
        (line,) = (await bob.http.get("/api/cups")).json()
        assert (line["cup"], line["players"], line["most"], line["mine"]) == (tournament_id, 0, 4, False)
        view = await send_request(ann.http, tournament_id, "register")
        assert [entry["name"] for entry in view["entries"]] == ["Ann"]
        assert view["you"]["player"] == ann.player
        assert "withdraw" in view["may"]
        await send_request(bob.http, tournament_id, "register")
        tournament = await until(bob, tournament_id, left=2)
        assert [entry["name"] for entry in tournament["entries"]] == ["Ann", "Bob"]
        assert (await ann.http.get(f"/cup/{tournament_id}")).status_code in (
            200,
            404,
        )  # 404: built without the client
        await send_request(ann.http, tournament_id, "add_bots", level="fast", count=2)
        begun = await until(bob, tournament_id, phase="running")
        assert begun["you"]["table"].startswith(f"{tournament_id}-")
        table = (await bob.http.get(f"/api/tables/{begun['you']['table']}")).json()
        assert table["cup"] == tournament_id
        assert table["name"] == f"Session cup · {table['table'][-1]}"
        listed = (await bob.http.get("/api/tables")).json()
        assert [table["table"] for table in listed] == [begun["you"]["table"]]


async def test_bad_tournaments_are_refused_with_their_path() -> None:
    async with run_server() as server, server.person("Ann") as ann, server.person("Bob") as bob:
        for wrong, code, path in (
            ({"levels": []}, "cup.levels", "$.levels"),
            ({"most": 1}, "cup.seats", "$.most"),
            ({"seats": 4, "rules": "pineapple"}, "cup.seats", "$.seats"),
            ({"rules": "nonsense"}, "rules.preset", "$.rules.preset"),
            ({"fill": "nonsense"}, "level.unknown", "$.level"),
            ({"level_kind": "years"}, "request.invalid", "$.level_kind"),
        ):
            answer = await ann.http.post(
                "/api/cups",
                json={"name": "x", "rules": "turbo", "stack": 10}
                | {"levels": [1], "level_kind": "deals", "level_length": 1, "most": 9}
                | wrong,
            )
            assert (answer.status_code, answer.json()["error"]["path"]) == (400, path), answer.text
            assert answer.json()["error"]["code"] == code
        tournament = await announce(ann.http)
        assert (await send_request(bob.http, tournament, "begin"))["error"]["code"] == "cup.not_host"
        assert (await send_request(bob.http, tournament, "withdraw"))["error"]["code"] == "cup.not_registered"
        assert (await send_request(bob.http, tournament, "fly"))["error"]["code"] == "request.invalid"
        assert (await send_request(ann.http, tournament, "add_bots", level="x"))["error"]["code"] == "level.unknown"
        for unknown in ("zzzzzzzz", "cup:" + tournament, "%00"):
            assert (await bob.http.get(f"/api/cups/{unknown}")).status_code == 404
            assert (await bob.http.get(f"/cup/{unknown}")).status_code == 404
        assert (await bob.http.get(f"/api/tables/cup:{tournament}")).status_code == 404
        await bob.send({"t": "watch", "table": "cup:zzzzzzzz"})
        assert (await bob.received("problem"))["error"]["code"] == "cup.unknown"


async def test_a_host_can_have_few_tournaments_and_a_stranger_without_a_cookie_no_tournament() -> None:
    async with run_server() as server, server.person("Ann") as ann, server.guest() as stranger:
        tournaments = [await announce(ann.http) for _ in range(3)]
        answer = await ann.http.post(
            "/api/cups",
            json={"name": "x", "rules": "turbo", "stack": 10}
            | {"levels": [1], "level_kind": "deals", "level_length": 1, "most": 9},
        )
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "cup.too_many")
        await send_request(ann.http, tournaments[0], "call_off")
        await announce(ann.http)
        assert (await send_request(stranger, tournaments[1], "register"))["error"]["code"] == "identity.missing"


async def test_a_private_tournament_is_found_by_its_link_and_registration_needs_the_password() -> None:
    async with run_server() as server, server.person("Ann") as ann, server.person("Bob") as bob:
        credentials = {"password": "open sesame"}
        tournament_id = await announce(ann.http, **credentials, fee=3, prize_kind="shares", prizes=[60, 40])
        assert [tournament["cup"] for tournament in (await ann.http.get("/api/cups")).json()] == [tournament_id]
        assert (await bob.http.get("/api/cups")).json() == []
        view = (await bob.http.get(f"/api/cups/{tournament_id}")).json()
        assert (view["private"], view["password"], view["fee"], view["shares"]) == (True, True, 3, [60, 40])
        assert "open sesame" not in str(view)
        for wrong in ({}, {"password": "sesame"}):
            refused = await send_request(bob.http, tournament_id, "register", **wrong)
            assert (refused["error"]["code"], refused["error"]["path"]) == ("password.wrong", "$.password")
        joined = await send_request(bob.http, tournament_id, "register", **credentials)
        assert joined["you"]["player"] == bob.player
        assert [tournament["cup"] for tournament in (await bob.http.get("/api/cups")).json()] == [tournament_id]
        assert (await send_request(ann.http, tournament_id, "register"))["you"]["player"] == ann.player
        assert (await send_request(bob.http, await announce(ann.http, private=True), "register"))["you"]["player"]


async def test_a_tournament_that_is_called_off_closes_its_tables() -> None:
    async with run_server() as server, server.person("Ann") as ann:
        tournament = await announce(ann.http, rules="closed_basic", most=3)
        await send_request(ann.http, tournament, "register")
        await send_request(ann.http, tournament, "add_bots", level="fast", count=2)
        await follow(ann, tournament)
        table = (await until(ann, tournament, phase="running"))["you"]["table"]
        await ann.watch(table)
        await ann.until(lambda: ann.views[table]["deal"])
        assert (await send_request(ann.http, tournament, "call_off"))["phase"] == "cancelled"
        await play(ann, table, 1)
        await ann.until(lambda: ann.views[table]["phase"] == "closed")


async def test_a_moved_player_finds_the_new_table_and_a_bystander_only_watches() -> None:
    async with run_server() as server, server.person("Ann") as ann, server.person("Eve") as eve:
        tournament = await announce(ann.http, most=6)
        await send_request(ann.http, tournament, "register")
        await send_request(ann.http, tournament, "add_bots", level="fast", count=5)
        view = await follow(eve, tournament)
        assert view["may"] == []
        assert view["you"] == {"player": "", "table": "", "place": 0, "out": False}
        assert len(view["tables"]) == 2
        table = view["tables"][0]["table"]
        update = await eve.watch(table)
        assert update["view"]["may"] == ["say"]
        assert update["view"]["host"] == ""


async def test_a_pause_holds_the_tables_too_and_bots_go_on_after_it() -> None:
    async with run_server() as server, server.person("Ann") as ann:
        tournament = await announce(ann.http, rules={"preset": "closed_basic", "clock.kind": "none"}, most=4)
        await follow(ann, tournament)
        await send_request(ann.http, tournament, "register")
        await send_request(ann.http, tournament, "add_bots", level="fast", count=3)
        table = (await until(ann, tournament, phase="running"))["you"]["table"]
        await ann.watch(table)
        await ann.until(lambda: ann.views[table]["deal"])
        assert (await send_request(ann.http, tournament, "pause"))["paused"] is not None
        await ann.until(lambda: ann.views[table]["paused"] is not None)
        assert "paused" in ann.views[table]["prompt"]
        assert "The tournament is paused. Clocks are stopped." in [line["text"] for line in ann.views[table]["talk"]]
        assert (await send_request(ann.http, tournament, "pause"))["error"]["code"] == "cup.paused"
        await send_request(ann.http, tournament, "go_on")
        await ann.until(lambda: ann.views[table]["paused"] is None)
        await play(ann, table, 1)  # there is no clock: every bot has set its cards
        entries = (await send_request(ann.http, tournament, "remove", player=ann.player))["entries"]
        assert [entry["barred"] for entry in entries if entry["player"] == ann.player] == [True]


async def test_a_removed_player_does_not_block_a_table() -> None:
    """Issue 27.11: without a clock the tournament waited forever; what the bots do not play is laid at once."""
    async with run_server() as server, server.person("Ann") as ann:
        tournament = await announce(ann.http, rules={"preset": "closed_basic", "clock.kind": "none"}, most=4)
        await follow(ann, tournament)
        await send_request(ann.http, tournament, "register")
        await send_request(ann.http, tournament, "add_bots", level="fast", count=3)
        table = (await until(ann, tournament, phase="running"))["you"]["table"]
        await ann.watch(table)
        await ann.until(lambda: ann.views[table]["deal"])
        await send_request(ann.http, tournament, "remove", player=ann.player)
        over = await until(ann, tournament, phase="over")
        assert [entry["barred"] for entry in over["entries"] if entry["player"] == ann.player] == [True]


async def test_messages_to_a_page_are_in_its_language() -> None:
    async with run_server() as server, server.person("Ann") as ann:
        tournament = await announce(ann.http)
        english = await follow(ann, tournament)
        async with server.socket(ann.http) as finn:
            await finn.send({"t": "watch", "table": f"cup:{tournament}", "language": "fi"})
            view = (await finn.received("cup"))["view"]
        finnish = (await ann.http.get(f"/api/cups/{tournament}", headers={"Accept-Language": "fi"})).json()
        assert (view["title"], view["summary"]) == (finnish["title"], finnish["summary"])
        assert view["summary"] != english["summary"]


async def shows_no_internal_chips(person: Person, table: str) -> None:
    """Issue 27.10: what is shown at a league's table is won or lost since the start of the round, everywhere."""
    view = (await person.watch(table))["view"]
    assert view["rules"]["purse"] == "book"
    answer = await person.http.get(f"/api/tables/{table}/deals")
    held = [(stack["before"], stack["after"]) for deal in answer.json() for stack in deal["sheet"]["stacks"]]
    assert max(abs(points) for pair in held for points in pair) < 1_000
    for deal in answer.json():
        number = deal["sheet"]["deal"]
        replay = (await person.http.get(f"/api/tables/{table}/deals/{number}/replay")).json()
        assert max(map(abs, replay["stacks"])) < 1_000
        assert "100000" not in (await person.http.get(f"/api/tables/{table}/deals/{number}/history")).text


async def test_the_name_of_a_deleted_account_leaves_a_tournament() -> None:
    """Issue 32 B13: to who follows it and to who asks for its page."""
    async with run_server() as server, server.person("Ann") as ann, server.person("Zebulon") as leaver:
        tournament = await announce(ann.http, most=4)
        for person in (leaver, ann):
            await send_request(person.http, tournament, "register")
        await follow(ann, tournament)
        guest = f"Guest {leaver.player[-4:]}"
        assert (await leaver.http.delete("/api/me")).status_code == 200

        def renamed() -> bool | None:
            message = newest(ann, tournament)
            return (
                True
                if message and {entry["name"] for entry in message["view"]["entries"]} == {"Ann", guest}
                else None
            )

        await ann.until(renamed)
        view = (await ann.http.get(f"/api/cups/{tournament}")).text
        assert guest in view
        assert "Zebulon" not in view


async def test_a_league_deals_the_same_cards_at_all_tables() -> None:
    """Issue 11, part 5: the same decks at all tables, luck cancelled, standings with intervals."""
    store = MemoryStore()
    async with run_server(store) as server, server.person("Ann") as ann:
        tournament = await announce(ann.http, rules="turbo", seats=3, stack=100_000, levels=[1], rounds=4)
        await follow(ann, tournament)
        await send_request(ann.http, tournament, "add_bots", level="fast", count=9)
        over = await until(ann, tournament, phase="over")
        await shows_no_internal_chips(ann, f"{tournament}-1")
        assert (over["rounds"], over["round"]) == (4, 4)
        (line,) = (await ann.http.get("/api/cups")).json()
        # Issue 27.10: of several who are equal on top one had won, and so had another.
        assert line["winner"] == over["entries"][0]["name"]
        assert line["winners"] == [entry["name"] for entry in over["entries"]]
        # The bots are all the same one: what differs between tables is luck, and there is none.
        assert [(entry["mean"], entry["reach"], entry["place"]) for entry in over["entries"]] == [(0, 0, 1)] * 9
    decks = []
    for number in (1, 2, 3):
        events = [event.event for event in decode_events(await store.load(f"{tournament}-{number}"))]
        matches, shuffles = 0, []
        for event in events:
            matches += isinstance(event, MatchBegan)
            if isinstance(event, DeckShuffled):
                shuffles.append((matches, event.cards))
        decks.append([cards for _, cards in sorted(dict(reversed(shuffles)).items())])
        assert sorted(dict(shuffles)) == [1, 2, 3, 4]
    assert decks[0] == decks[1] == decks[2]
    assert len(set(decks[0])) == 4
