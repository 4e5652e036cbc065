"""Lessons walked by scripts: one takes every hint, one is wrong wherever it can be. Issue 32, part 1."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.overflow import spilled
from tests.browser.people import PICTURES
from triptych.board import Board
from triptych.cards import parse_card
from triptych.deal.timeout import is_foul
from triptych.rulesets.load import resolve

if TYPE_CHECKING:
    from collections.abc import Callable

LESSONS = 6
FIRST = 2  # lessons for newcomers
FANTASYLAND = 4
MAX_FIRST_CARD_SECONDS = 60
MAX_TRIES = 30
ROWS = ("front", "middle", "back")
TURBO = (1, 2, 3)  # lessons whose deal is Turbo
CARDS = "all => all.map(one => one.dataset.card)"


class LessonWalk:
    """A walk through the lessons; it counts taps, and looks at what is said after each answer."""

    def __init__(self, page: Page, *, wrong: bool, name: str = "") -> None:
        page.emulate_media(reduced_motion="reduce")  # the bots answer at once
        self.page = page
        self.wrong = wrong
        self.name = name
        self.taps = 0
        self.refused = 0
        self.faults: list[str] = []
        self.lesson = 0
        self.report = ""

    def walk(self, lesson: int) -> None:
        """Go through a lesson to its end."""
        self.lesson = lesson
        head = self.page.get_by_test_id("lesson")
        done = self.page.get_by_test_id("lesson-done")
        for _ in range(MAX_TRIES):
            step = head.get_attribute("data-step") or ""
            self.step(step)
            expect(self.feedback).to_have_class(re.compile("good"))
            self.look(f"{step}-told")
            if done.is_visible():
                return
            self.tap(self.page.get_by_test_id("lesson-next"))
            expect(head).not_to_have_attribute("data-step", step)
        pytest.fail(f"lesson {lesson} has no end")

    @property
    def feedback(self) -> Locator:
        return self.page.get_by_test_id("lesson-told")

    def step(self, step: str) -> None:
        """Do one step: wrong in all ways first, if that is the walk, then as the hint says."""
        boards, counts = (
            self.page.get_by_test_id(re.compile("^pick-")),
            self.page.get_by_test_id(re.compile("^count-")),
        )
        tray = self.page.get_by_test_id("tray")
        expect(boards.or_(counts).or_(tray).first).to_be_visible()
        self.look(step)
        if not tray.is_visible():
            self.choose(boards if boards.count() else counts)
            return
        if self.wrong:
            self.play(self.lay_front_first)
            if self.judged():
                return
            self.again()
        for _ in range(MAX_TRIES):
            self.play(self.lay_hint)
            if self.judged():
                return
            self.again()
        pytest.fail(f"lesson {self.lesson}, step {step}: no hint is right")

    def choose(self, choices: Locator) -> None:
        """Choose what the hint marks; before that, if the walk is wrong, everything else."""
        if not self.wrong:
            self.tap(self.page.get_by_test_id("lesson-show"))
            expect(self.page.get_by_test_id("lesson-hint")).to_contain_text(re.compile(r"\w"))
            self.tap(self.page.locator("main button:is(.chosen, .main)"))
            return
        for choice in choices.all():
            self.tap(choice)
            if self.judged():
                return

    def judged(self) -> bool:
        """Return whether the answer was right; it has a reason, and a foul is never right."""
        expect(self.feedback).to_be_visible()
        right = "good" in (self.feedback.get_attribute("class") or "").split()
        verdict = self.feedback.locator("b").inner_text()
        reason = self.feedback.inner_text().removeprefix(verdict).strip()
        assert reason, f"lesson {self.lesson}: an answer has no reason"
        if not right:
            self.refused += 1
        cards = {row: self.page.get_by_test_id(f"row-{row}").locator("[data-card]") for row in ROWS}
        if cards["back"].count():
            rules = resolve("turbo" if self.lesson in TURBO else "pineapple")
            board = {row: tuple(map(parse_card, locator.evaluate_all(CARDS))) for row, locator in cards.items()}
            foul = is_foul(rules, Board(**board))
            assert not (foul and right), f"lesson {self.lesson}: a foul is right"
            assert not foul or "beats" in reason, f"lesson {self.lesson}: a foul without its hands: {reason}"
        return right

    def again(self) -> None:
        self.look("wrong")
        self.tap(self.page.get_by_test_id("lesson-again"))
        expect(self.feedback).to_have_count(0)
        if self.lesson == FANTASYLAND and self.page.get_by_test_id("lesson").get_attribute("data-step") == "0":
            # A fantasyland has to be earned again.
            self.play(self.lay_hint)
            if self.judged():
                self.tap(self.page.get_by_test_id("lesson-next"))
                expect(self.page.get_by_test_id("lesson")).to_have_attribute("data-step", "1")

    def play(self, lay: Callable[[], None]) -> None:
        """Place street after street until the answer is shown."""
        ready, anyway = self.page.get_by_test_id("ready"), self.page.get_by_test_id("foul-anyway")
        drawn = self.page.get_by_test_id("draws").locator("[data-mine]")
        while True:
            expect(self.feedback.or_(drawn).or_(anyway).first).to_be_visible()
            if anyway.is_visible():
                self.tap(anyway)
                expect(anyway).to_be_hidden()
            elif self.feedback.is_visible():
                return
            elif drawn.count():
                street = drawn.evaluate_all("all => all.map(one => one.dataset.mine)")
                lay()
                self.tap(ready)
                first = self.page.locator(f"[data-testid=draws] [data-mine='{street[0]}']")
                expect(first.or_(anyway).or_(self.feedback).or_(drawn).first).to_be_visible()

    def lay_hint(self) -> None:
        self.tap(self.page.get_by_test_id("lesson-show"))
        expect(self.page.get_by_test_id("ready")).to_be_enabled()

    def lay_front_first(self) -> None:
        drawn = self.page.get_by_test_id("draws").locator("[data-mine]")
        while not self.page.get_by_test_id("ready").is_enabled():
            count = drawn.count()
            self.tap(drawn.first)
            self.tap(self.page.get_by_test_id(re.compile("^place-(front|middle|back)$")).first)
            expect(drawn).not_to_have_count(count)

    def tap(self, control: Locator) -> None:
        self.taps += 1
        control.click()

    def look(self, where: str) -> None:
        """See that the page fits a phone; leave a picture in the folder that TRIPTYCH_PICTURES names."""
        self.faults += [f"lesson {self.lesson}, {where}: {what}" for what in spilled(self.page)]
        if PICTURES and self.name:
            self.page.screenshot(path=f"{PICTURES}/{self.name}-{self.lesson}-{where}.png")


def walk_all(page: Page, *, wrong: bool, name: str = "") -> LessonWalk:
    """Walk from the lobby through all lessons."""
    walk = LessonWalk(page, wrong=wrong, name=name)
    walk.tap(page.get_by_test_id("to-learn"))
    expect(page.get_by_test_id("lesson-1")).to_be_visible()
    if PICTURES and name:
        page.screenshot(path=f"{PICTURES}/{name}-list.png")
    start = time.monotonic()
    walk.tap(page.get_by_test_id("lesson-1"))
    expect(page.get_by_test_id("tray")).to_be_visible()
    first_card = time.monotonic() - start
    assert first_card < MAX_FIRST_CARD_SECONDS
    newcomer = 0
    for lesson in range(1, LESSONS + 1):
        expect(page).to_have_url(re.compile(f"/learn/{lesson}$"))
        expect(page.get_by_test_id("lesson")).to_have_attribute("data-step", "0")
        walk.walk(lesson)
        if lesson == FIRST:
            newcomer = walk.taps
        walk.tap(page.get_by_test_id("lesson-done"))
    expect(page.get_by_test_id("all-lessons-done")).to_be_visible()
    walk.report = (
        f"first card after {first_card:.1f} s; {newcomer} taps to the end of lesson {FIRST}; "
        f"all lessons: {walk.taps} taps, {time.monotonic() - start:.0f} s"
    )
    return walk


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [False, True], ids=["hints", "wrong"])
def test_every_answer_has_a_reason_and_each_lesson_has_an_end(
    phone: BrowserContext, record_property: Callable[[str, object], None], *, wrong: bool
) -> None:
    """Its taps, and the times of a script, are in the report: `--junitxml`."""
    page = phone.new_page()
    page.goto("/")
    walk = walk_all(page, wrong=wrong, name="wrong" if wrong else "hints")
    record_property("walk", walk.report)
    assert walk.faults == []
    assert (walk.refused > LESSONS) == wrong


@pytest.mark.slow
def test_a_lesson_goes_on_where_it_was_left(phone: BrowserContext) -> None:
    page = phone.new_page()
    page.goto("/learn/2")
    page.get_by_test_id("pick-1").click()
    page.get_by_test_id("lesson-next").click()
    expect(page.get_by_test_id("tray")).to_be_visible()
    page.reload()
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-step", "1")


@pytest.mark.slow
def test_rows_of_a_lesson_are_named_with_their_category(phone: BrowserContext) -> None:
    """Issue 28.4: `222 99` stood for a full house wherever no server names the rows.

    What a row is called: client/src/cards/handNames.test.ts.
    """
    page = phone.new_page()
    page.goto("/learn/1")
    page.get_by_test_id("lesson-show").click()
    page.get_by_test_id("ready").click()
    expect(page.get_by_test_id("lesson-told")).to_have_class(re.compile("good"))
    for row, name in {"front": "Pair of fives", "middle": "Three nines", "back": "Three queens"}.items():
        expect(page.get_by_test_id(f"row-{row}-name")).to_contain_text(name)
    expect(page.get_by_test_id("next-deal")).to_have_count(0)
