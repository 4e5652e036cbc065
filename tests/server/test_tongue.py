"""What goes out is said in the language of whoever reads it (ARCHITECTURE, "Languages")."""

from __future__ import annotations

import importlib
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from tests.table.session import Session
from triptych.i18n.languages import LANGUAGES, Language
from triptych.i18n.messages import Message, plain_text
from triptych.server.tables.subscribers import Subscribers
from triptych.server.wire.localization import LOCALIZED_FIELDS, localize
from triptych.server.wire.messages import ErrorMessage, Pong, Rejected, WireError

MODULES = (
    "triptych.deal.view_types",
    "triptych.tournament.view_types",
    "triptych.table.results",
    "triptych.table.view_types",
    "triptych.rulesets.describe.chart",
    "triptych.rulesets.describe.sections",
    "triptych.rulesets.describe.summary",
    "triptych.server.schemas.analysis",
    "triptych.server.schemas.tournaments",
    "triptych.server.schemas.results",
    "triptych.scoring.session",
    "triptych.scoring.sheet.types",
    "triptych.server.schemas.guide",
    "triptych.server.routes.practice",
    "triptych.server.schemas.replay",
    "triptych.server.schemas.review",
    "triptych.server.schemas.rules",
    "triptych.server.schemas.scorer",
    "triptych.server.wire.bodies",
    "triptych.server.wire.messages",
)
# Ids, names that people gave, codes and paths for programs, files, and what the client itself puts into words.
OWN = frozenset(
    [
        "a",
        "b",
        "back",
        "by",
        "cards",
        "category",
        "choices",
        "before",
        "cmd_id",
        "coming",  # as TOML
        "company",
        "parts",  # said part by part, each as the view has it
        "players",
        "winner",
        "code",
        "commitment",
        "head",
        "covered",
        "cup",
        "cup_name",
        "deck",
        "discarded",
        "discards",
        "draws",
        "expects",
        "fields",
        "file",
        "front",
        "game",
        "group",
        "host",
        "id",
        "key",
        "kind",
        "level",
        "levels",
        "like",
        "link",
        "may",
        "middle",
        "name",
        "names",
        "natural_claim",
        "nearest",
        "party",
        "password",
        "path",
        "payee",
        "payer",
        "pending",
        "phase",
        "player",
        "position",
        "preset",
        "resets",
        "rules",
        "scoring",
        "seat",
        "secret",
        "redacted_fields",
        "seen_by",
        "severity",
        "since",
        "stake_unit",
        "stacks",
        "started",
        "table",
        "text",
        "texts",
        "toml",
        "unit",
        "value",
        "values",
        "weights",
        "who",
        "owner",
        "winners",
    ]
)
# What a person or a program sends.
ASKED = (
    *(
        "Ask",
        "Check",
        "Do",
        "Edit",
        "DealResult",
        "SessionDeal",
        "SessionResult",
        "New",
        "Ping",
        "Read",
        "Rename",
        "Results",
        "Stored",
        "TablePasswordBody",
    ),
    *("Subscribe", "Unsubscribe"),
)


def structs() -> list[type[msgspec.Struct]]:
    found = {}
    for name in MODULES:
        module = importlib.import_module(name)
        for thing in vars(module).values():
            if isinstance(thing, type) and issubclass(thing, msgspec.Struct) and thing.__module__ == name:
                found[thing.__name__] = thing
    return list(found.values())


def holds_text(hint: Any) -> bool:
    return hint is str or any(holds_text(part) for part in get_args(hint))


@pytest.mark.parametrize(
    "struct",
    [one for one in structs() if not one.__name__.startswith(ASKED) and not one.__name__.endswith("Request")],
)
def test_every_text_that_goes_out_is_known_as_words_or_as_somebodys_own(struct: type[msgspec.Struct]) -> None:
    words = LOCALIZED_FIELDS.get(struct.__name__, frozenset())
    texts = {field for field, hint in get_type_hints(struct).items() if holds_text(hint)}
    assert texts - words - OWN == set()


def test_the_fields_that_hold_words_are_there() -> None:
    fields = {struct.__name__: set(struct.__struct_fields__) for struct in structs()}
    assert {name: words - fields[name] for name, words in LOCALIZED_FIELDS.items() if words - fields[name]} == {}


class Screen:
    """A connection that keeps what it is sent."""

    def __init__(self, player: str, language: Language) -> None:
        self.player = player
        self.language = language
        self.said: list[dict[str, Any]] = []

    def send(self, text: str) -> None:
        self.said.append(msgspec.json.decode(text))

    def send_message(self, message: ErrorMessage) -> None:
        self.send(msgspec.json.encode(localize(message, self.language), enc_hook=plain_text).decode())


def test_two_at_one_table_read_it_in_their_own_languages() -> None:
    session = Session(people=2)
    audience = Subscribers()
    ann, bob, friend = Screen("ann", "ru"), Screen("bob", "zh"), Screen("x", "en")
    for screen in (ann, bob, friend):
        audience.add(screen)
    session.begin()
    audience.broadcast(session.state(), (), session.now)
    lines = [screen.said[-1]["view"]["talk"][0]["text"] for screen in (ann, bob, friend)]
    assert lines == ["Ann садится, 100 очков", "Ann带 100 分入座", "Ann joined with 100 points"]
    assert [screen.said[-1]["view"]["rules"]["title"] for screen in (ann, bob, friend)] == [
        "Ананас",
        "大菠萝",
        "Pineapple",
    ]
    # What people gave stays theirs, and nothing else differs.
    assert {screen.said[-1]["view"]["name"] for screen in (ann, bob, friend)} == {"Our table"}
    assert ann.said[-1]["view"]["seats"] == friend.said[-1]["view"]["seats"]


def test_english_is_sent_as_it_is() -> None:
    view = Session().see("ann")
    assert localize(view, "en") is view
    refused = Rejected("1", "t", WireError("ready.nothing", Message("error.ready.nothing")))
    assert localize(refused, "en") is refused


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_a_refusal_is_told_in_the_language_of_who_asked(language: Language) -> None:
    error = WireError("ready.nothing", Message("error.ready.nothing"))
    told = localize(Rejected("1", "t", error), language)
    assert told.error.message != "No deal is about to start."
    assert (told.error.code, told.cmd_id) == ("ready.nothing", "1")
    assert localize(pong := Pong(1), language) is pong
