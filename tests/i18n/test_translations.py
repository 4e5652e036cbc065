"""What rules, sheets and tables say is made of messages, and reads well in each language.

Plural forms by CLDR; Chinese terms as in the game shí sān shuǐ, Vietnamese ones as in mậu binh.
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.case_notes import case
from tests.table.session import Session
from triptych.cards import card_text, deck
from triptych.i18n.languages import LANGUAGES, Language, negotiate_language, plural_rule
from triptych.i18n.messages import Message, translate
from triptych.rulesets.describe.phrases import title_text
from triptych.rulesets.describe.sections import OPTIONS, describe, sections
from triptych.rulesets.describe.summary import summary
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import is_closed
from triptych.scoring.session import session_deal
from triptych.scoring.sheet.hand_names import low_name, rank_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triptych.scoring.sheet.types import ScoreSheet

PAIR, HIGH, LOW = rank_name(1 << 20 | 11 << 16), rank_name(9 << 16), low_name(0xA8753)
CLIENT = Path(__file__).parents[2] / "client" / "messages"
OTHERS = [language for language in LANGUAGES if language != "en"]
# Ranks and units stay in their own letters; player names of these tests.
LATIN = re.compile(r"[A-Za-z]{2,}")
ALIKE = re.compile(r"(?<![A-Za-z])(?:[2-9TJQKA]{2,5}|OFC|EUR|Ann|Bob|Cem|Dee|Binh)(?![A-Za-z])|Mậu|Capsa Susun|Pusoy")


def left_over(text: str) -> list[str]:
    """Return the words in Latin letters that a text in another script still has."""
    return LATIN.findall(ALIKE.sub("", text))


def verify_read(text: str, language: Language) -> None:
    assert isinstance(text, Message), text
    translation = translate(text, language)
    assert translation.strip(), text
    if language in ("zh", "ru"):
        assert left_over(translation) == [], (text, translation)


@pytest.mark.parametrize("language", OTHERS)
def test_the_rules_of_every_preset_are_described_in_words(language: Language) -> None:
    for preset in preset_names():
        with case(preset):
            rules = resolve(preset)
            verify_read(title_text(rules.title), language)
            verify_read(summary(rules), language)
            for section in sections(rules):
                verify_read(section.heading, language)
                for sentence in section.sentences:
                    verify_read(sentence, language)


@pytest.mark.parametrize("language", OTHERS)
def test_every_option_and_choice_of_the_editor_is_explained(language: Language) -> None:
    for option in OPTIONS:
        verify_read(option.description, language)
        for choice in option.choices:
            if choice.description:
                verify_read(choice.description, language)


def sheets(preset: str, count: int) -> Iterator[ScoreSheet]:
    """Yield the sheets of random boards, some of them sorted so that they are legal, as real cards are scored."""
    rules, rng = resolve(preset), random.Random(preset)
    players = ["Ann", "Bob"] if rules.deal.game == "criss_cross" else ["Ann", "Bob", "Cem"]
    for _ in range(count):
        cards = list(deck(rules.deal.jokers))
        rng.shuffle(cards)
        hands: dict[str, dict[str, object]] = {}
        for at, name in enumerate(players):
            own = sorted(cards[13 * at : 13 * at + 13], key=lambda card: card // 4 if rng.random() < 0.9 else 0)
            text = [card_text(card) for card in own]
            hands[name] = {"front": "".join(text[:3]), "middle": "".join(text[3:8]), "back": "".join(text[8:])}
            if rules.deal.game != "criss_cross" and not is_closed(rules) and rng.random() < 0.3:
                hands[name]["fantasyland"] = {"cards": 14}
        if rules.deal.game == "criss_cross":
            return
        yield session_deal({"rules": {"preset": preset}, "players": hands}, 1).sheet


@pytest.mark.parametrize("count", [10, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("preset", ["pineapple", "closed_1_6", "thirteen_water", "ofc_finnish", "banker"])
def test_every_reason_of_a_score_sheet_is_translated(preset: str, count: int) -> None:
    for sheet in sheets(preset, count):
        why = [cell.why for pair in sheet.pairs for cell in (pair.front, pair.middle, pair.back, pair.scoop)]
        why += [cell.why for pair in sheet.pairs for cell in (pair.royalties, pair.other, pair.moved)]
        why += [hand.fantasyland_why for hand in sheet.hands] + [hand.natural for hand in sheet.hands]
        why += [row.name for hand in sheet.hands for row in (hand.front, hand.middle, hand.back) if row is not None]
        for sentence in filter(None, why):
            for language in OTHERS:
                verify_read(sentence, language)


@pytest.mark.parametrize("preset", ["pineapple", "closed_1_6", "criss_cross", "ofc_russian"])
def test_texts_and_prompts_of_a_session_are_translated(preset: str) -> None:
    session = Session(resolve(preset))
    sentences: set[str] = set()
    for _ in range(3):
        session.begin()
        for _ in range(60):
            for player in (seat.player for seat in session.state().seats if seat.player):
                view = session.see(player)
                sentences |= {view.prompt, "" if view.match is None else view.match.text, view.rules.summary}
                sentences |= {line.text for line in view.talk if line.who == ""}
            if session.state().settled:
                break
            session.act()
    for sentence in filter(None, sentences):
        for language in OTHERS:
            verify_read(sentence, language)


@pytest.mark.parametrize(
    ("number", "places"),
    [(1, 0), (2, 1), (4, 1), (5, 2), (11, 2), (12, 2), (14, 2), (21, 0), (22, 1), (25, 2), (111, 2), (0, 2)],
)
def test_russian_numbers_take_one_few_or_many(number: int, places: int) -> None:
    assert plural_rule("ru")(number) == places


@pytest.mark.parametrize(
    ("deals", "language", "text"),
    [
        (1, "ru", "Матч — 1 раздача."),
        (3, "ru", "Матч — 3 раздачи."),
        (12, "ru", "Матч — 12 раздач."),
        (1, "fi", "Ottelu on 1 jako."),
        (12, "fi", "Ottelu on 12 jakoa."),
        (12, "zh", "一场为 12 局。"),
        (12, "vi", "Một trận là 12 ván."),
    ],
)
def test_the_rules_are_described_with_their_numbers(deals: int, language: Language, text: str) -> None:
    rules = resolve({"preset": "pineapple", "match.kind": f"deals:{deals}"})
    assert text in [translate(sentence, language) for sentence in describe(rules)]


@pytest.mark.parametrize(
    ("message", "language", "text"),
    [
        (PAIR, "ru", "Пара дам"),
        (
            Message("sheet.row.beats", name="Ann", hand=PAIR, other=HIGH),
            "ru",
            "Ann: пара дам бьёт старшую карту — десятку",
        ),
        (Message("sheet.row.beats", name="Ann", hand=LOW, other=HIGH), "en", "Ann's J-9-8-6-4 low beats ten high"),
        (Message("announce.joined_with", name="Ann", points=100), "es", "Ann se sienta con 100 puntos"),
        (
            Message("sheet.foul.beats", upper=Message("row.front"), lower=Message("row.middle")),
            "fi",
            "eturivi voittaa keskirivin",
        ),
        (
            Message("sheet.foul.beats", upper=Message("row.front"), lower=Message("row.back")),
            "es",
            "el frente gana al fondo",
        ),
    ],
)
def test_messages_have_the_cases_of_their_language(message: Message, language: Language, text: str) -> None:
    assert translate(message, language) == text


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


def test_a_name_is_never_translated_however_it_reads() -> None:
    assert translate(Message("announce.left", name="Pair of queens"), "ru") == "Pair of queens уходит"


@pytest.mark.parametrize("language", OTHERS)
def test_places_of_a_page_that_stand_together_are_called_differently(language: Language) -> None:
    """Who hears a page instead of seeing it goes from one to the next by these names (axe: landmark-unique)."""
    words = json.loads((CLIENT / f"{language}.json").read_text())
    places = [
        words[name] for name in ("common_your_board", "table_your_cards", "table_your_answer", "table_your_seat")
    ]
    assert len(set(places)) == len(places)
