"""The puzzles that come with the server, as the page gets them. Issue 14, part 5."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triptych.solve.puzzles.model import read_puzzles

if TYPE_CHECKING:
    from litestar.testing import TestClient

FEW = 100  # one of so many is read; all of them are in tests/solve


def test_every_collection_is_listed_and_its_file_sent_once(client: TestClient[Any]) -> None:
    listed = client.get("/api/puzzles").json()
    assert "Pineapple" in [collection["title"] for collection in listed]
    for at, collection in enumerate(listed):
        answer = client.get(collection["file"])
        assert answer.headers["content-encoding"] == "gzip"
        assert "immutable" in answer.headers["cache-control"]
        lines = answer.text.splitlines()
        assert len(lines) == collection["count"]
        assert len(list(read_puzzles(lines[::FEW], collection["rules"]))) == len(lines[::FEW])
        if at:
            continue
        again = client.get(collection["file"], headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        plain = client.get(collection["file"], headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.content == answer.content


def test_a_name_of_no_file_is_not_found(client: TestClient[Any]) -> None:
    answer = client.get("/puzzles/0123456789abcdef")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "request.unknown")
