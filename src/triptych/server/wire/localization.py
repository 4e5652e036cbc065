"""What goes out to a person, in the language that they read: the words in it are said anew, all else stays as it is.

`WORDS` names the fields that hold what the house says, `OWN` those that hold names, ids and a person's own words;
tests/server/test_tongue.py finds a field that stands in neither.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from triptych.i18n.translator import Language, say
from triptych.server.wire.messages import Problem, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T")
_JSON: Final = msgspec.json.Encoder()
_ANSWER: Final = msgspec.json.Decoder(Refused | Problem)
_ERRORS: Final = ('{"t":"refused"', '{"t":"problem"')

# The language of the request that is being answered.
SPOKEN: Final[ContextVar[Language]] = ContextVar("SPOKEN", default="en")

WORDS: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(fields.split())
    for name, fields in {
        "AnalysisForm": "title",
        "BoardView": "natural",
        "Cell": "why",
        "CheckedRules": "words differences",
        "ChoiceInfo": "about",
        "CupLine": "title",
        "CupView": "title summary",
        "EditedRules": "preset_title title",
        "GuideLine": "text",
        "LevelLine": "title note",
        "LobbyTable": "title",
        "MatchView": "text",
        "OptionInfo": "about words",
        "OptionLine": "text",
        "OwnScoring": "naturals",
        "Part": "title",
        "Picture": "name",
        "PresetDetail": "title words",
        "PresetLine": "title summary",
        "PuzzleCollection": "title",
        "Reach": "hand",
        "Replay": "title",
        "ReplayFrame": "text",
        "ReviewForm": "title",
        "RowView": "name warning",
        "RulesProblem": "message",
        "RulesSection": "heading",
        "RulesView": "title summary",
        "ScoreForm": "title",
        "Section": "heading sentences",
        "Sentence": "text",
        "StrategyLine": "like",
        "SheetHand": "natural fantasyland_why",
        "SheetRow": "name",
        "SheetTransfer": "why",
        "SummaryPart": "text about",
        "TableRules": "title differences",
        "TableView": "prompt coming",
        "Task": "natural",
        "Way": "words",
        "WireError": "message",
    }.items()
}


def in_language(thing: T, language: Language) -> T:
    """Return something that goes out with its words in a language; the very same thing in English."""
    if language == "en":
        return thing
    said: T = _said(thing, language)
    return said


def part_in_language(of: type, field: str, value: Any, language: Language) -> Any:  # noqa: ANN401 - any part
    """Return the value of one field of a struct with its words in a language; the very same value in English."""
    if language == "en":
        return value
    if isinstance(value, str | tuple) and field in WORDS.get(of.__name__, ()):
        return _words(value, language)
    return _said(value, language)


def told_in(text: str, language: Language) -> str:
    """Return a message of the socket; what it refuses, in a language."""
    if language == "en" or not text.startswith(_ERRORS):
        return text
    return _JSON.encode(in_language(_ANSWER.decode(text), language)).decode()


def _said(thing: Any, language: Language) -> Any:  # noqa: ANN401 - whatever goes out
    if isinstance(thing, Struct):
        return _struct(thing, language)
    if isinstance(thing, list | tuple):
        parts = [_said(one, language) for one in thing]
        if all(new is old for new, old in zip(parts, thing, strict=True)):
            return thing
        return parts if isinstance(thing, list) else tuple(parts)
    if isinstance(thing, dict):
        return {key: _said(value, language) for key, value in thing.items()}
    return thing


def _struct(thing: Struct, language: Language) -> Struct:
    kind = type(thing).__name__
    words = WORDS.get(kind, frozenset())
    changes: dict[str, Any] = {}
    for field in thing.__struct_fields__:
        value = getattr(thing, field)
        if field in words or (kind == "TalkLine" and field == "text" and not getattr(thing, "who", "")):
            new = _words(value, language)
        elif value is None or isinstance(value, str | int | float):
            continue
        else:
            new = _said(value, language)
        if new is not value:
            changes[field] = new
    return replace(thing, **changes) if changes else thing


def _words(value: Any, language: Language) -> Any:  # noqa: ANN401 - a sentence or several
    if isinstance(value, str):
        return say(value, language)
    return tuple([say(one, language) for one in value])
