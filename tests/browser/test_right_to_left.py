"""Names that are written from right to left turn no numbers and words beside them round (issue 28.15)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from playwright.sync_api import expect

from tests.browser.scenes import PLAYER, show
from tests.table.session import Session
from triptych.i18n.messages import plain_text
from triptych.table.view_types import TableView

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

NAME = "דניאל"
# Every text on the page that holds such a name, and whether other words or numbers in its line could be turned round:
# those in the same text outside an isolate, and those in the inline elements around it that are no isolates.
TURNED = """() => {
  const rtl = /[\\u0590-\\u08ff]/, strong = /[\\p{L}\\p{N}]/u;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const faults = [];
  let names = 0;
  for (let text = walk.nextNode(); text; text = walk.nextNode()) {
    if (!rtl.test(text.data)) continue;
    names += 1;
    const bare = text.data.replace(/\\u2068[^\\u2069]*\\u2069/g, '');
    if (!rtl.test(bare)) continue;
    if (strong.test(bare.replace(/[\\u0590-\\u08ff]/g, ''))) faults.push(text.data);
    for (let at = text.parentElement; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.display !== 'inline' || /isolate|plaintext/.test(style.unicodeBidi)) break;
      if (strong.test(at.parentElement.innerText.replace(text.data, ''))) faults.push(at.parentElement.innerText);
    }
    const parent = text.parentElement;
    const around = [...parent.childNodes].filter((node) => node !== text && node.nodeType === Node.TEXT_NODE);
    if (around.some((node) => strong.test(node.data))) faults.push(parent.innerText);
  }
  return { names, faults };
}"""


def renamed(view: TableView) -> TableView:
    """Return a view in which Bob has a Hebrew name, wherever he is named."""
    text = msgspec.json.encode(view, enc_hook=plain_text).decode().replace("Bob", NAME)
    return msgspec.json.decode(text, type=TableView)


def look(page: Page) -> None:
    turned = page.evaluate(TURNED)
    assert turned["names"] > 0
    assert turned["faults"] == []


def test_a_table_its_talk_its_result_its_sheet_and_the_scorer(desktop: BrowserContext) -> None:
    page = desktop.new_page()
    session = Session("pineapple", people=3, seed=3)
    session.begin()
    while session.see(PLAYER).sheet is None:
        session.act()
    view = session.see(PLAYER)
    assert view.sheet is not None
    show(page, renamed(view))
    expect(page.get_by_test_id("result")).to_contain_text(NAME)
    look(page)
    # Who pays whom at the scorer.
    page.goto("/score")
    page.get_by_test_id("player-1").fill(NAME)
    page.get_by_test_id("player-1").press("Enter")
    look(page)
