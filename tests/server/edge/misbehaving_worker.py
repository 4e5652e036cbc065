"""A worker process with jobs that misbehave."""

import os
import sys
import time
from typing import NoReturn

from triptych.server.jobs import worker


def forever(_: bytes) -> NoReturn:
    while True:
        time.sleep(1)


def busy(_: bytes) -> NoReturn:
    while True:
        pass


def greedy(body: bytes) -> int:
    return len(bytearray(int(body)))


def broken(_: bytes) -> NoReturn:
    message = "the deck begins with Ah"
    raise ZeroDivisionError(message)


def gone(_: bytes) -> NoReturn:
    os._exit(1)


JOBS: worker.Jobs = {
    "echo": bytes,
    "process": lambda _: os.getpid(),
    "forever": forever,
    "busy": busy,
    "greedy": greedy,
    "broken": broken,
    "gone": gone,
}
worker.apply_limits(worker.KINDS["requests"].megabytes, 0)
worker.serve(sys.stdin.buffer, sys.stdout.buffer, JOBS, cpu_seconds=1)
