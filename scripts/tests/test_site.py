"""The documentation as a site (issue 15, part 4): what a page fetches from another host is found."""

from pathlib import Path

import pytest

from scripts.site import foreign


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", '<script async src="https://example.org/a.js"></script>'),
        ("b.html", '<link rel="stylesheet" href="//example.org/b.css">'),
        ("c.html", "<img alt='' src=http://example.org/c.png>"),
        ("d.html", "<style>body { background: url(https://example.org/d.png) }</style>"),
        ("e.css", '@import "https://example.org/e.css";'),
        ("f.css", "@font-face { src: url('https://example.org/f.woff2') }"),
        ("g.js", 'fetch("https://example.org/g.json")'),
    ],
)
def test_files_fetched_from_other_sites_are_found(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    (problem,) = foreign(tmp_path)
    assert problem.startswith(f"{name}: fetches ")
    assert "example.org" in problem


def test_links_and_own_files_are_no_fetching(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="https://example.org/">there</a><script src="_static/a.js"></script>'
        '<link rel="icon" href="../icon.svg"><svg xmlns="http://www.w3.org/2000/svg"></svg>'
    )
    (tmp_path / "b.css").write_text("a { background: url(data:image/png;base64,AA==) }")
    assert list(foreign(tmp_path)) == []
