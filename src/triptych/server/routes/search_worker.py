"""The process that searches positions for clients over HTTP: as job_worker.py, with more time and memory.

A search reads its rules' learned table, which takes some hundred megabytes, and thinks for seconds.
"""

from __future__ import annotations

import sys
from typing import Final

from triptych.server.routes.job_worker import apply_limits, serve
from triptych.server.routes.review import SEARCH_JOBS

CPU_SECONDS: Final = 30
MAX_MEGABYTES: Final = 1024

if __name__ == "__main__":
    apply_limits(MAX_MEGABYTES)
    serve(sys.stdin.buffer, sys.stdout.buffer, SEARCH_JOBS, CPU_SECONDS)
