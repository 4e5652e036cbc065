"""The HTTP interface keeps to its own document, whatever it is asked (issue 15, part 5; schemathesis).

Every operation is asked with what its schema allows and with what it does not, as a guest with a table and finished
deals, with a token and as nobody. Each answer has a status, a type and a body that openapi.json tells, and none is a
5xx.
"""

from __future__ import annotations

import asyncio
import traceback

import pytest

pytestmark = pytest.mark.anyio


# The server, which runs in this process, uses `random` while a strategy draws.
@pytest.mark.filterwarnings("ignore:Do not use the `random` module:hypothesis.errors.HypothesisDeprecationWarning")
@pytest.mark.parametrize("examples", [1, pytest.param(100, marks=pytest.mark.slow)])
async def test_every_operation_keeps_to_its_contract(examples: int) -> None:
    from tests.server.openapi_contract import OPERATIONS, opened, verify_contract  # noqa: PLC0415 - its imports take a second

    broken: dict[str, str] = {}
    async with opened() as server:
        for label in OPERATIONS:
            try:
                await asyncio.to_thread(verify_contract, server, label, examples)
            except Exception as error:  # noqa: BLE001 - the others are asked too
                broken[label] = "".join(traceback.format_exception(error, limit=-2))
    assert not broken, "\n\n".join(f"{label}: {why}" for label, why in broken.items())
