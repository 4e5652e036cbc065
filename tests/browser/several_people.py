"""Several people at once, all on phones or all on desktops, and pictures of what they see."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from playwright.sync_api import ViewportSize

from tests.browser.conftest import PATIENCE, PHONE
from tests.browser.people import Person
from tests.browser.test_money import SCREEN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playwright.sync_api import Browser

SIZES = {"phone": PHONE, "desktop": SCREEN}
SMALL = ViewportSize(width=360, height=640)


@contextmanager
def together(browser: Browser, url: str, names: Sequence[str], size: ViewportSize) -> Iterator[list[Person]]:
    """Give each name a browser of its own."""
    touch = size == PHONE
    with ExitStack() as stack:
        people = []
        for name in names:
            context = browser.new_context(
                base_url=url, viewport=size, has_touch=touch, is_mobile=touch, reduced_motion="reduce"
            )
            context.set_default_timeout(PATIENCE)
            people.append(Person(stack.enter_context(context).new_page(), name, touch=touch))
        yield people


def look(person: Person, name: str) -> None:
    """Leave pictures at the person's size, and at the smallest for who has a phone: nothing scrolls sideways."""
    person.look(f"{name}-{(PHONE if person.touch else SCREEN)['width']}")
    if person.touch:
        person.page.set_viewport_size(SMALL)
        person.look(f"{name}-{SMALL['width']}")
        assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
        person.page.set_viewport_size(PHONE)
