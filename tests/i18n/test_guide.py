"""What the guide, the chart and the summaries say is said in every language (issue 11, parts 2 and 4)."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from tests.case_notes import case
from tests.i18n.test_translations import OTHERS, verify_read
from triptych.board import ROWS, Layout
from triptych.cards import card_text, deck
from triptych.deal.actions import Announce, Arrange, ClaimNatural, Declare, Place
from triptych.deal.engine import decide, start
from triptych.deal.project import view
from triptych.deal.state import HandStart
from triptych.deal.view_types import FreeSlots, Task
from triptych.rulesets.describe.chart import chart
from triptych.rulesets.describe.summary import summary_parts
from triptych.rulesets.load import preset_names, resolve
from triptych.scoring.sheet.hand_names import natural_name
from triptych.server.content.guide_texts import guide_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triptych.i18n.languages import Language


@pytest.mark.parametrize("language", OTHERS)
def test_summaries_and_charts(language: Language) -> None:
    for preset in preset_names():
        with case(preset):
            rules = resolve(preset)
            royalty_chart = chart(rules)
            hands = [
                *royalty_chart.ranking,
                *(five.hand for five in royalty_chart.fives),
                *(low.hand for low in royalty_chart.lows),
            ]
            texts = [hand.name for hand in hands] + [way.words for way in royalty_chart.fantasyland]
            for text in (*texts, *(part.text for part in summary_parts(rules))):
                if text != "7-5-4-3-2":
                    verify_read(text, language)


def guided(preset: str, deals: int) -> Iterator[str]:
    """Yield what the guide says to many first streets of a game, the cards lying anyhow."""
    rules, rng = resolve(preset), random.Random(preset)
    for _ in range(deals):
        cards = list(deck(rules.deal.jokers))
        rng.shuffle(cards)
        state = start(rules, 1, (HandStart(0), HandStart(1)), tuple(cards)).state
        deal_view = view(state, 0)
        task = deal_view.tasks[0]
        rows: dict[str, list[str]] = {row: [] for row in ROWS}
        own = sorted((card_text(card) for card in state.hands[0].drawn), key=lambda text: text[0])
        for text in own[: rng.randint(0, task.place)]:
            free = [row for row in ROWS if len(rows[row]) < getattr(task.open, row)]
            rows[rng.choice(free)].append(text)
        layout = Layout(**{row: tuple(texts) for row, texts in rows.items()})
        deal_view = view(decide(state, Arrange(task.hand, layout)).state, 0)
        for line in guide_lines(rules, deal_view.boards[0], deal_view.tasks[0], Place(task.hand, layout)):
            yield line.text


@pytest.mark.parametrize(
    "preset", ["pineapple", "pineapple_27", "pineapple_joker", "ofc_27", "closed_2_4", "closed_low_middle"]
)
def test_guide_texts_about_cards_are_translated(preset: str) -> None:
    for text in set(guided(preset, 60)):
        for language in OTHERS:
            verify_read(text, language)


@pytest.mark.parametrize("language", OTHERS)
def test_guide_texts_about_questions_are_translated(language: Language) -> None:
    rules = resolve("closed_2_4")
    board = view(start(rules, 1, (HandStart(0), HandStart(1)), tuple(deck(0))).state, 0).boards[0]
    kinds = (
        ("announce", Announce(0, play=True)),
        ("announce", Announce(0, play=False)),
        ("declare", Declare(0, ())),
        ("declare", Declare(0, ("middle",))),
        ("declare", Declare(0, ("front", "middle", "back"))),
    )
    for kind, advice in kinds:
        task = Task(0, kind, 1, (), 0, 0, FreeSlots(0, 0, 0), Layout(), surrender=3)  # type: ignore[arg-type]
        (line,) = guide_lines(rules, board, task, advice)
        verify_read(line.text, language)
    natural = Task(0, "place", 1, (), 13, 0, FreeSlots(3, 5, 5), Layout(), natural=natural_name("six_pairs"))
    for line in guide_lines(rules, board, natural, ClaimNatural(0)):
        verify_read(line.text, language)
