"""A failing store fills no disk with its log (issue 10, part 3, point 6)."""

from __future__ import annotations

import structlog

from triptych.server.log import Seldom


def test_a_crowd_of_errors_is_one_line_a_second_with_the_number_left_out() -> None:
    now = [10.0]
    trouble = Seldom(clock=lambda: now[0])
    with structlog.testing.capture_logs() as lines:
        for tenth in range(35):
            now[0] = 10.0 + tenth / 10
            trouble.error("command failed", cause="the disk is full")
    assert [line.get("left_out") for line in lines] == [None, 9, 9, 9]
    assert {(line["event"], line["cause"]) for line in lines} == {("command failed", "the disk is full")}
