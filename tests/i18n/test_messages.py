"""Messages: English text that keeps its key and arguments, formatted in each language from its catalogue."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import msgspec
import pytest

from triptych.i18n import messages
from triptych.i18n.languages import LANGUAGES, Language, negotiate_language, plural_rule
from triptych.i18n.messages import (
    Message,
    catalogue,
    join_with_and,
    join_with_commas,
    join_with_or,
    parse_template,
    plain_text,
    translate,
)

CATALOGUES: dict[Language, dict[str, str]] = {
    "en": {
        "hand.pair": "Pair of {rank}",
        "rank.queens": "queens",
        "rank.ten": "Ten",
        "row.won": "{name}'s {hand.lower} beats {other.lower}",
        "row.front": "front",
        "row.front@in": "in front",
        "stake": "{count} {count:point~points} of {price} {row.in}",
        "seats": "{names} sit",
    },
    "ru": {
        "hand.pair": "Пара {rank}",
        "rank.queens": "дам",
        "rank.ten": "Десятка",
        "row.won": "{name}: {hand.lower} бьёт {other.lower}",
        "row.front": "верх",
        "row.front@in": "вверху",
        "stake": "{row.upper} ({row.in}): {count} {count:очко~очка~очков} по {price}",
        "seats": "Сидят: {names}",
    },
}


@pytest.fixture(autouse=True)
def _catalogues(monkeypatch: pytest.MonkeyPatch) -> None:
    original = {language: dict(catalogue(language)) for language in LANGUAGES}
    monkeypatch.setattr(messages, "catalogue", lambda language: original[language] | CATALOGUES.get(language, {}))
    monkeypatch.setattr(
        messages, "_template", lambda language, key: parse_template(messages.catalogue(language)[key])
    )


def row_won() -> Message:
    hand = Message("hand.pair", rank=Message("rank.queens"))
    return Message("row.won", name="Pair", hand=hand, other=Message("rank.ten"))


def test_a_message_is_its_english_text_and_is_formatted_in_other_languages_with_the_messages_in_it() -> None:
    assert row_won() == "Pair's pair of queens beats ten"
    assert translate(row_won(), "en") == "Pair's pair of queens beats ten"
    assert translate(row_won(), "ru") == "Pair: пара дам бьёт десятка"


def test_any_other_text_stays_as_it_is() -> None:
    assert translate("Pair of queens", "ru") == "Pair of queens"


@pytest.mark.parametrize(("count", "word"), [(1, "очко"), (3, "очка"), (11, "очков"), ("\N{MINUS SIGN}21", "очко")])
def test_words_forms_and_decimal_signs_are_those_of_the_language(count: int | str, word: str) -> None:
    message = Message("stake", count=count, price=Fraction(1, 4), row=Message("row.front"))
    assert message == f"{count} {'point' if count == 1 else 'points'} of 0.25 in front"
    assert translate(message, "ru") == f"Верх (вверху): {count} {word} по 0,25"


def test_a_form_that_a_message_has_not_is_the_message_itself() -> None:
    message = Message("stake", count=1, price=2, row="Ann")
    assert translate(message, "ru") == "Ann (Ann): 1 очко по 2"


@pytest.mark.parametrize(
    ("names", "english", "chinese"),
    [
        ([], "", ""),
        (["Ann"], "Ann", "Ann"),
        (["Ann", "Bob"], "Ann and Bob", "Ann和Bob"),
        (["Ann", "Bob", "Cem"], "Ann, Bob and Cem", "Ann、Bob和Cem"),
    ],
)
def test_lists_are_joined_as_the_language_joins_them(names: list[str], english: str, chinese: str) -> None:
    joined = join_with_and(names)
    assert (joined, translate(joined, "zh")) == (english, chinese)
    assert join_with_or(names) == english.replace(" and ", " or ")
    assert join_with_commas(names) == english.replace(" and ", ", ")


def test_a_message_survives_copy_and_pickle() -> None:
    for message in (copy.copy(row_won()), copy.deepcopy(row_won()), pickle.loads(pickle.dumps(row_won()))):  # noqa: S301 - ours
        assert translate(message, "ru") == "Pair: пара дам бьёт десятка"


def test_a_message_is_encoded_as_its_english_text_and_nothing_else_is() -> None:
    assert (
        msgspec.json.encode({"text": row_won()}, enc_hook=plain_text)
        == b'{"text":"Pair\'s pair of queens beats ten"}'
    )
    with pytest.raises(TypeError, match="object cannot be encoded"):
        plain_text(object())


def test_a_key_or_an_argument_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError):
        Message("hand.unknown")
    with pytest.raises(KeyError):
        Message("hand.pair")


@pytest.mark.parametrize(
    ("number", "places"),
    [(1, 0), (2, 1), (4, 1), (5, 2), (11, 2), (12, 2), (14, 2), (21, 0), (22, 1), (25, 2), (111, 2), (0, 2)],
)
def test_russian_numbers_take_one_few_or_many(number: int, places: int) -> None:
    assert plural_rule("ru")(number) == places


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        ("", "en"),
        ("zh-Hans", "zh"),
        ("de-CH, de;q=0.9, fi;q=0.5, en;q=0.1", "fi"),
        ("ru-RU,ru;q=0.9,en-US;q=0.8", "ru"),
        ("tlh", "en"),
        (",;;q=,", "en"),
    ],
)
def test_a_browser_is_answered_in_the_first_language_that_is_ours(wanted: str, language: Language) -> None:
    assert negotiate_language(wanted) == language
