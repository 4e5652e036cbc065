"""Draw the background of link previews, client/public/preview.png: `uv run python -m scripts.preview`.

The cards are the client's own: the lobby's fan. The felt is plain, since gradients squeeze badly, and has room at the
left for a table's words.
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser import browsers
from tests.browser.servers import serve

FILE = Path(__file__).parents[1] / "client" / "public" / "preview.png"
STYLE = """
  .lobby > header, main > :not(.hero), .hero > :not(.fan), .news { display: none !important; }
  body, .lobby { background: #16302d !important; }
  .hero .fan {
    position: fixed !important; left: 700px; top: 210px; width: 280px !important; height: 128px !important;
    transform: scale(1.95); transform-origin: 30% 0;
  }
  body::before {
    content: "Triptych"; position: fixed; left: 72px; top: 72px; z-index: 9;
    font: 700 44px var(--serif); color: #e6b84f;
  }
"""


def main() -> int:
    """Write the picture."""
    launch = browsers.find()
    with tempfile.TemporaryDirectory() as folder, serve(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=launch.executable, args=[*launch.arguments])
        context = browser.new_context(
            base_url=server.url, viewport={"width": 1200, "height": 630}, bypass_csp=True, color_scheme="dark"
        )
        page = context.new_page()
        page.goto("/")
        page.locator(".fan svg").last.wait_for()
        page.add_style_tag(content=STYLE)
        page.wait_for_timeout(300)
        taken = page.screenshot()
        browser.close()
    Image.open(io.BytesIO(taken)).convert("RGB").save(FILE, optimize=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
