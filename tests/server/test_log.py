"""A failing store fills no disk with its log (issue 10, part 3, point 6)."""

from __future__ import annotations

import json
import subprocess
import sys

import structlog

from triptych.server.log import RateLimitedLogger


def test_a_crowd_of_errors_is_one_line_a_second_with_the_number_left_out() -> None:
    now = [10.0]
    trouble = RateLimitedLogger(clock=lambda: now[0])
    with structlog.testing.capture_logs() as lines:
        for tenth in range(35):
            now[0] = 10.0 + tenth / 10
            trouble.error("command failed", cause="the disk is full")
    assert [line.get("left_out") for line in lines] == [None, 9, 9, 9]
    assert {(line["event"], line["cause"]) for line in lines} == {("command failed", "the disk is full")}


def test_a_log_collector_gets_one_json_object_a_line() -> None:
    """Standard error is a pipe, as under systemd and in a container."""
    program = (
        "import structlog\n"
        "from triptych.server.log import configure\n"
        "configure()\n"
        "structlog.get_logger().error('a table has stopped', table='t1')\n"
    )
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stderr
    (line,) = output.splitlines()
    entry = json.loads(line)
    assert (entry["event"], entry["table"], entry["level"]) == ("a table has stopped", "t1", "error")
    assert entry["timestamp"]
