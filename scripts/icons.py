"""Draw the icons of client/public from icon.svg: `uv run python -m scripts.icons`."""

import struct
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser import browsers

PUBLIC = Path(__file__).parents[1] / "client" / "public"
MASKABLE_SHARE = 0.72  # of the picture: what every mask leaves (W3C app manifest: 80 % of the diameter)


def _drawn(browser: Browser, size: int, share: float = 1.0) -> bytes:
    """Return the icon as PNG, on its own ground where it does not fill the picture."""
    side = round(size * share)
    svg = (PUBLIC / "icon.svg").read_text()
    ground = "background:#16302d;" if share < 1 else ""
    page = browser.new_page(viewport={"width": size, "height": size})
    page.set_content(
        f"<body style='margin:0;{ground}display:grid;place-items:center;height:100vh'>"
        f"<div style='width:{side}px;height:{side}px'>{svg}</div></body>"
    )
    picture = page.screenshot(omit_background=True)
    page.close()
    return picture


def _ico(png: bytes, size: int) -> bytes:
    """Return an .ico file that holds one PNG."""
    head = struct.pack("<HHH", 0, 1, 1)
    return head + struct.pack("<BBBBHHII", size, size, 0, 0, 1, 32, len(png), 22) + png


def main() -> int:
    """Write every icon."""
    launch = browsers.find()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=launch.executable, args=[*launch.arguments])
        (PUBLIC / "favicon.ico").write_bytes(_ico(_drawn(browser, 32), 32))
        (PUBLIC / "icon-192.png").write_bytes(_drawn(browser, 192))
        (PUBLIC / "icon-512.png").write_bytes(_drawn(browser, 512))
        (PUBLIC / "icon-maskable.png").write_bytes(_drawn(browser, 512, MASKABLE_SHARE))
        (PUBLIC / "apple-touch-icon.png").write_bytes(_drawn(browser, 180, MASKABLE_SHARE))
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
