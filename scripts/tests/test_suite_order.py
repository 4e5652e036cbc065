"""The order in which the suite is run (tests/suite_order.py): every test once, each worker's folders first."""

from __future__ import annotations

from itertools import accumulate
from random import Random

from tests.case_notes import case
from tests.suite_order import FIRST, WORKERS, order, shares

FOLDERS = (*(folder for folders in FIRST for folder in folders), "rulesets", "scoring", "table")


def names(count: int, seed: int) -> list[str]:
    random = Random(seed)
    return [f"tests/{random.choice(FOLDERS)}/test_it.py::test_{number}" for number in range(count)]


def test_every_test_is_run_once() -> None:
    for seed in range(50):
        with case(seed):
            count = Random(seed).randrange(40)
            assert sorted(order(names(count, seed))) == list(range(count))


def test_each_share_begins_with_its_own_folders() -> None:
    tests = names(300, 1)
    places = order(tests)
    sizes = shares(len(tests))
    assert (sum(sizes), len(sizes)) == (300, WORKERS)
    for start, folders in zip((0, *accumulate(sizes)), FIRST, strict=False):
        assert tests[places[start]].split("/")[1] in folders


def test_where_there_is_one_folder_alone_every_worker_has_its_tests() -> None:
    tests = [f"tests/browser/test_it.py::test_{number}" for number in range(10)]
    assert sorted(order(tests)) == list(range(10))
