"""The client's messages: each language says everything that English says, with the same arguments and
its own plural forms.

Plural forms by CLDR: Russian one, few and the rest; Spanish, Finnish and English one and the rest; Chinese and
Vietnamese have a single form.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

CLIENT = Path(__file__).parents[2] / "client"
LANGUAGES = json.loads((CLIENT / "project.inlang" / "settings.json").read_text())["locales"]
FORMS = {
    "en": ["one", "*"],
    "es": ["one", "*"],
    "fi": ["one", "*"],
    "ru": ["one", "few", "*"],
    "vi": ["*"],
    "zh": ["*"],
}
# Written alike in every script: our name, what is typed, keys, marks of cards.
ALIKE = (
    r"Triptych|triptych verify|Shift|Esc|ZIP|CSV|QR|API|UTC|https|localhost|TOML|JSON|OFC|Qh|Td|2c|Backspace|Enter"
    r"|\bA\b|\bK\b|\bQ\b|\bJ\b"
)

Message = str | list[dict[str, Any]]


def messages(language: str) -> dict[str, Message]:
    """Return a language's messages by key."""
    catalogue: dict[str, Message] = json.loads((CLIENT / "messages" / f"{language}.json").read_text())
    return catalogue


def texts(message: Message) -> list[str]:
    """Return every text of a message: one, or one a plural form."""
    return [message] if isinstance(message, str) else list(message[0]["match"].values())


def arguments(message: Message) -> set[str]:
    """Return what a message takes: what stands in its braces, and what its form goes by."""
    names = {name for text in texts(message) for name in re.findall(r"\{(\w+)\}", text)}
    if isinstance(message, str):
        return names
    return names | {line.removeprefix("input ") for line in message[0]["declarations"] if line.startswith("input ")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_all_that_english_says_with_the_same_arguments(language: str) -> None:
    english, own = messages("en"), messages(language)
    assert own.keys() == english.keys()
    # `n` may decide the form alone ("one more friend"), or be needed by no form of a language that has but one.
    differ = {key: arguments(own[key]) ^ arguments(english[key]) for key in english}
    assert {key: names for key, names in differ.items() if names - {"n"}} == {}
    assert [key for key, message in own.items() if not all(text.strip() for text in texts(message))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_forms_are_those_of_the_language(language: str) -> None:
    wrong = {}
    for key, message in messages(language).items():
        if isinstance(message, str):
            continue
        categories = [match.partition("=")[2] for match in message[0]["match"]]
        exact = [category for category in categories if category.isdigit()]
        if [category for category in categories if category not in exact] != (["*"] if exact else FORMS[language]):
            wrong[key] = categories
    assert wrong == {}


@pytest.mark.parametrize("language", ["ru", "es", "fi"])
def test_plural_messages_of_english_are_plural_in_languages_with_forms(language: str) -> None:
    own = messages(language)
    assert [
        key for key, message in messages("en").items() if not isinstance(message, str) and isinstance(own[key], str)
    ] == []


@pytest.mark.parametrize("language", ["zh", "ru"])
def test_no_english_word_is_left_in_another_script(language: str) -> None:
    remaining = {
        key: words
        for key, message in messages(language).items()
        for text in texts(message)
        if (words := re.findall(r"[A-Za-z]{2,}", re.sub(rf"\{{\w+\}}|{ALIKE}", "", text)))
    }
    assert remaining == {}


@pytest.mark.parametrize("language", ["es", "fi", "vi", "ru", "zh"])
def test_sentences_are_not_left_in_english(language: str) -> None:
    own, english = messages(language), messages("en")
    same = [
        key
        for key in english
        if own[key] == english[key]
        and len(re.findall(r"[a-z]{2,}", re.sub(r"\{\w+\}", "", " ".join(texts(english[key]))))) > 2
    ]
    assert same == []


def test_every_message_is_used_and_every_used_message_exists() -> None:
    used_keys = {
        key
        for path in (CLIENT / "src").rglob("*")
        if path.suffix in {".svelte", ".ts"}
        for key in re.findall(r"\bm\.([a-z0-9_]+)\b", path.read_text())
    }
    assert messages("en").keys() - used_keys == set()
    assert used_keys - messages("en").keys() == set()


def test_keys_begin_with_the_place_where_their_text_stands() -> None:
    """A feature's folder that uses the text, `common` for several, or a place outside the features."""
    features = {path.name for path in (CLIENT / "src" / "features").iterdir() if path.is_dir()}
    elsewhere = {"app", "cards", "common", "header", "nav", "not", "settings", "sheet", "ui"}
    places: dict[str, set[str]] = {}
    for path in (CLIENT / "src").rglob("*"):
        if path.suffix in {".svelte", ".ts"}:
            place = path.relative_to(CLIENT / "src").parts[1]
            for key in re.findall(r"\bm\.([a-z0-9_]+)\b", path.read_text()):
                places.setdefault(key, set()).add(place)
    wrong = []
    for key in messages("en"):
        place = key.partition("_")[0]
        if place not in features | elsewhere or (place in features and place not in places[key]):
            wrong.append(key)
    assert wrong == []


def with_imports(*files: Path) -> set[Path]:
    """Return files of the client and all that they import, not what they ask for later."""
    reachable: set[Path] = set()
    waiting = list(files)
    while waiting:
        file = waiting.pop()
        if file in reachable:
            continue
        reachable.add(file)
        for name in re.findall(r"^\s*(?:im|ex)port (?!type )[^;'()]*?'(\.[^']+)'", file.read_text(), re.MULTILINE):
            path = (file.parent / name).resolve()
            waiting += [
                file for file in (path, Path(f"{path}.ts")) if file.suffix in {".ts", ".svelte"} and file.is_file()
            ]
    return reachable


@pytest.mark.parametrize(
    ("page", "parts"), [("lobby/LobbyPage", ("lobby",)), ("table/TablePage", ("lobby", "table"))]
)
def test_a_first_page_says_nothing_that_comes_with_others(page: str, parts: tuple[str, ...]) -> None:
    """Only keys that begin as these PARTS of build-messages.js say are there when the page is."""
    build = (CLIENT / "build-messages.js").read_text()
    lists = (re.search(rf"^  {part}: \[(.*?)\]", build, re.MULTILINE | re.DOTALL) for part in parts)
    first = {place for match in lists if match for place in re.findall(r"'(\w+)'", match[1])}
    source = CLIENT / "src"
    # A table asks for its parts later; they say no more than it.
    folders = ("table/parts", "guide/parts") if "table" in parts else ()
    own = [file for folder in folders for file in (source / "features" / folder).glob("*.svelte")]
    files = with_imports(source / "app/main.ts", source / f"features/{page}.svelte", *own)
    assert source / "ui/LazyPage.svelte" in files
    used_keys = {key for path in files for key in re.findall(r"\bm\.([a-z0-9_]+)\b", path.read_text())}
    assert {key for key in used_keys if key.partition("_")[0] not in first} == set()


def test_messages_are_compiled_from_what_lies_here() -> None:
    settings = json.loads((CLIENT / "project.inlang" / "settings.json").read_text())
    assert settings["telemetry"] == "off"
    assert all(module.startswith("./node_modules/") for module in settings["modules"])
    assert sorted(settings["locales"]) == sorted(path.stem for path in (CLIENT / "messages").glob("*.json"))
