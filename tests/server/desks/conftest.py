"""What a test of a desk may ask for: the server's application in this process, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from argon2 import PasswordHasher
from litestar.testing import TestClient

from triptych.server.bootstrap import bootstrap
from triptych.store.memory import MemoryStore

Posted = Callable[[str, object], dict[str, Any]]


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient[Any]]:
    with TestClient(bootstrap(MemoryStore()).app) as running:
        yield running


@pytest.fixture(scope="module")
def posted(client: TestClient[Any]) -> Posted:
    """Return what answers a body that is taken."""

    def post(path: str, body: object) -> dict[str, Any]:
        response = client.post(path, json=body)
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        return answer

    return post


@pytest.fixture(autouse=True)
def _quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a password's hash costs is no matter here, and a busy machine takes seconds for each of them."""
    hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr("triptych.server.web.passwords._hasher", lambda: hasher)
