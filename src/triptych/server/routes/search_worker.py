"""The process in which positions are searched for whoever asks over HTTP: as work.py, with more time and memory.

A search reads its rules' learned table, which takes some hundred megabytes, and thinks for seconds.
"""

from __future__ import annotations

import sys
from typing import Final

from triptych.server.routes.job_worker import limit, serve
from triptych.server.routes.review import THOUGHT

CPU_SECONDS: Final = 30
MOST_MEGABYTES: Final = 1024

if __name__ == "__main__":
    limit(MOST_MEGABYTES)
    serve(sys.stdin.buffer, sys.stdout.buffer, THOUGHT, CPU_SECONDS)
