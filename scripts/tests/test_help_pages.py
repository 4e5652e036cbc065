"""The client's help pages are made from the documentation (issue 34); that they are current is the check `wire`."""

from __future__ import annotations

from scripts.help_pages import blocks, target

PAGE = """# A game

<!-- not shown -->
Read [the rules](../rules/law.md#4-scoring), [this](#what-beats-what), [more](more.md) and
[elsewhere](https://example.org/).

## What beats what?

```{boards}
QhQd7c/KsKc | a pair
```

Last words.
"""


def test_a_page_becomes_blocks() -> None:
    first, board, last = blocks(PAGE, "tutorials/learn-the-game.md")
    assert first["html"] == (
        '<p>Read <a href="/help/rules#4-scoring">the rules</a>, <a href="/help/game#what-beats-what">this</a>, '
        "more and\n"
        '<a href="https://example.org/">elsewhere</a>.</p>\n<h2 id="what-beats-what">What beats what?</h2>\n'
    )
    assert board == {"boards": [{"rows": ["QhQd7c", "KsKc"], "says": "a pair"}]}
    assert last == {"html": "<p>Last words.</p>\n"}


def test_a_link_within_the_product_stays_there() -> None:
    assert target("/learn", "faq.md") == "/learn"
    assert target("how-to/analyse.md", "faq.md") == "/analyse"
    assert target("how-to/train.md", "faq.md") is None


def test_an_aside_with_a_broken_link_is_left_out() -> None:
    (block,) = blocks(
        "Proved ([fairness](explanation/fairness.md)), on\npaper ([score](how-to/score-real-cards.md)).", "faq.md"
    )
    assert block == {"html": '<p>Proved, on\npaper (<a href="/score">score</a>).</p>\n'}
