"""What goes out to a person, in the language that they read: the words in it are said anew, all else stays as it is.

`WORDS` names the fields that hold what the house says, `OWN` those that hold names, ids and a person's own words;
tests/server/test_tongue.py finds a field that stands in neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from triptych.i18n.languages import Language
from triptych.i18n.messages import Message
from triptych.i18n.translator import translate

T = TypeVar("T")

# The language of the request that is being answered.
REQUEST_LANGUAGE: Final[ContextVar[Language]] = ContextVar("SPOKEN", default="en")

LOCALIZED_FIELDS: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(fields.split())
    for name, fields in {
        "AnalysisSetup": "title",
        "BoardView": "natural",
        "Cell": "why",
        "CheckedRules": "words differences",
        "ChoiceInfo": "about",
        "TournamentItem": "title",
        "TournamentView": "title summary",
        "EditedRules": "preset_title title",
        "GuideLine": "text",
        "LevelItem": "title note",
        "LobbyTable": "title",
        "MatchView": "text",
        "OptionInfo": "about words",
        "OptionItem": "text",
        "LocalScoring": "naturals",
        "RulesetTotal": "title",
        "ExampleHand": "name",
        "PresetDetail": "title words",
        "PresetItem": "title summary",
        "PuzzleCollection": "title",
        "ReachableRoyalty": "hand",
        "Replay": "title",
        "ReplayFrame": "text",
        "ReviewSetup": "title",
        "RowView": "name warning",
        "RulesProblem": "message",
        "RulesSection": "heading",
        "RulesView": "title summary",
        "ScorerSetup": "title",
        "Section": "heading sentences",
        "Sentence": "text",
        "StrategyInfo": "like",
        "SheetHand": "natural fantasyland_why",
        "SheetRow": "name",
        "SheetTransfer": "why",
        "SummaryPart": "text about",
        "TableRules": "title differences",
        "TableView": "prompt coming",
        "Task": "natural",
        "EntryDescription": "words",
        "WireError": "message",
    }.items()
}


def localize(thing: T, language: Language) -> T:
    """Return something that goes out with its words in a language; the very same thing in English."""
    if language == "en":
        return thing
    said: T = _localize(thing, language)
    return said


def localize_field(of: type, field: str, value: Any, language: Language) -> Any:  # noqa: ANN401 - any part
    """Return the value of one field of a struct with its words in a language; the very same value in English."""
    if language == "en":
        return value
    if isinstance(value, Message) or (
        isinstance(value, str | tuple) and field in LOCALIZED_FIELDS.get(of.__name__, ())
    ):
        return _translate(value, language)
    return _localize(value, language)


def _localize(thing: Any, language: Language) -> Any:  # noqa: ANN401 - whatever goes out
    if isinstance(thing, Message):
        return translate(thing, language)
    if isinstance(thing, Struct):
        return _struct(thing, language)
    if isinstance(thing, list | tuple):
        parts = [_localize(one, language) for one in thing]
        if all(new is old for new, old in zip(parts, thing, strict=True)):
            return thing
        return parts if isinstance(thing, list) else tuple(parts)
    if isinstance(thing, dict):
        return {key: _localize(value, language) for key, value in thing.items()}
    return thing


def _struct(thing: Struct, language: Language) -> Struct:
    kind = type(thing).__name__
    words = LOCALIZED_FIELDS.get(kind, frozenset())
    changes: dict[str, Any] = {}
    for field in thing.__struct_fields__:
        value = getattr(thing, field)
        if (
            isinstance(value, Message)
            or field in words
            or (kind == "ChatLineView" and field == "text" and not getattr(thing, "who", ""))
        ):
            new = _translate(value, language)
        elif value is None or isinstance(value, str | int | float):
            continue
        else:
            new = _localize(value, language)
        if new is not value:
            changes[field] = new
    return replace(thing, **changes) if changes else thing


def _translate(value: Any, language: Language) -> Any:  # noqa: ANN401 - a sentence or several
    if isinstance(value, str):
        return translate(value, language)
    return tuple([translate(one, language) for one in value])
