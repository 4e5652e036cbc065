"""The client's own tests, which stand beside its code (`npm test` in client/)."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scripts.node import npm_command, npm_environment, npm_install
from tests.client_logic import sessions, tables

if TYPE_CHECKING:
    from collections.abc import Iterator

CLIENT = Path(__file__).parents[2] / "client"


def failures(report: dict[str, Any]) -> Iterator[str]:
    """Say of each test that failed where it stands and why; of a file that could not be loaded, why."""
    for file in report["testResults"]:
        name = Path(file["name"]).relative_to(CLIENT)
        if file["status"] == "failed" and file["message"]:
            yield f"{name}: {file['message']}"
        for result in file["assertionResults"]:
            if result["status"] != "passed":
                yield "\n".join([f"{name}: {result['fullName']}: {result['status']}", *result["failureMessages"]])


@pytest.mark.skipif("TRIPTYCH_SKIP_WEB" in os.environ, reason="the client was left out")
def test_the_clients_own_tests_pass(tmp_path: Path) -> None:
    npm_install(CLIENT)
    file, database = tmp_path / "vitest.json", tmp_path / "room.json"
    # What the server makes of the same: without it these tests are left out, as in `npm test`.
    database.write_text(json.dumps({"session": sessions.scored(), "table": tables.view_changes()}), "utf-8")
    ran = subprocess.run(
        [*npm_command(), "test", "--silent", "--", "--reporter=json", f"--outputFile={file}"],
        cwd=CLIENT,
        env={**npm_environment(), "TRIPTYCH_ROOM": str(database)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert file.is_file(), ran.stdout + ran.stderr
    report = json.loads(file.read_text("utf-8"))
    failed = [*failures(report)]
    assert failed == [], "\n\n".join(failed)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    # Every file is found, and none of them is empty.
    files = {Path(result["name"]) for result in report["testResults"]}
    assert files == {*CLIENT.glob("src/**/*.test.ts")}
    assert all(result["assertionResults"] for result in report["testResults"])
