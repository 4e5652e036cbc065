"""What a test of a desk may ask for: the server's application in this process, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from litestar.testing import TestClient

from tests.memory_store.store import MemoryStore
from tests.server.in_process import InProcessEngine, InProcessWorkers, bootstrapped
from triptych.server.bootstrap import ServerSettings
from triptych.server.jobs.worker import search_jobs

Posted = Callable[[str, object], dict[str, Any]]


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient[Any]]:
    # In this process: a worker's own one takes a second to start, and tests/server/edge/test_workers.py has those.
    more = {
        "bot_engine": InProcessEngine(),
        "workers": InProcessWorkers(),
        "search_workers": InProcessWorkers(search_jobs()),
    }
    with bootstrapped(MemoryStore(), ServerSettings(), **more) as server, TestClient(server.app) as running:
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
