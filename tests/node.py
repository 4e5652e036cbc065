"""The client's own code under Node: a script that answers lines of JSON, one for each that it is asked."""

from __future__ import annotations

import json
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from scripts.node import NODE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@contextmanager
def answers(script: Path) -> Iterator[Callable[[object], Any]]:
    """Start a script; give what asks it a question and waits for its answer."""
    with subprocess.Popen(
        [str(NODE), "--no-warnings", str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as node:
        asking, answering = node.stdin, node.stdout
        assert asking is not None
        assert answering is not None

        def ask(question: object) -> Any:
            print(json.dumps(question), file=asking, flush=True)
            return json.loads(answering.readline())

        yield ask
        asking.close()
