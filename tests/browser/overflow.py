"""What stands out of a page or out of its own button.

A page that is too wide makes a phone's `innerWidth` wider too: what is there to see is `screen.width`.
"""

from playwright.sync_api import Page

_SPILLED = """() => {
  const found = [];
  const wide = document.documentElement.scrollWidth - screen.width;
  if (wide > 0) found.push(`page: ${wide} px too wide`);
  const shortened = (one) => getComputedStyle(one).textOverflow === 'ellipsis';
  const scrolls = (one) => {
    for (let at = one.parentElement; at; at = at.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(at);
      if (/auto|scroll/.test(overflowX) && at !== document.body) return true;
      if (textOverflow === 'ellipsis') return true;
    }
    return false;
  };
  const all = 'button, a, label, summary, h1, h2, h3, legend, th, td, p, select, small, b, li, dt, dd, span, section';
  for (const one of document.querySelectorAll(all)) {
    if (!one.checkVisibility() || one.closest('.unseen, [aria-hidden=true], option')) continue;
    const box = one.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1) continue;
    const words = one.textContent.trim().slice(0, 50);
    const outside = box.right > screen.width + 1 || box.left < -1;
    if (outside && !scrolls(one)) found.push(`${one.tagName} out of the page: ${words}`);
    if (!/^(BUTTON|A|SUMMARY)$/.test(one.tagName) || words === '') continue;
    // A name that ends in dots says itself that it is longer.
    if ([one, ...one.querySelectorAll('*')].some(shortened)) continue;
    const text = document.createRange();
    text.selectNodeContents(one);
    for (const line of text.getClientRects()) {
      const sideways = line.right > box.right + 2 || line.left < box.left - 2;
      const over = line.bottom > box.bottom + 3 || line.top < box.top - 3;
      if (line.width > 1 && (sideways || over) && !one.querySelector('.unseen, svg, i')) {
        found.push(`${one.tagName} is too small for: ${words}`);
        break;
      }
    }
  }
  return [...new Set(found)];
}"""


def spilled(page: Page) -> list[str]:
    """Return what does not fit, as `what: words`; what scrolls by itself may be wide."""
    texts: list[str] = page.evaluate(_SPILLED)
    return texts
