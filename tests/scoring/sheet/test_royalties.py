"""The words for royalties that are seldom paid: broken up, in a tied row, beside a natural. Rules §4."""

from __future__ import annotations

import pytest

from tests.scoring.sheet.test_pair_reasons import by, paired

CLOSED = "closed_1_6"
# Four fours are dealt and lie in three rows.
FOURS = "4c9s7d/4h4dTcJd2h/AhAs4sQcKd"
# Four aces lie in the back, four fours in the two other rows.
TWO_QUADS = "4c9s7d/4h4d4sTcJd/AhAdAcAsKd"
# Four aces lie in the back, nine to five of clubs in the two other rows.
ACES_AND_FLUSH = "6c5c2d/9c8c7c4d3d/AhAdAcAsKd"
PLAIN = "8h5d3h/7s7hJs9h2c/TdTh6s5s3c"
FLUSHES = ("QcJh5s/KdKs9c8h4c/AhKh7h6h3h", "JdTs6s/KcQs9s8d4s/AdTd7d6d3d")
EQUAL_FLUSHES = ("QcJc5s/KsKc9c8h4c/AhTh7h6h3h", "JdTs6s/KdQs9s8d4s/AdTd7d6d3d")


@pytest.mark.parametrize(
    ("board", "change", "points", "why"),
    [
        (FOURS, {}, 4, "A 4 for four fours, broken up"),
        (FOURS, {"broken_up": "lost"}, 0, ""),
        (TWO_QUADS, {}, 8, "A 4 for four aces in the back, A 4 for four fours, broken up"),
        (TWO_QUADS, {"broken_up": "lost"}, 4, "A 4 for four aces in the back"),
        # Where one royalty counts it is that of the row, unless what was broken up is dearer.
        (TWO_QUADS, {"one_per_board": True}, 4, "A 4 for four aces in the back"),
        (ACES_AND_FLUSH, {"one_per_board": True}, 5, "A 5 for straight flush, nine high, broken up"),
        (
            ACES_AND_FLUSH,
            {},
            9,
            "A 4 for four aces in the back, A 5 for straight flush, nine high, broken up",
        ),
        # Nothing was declared, so nothing is paid.
        (TWO_QUADS, {"declare": "must"}, 0, ""),
    ],
)
def test_broken_up_royalties_are_named(board: str, change: dict[str, object], points: int, why: str) -> None:
    """Rules §4 (`royalties.broken_up = paid`): quads and straight flushes earn their back royalty in pieces too."""
    chosen = {"broken_up": "paid", "rule": "difference"} | change
    rules = by(CLOSED, **{f"royalties__{key}": value for key, value in chosen.items()})
    royalties = paired(rules, (board, PLAIN)).royalties
    assert (royalties.points, royalties.why) == (points, why)
    turned = paired(rules, (PLAIN, board)).royalties
    assert (turned.points, turned.why) == (-points, why.replace("A ", "B "))


def test_nobody_is_paid_for_a_row_that_nobody_won() -> None:
    """Rules §4 (`row_winner`): only the winner of the row is paid its royalty."""
    rules = by("pineapple", royalties__rule="row_winner")
    assert paired(rules, FLUSHES).royalties.why == (
        "Only the winner of a row is paid: A 4 for flush, ace high in the back"
    )
    assert (paired(rules, EQUAL_FLUSHES).royalties.points, paired(rules, EQUAL_FLUSHES).royalties.why) == (0, "")


@pytest.mark.parametrize("turned", [False, True])
def test_rows_beside_a_natural_are_paid_nothing(turned: bool) -> None:  # noqa: FBT001 - a table
    """Rules §4: a natural plays no rows, so no royalty of the other board changes hands."""
    hands = ("AhAdJhJd9h9d5c5d8c8s7c7s2s", "QcQh5h/KdKcKh4c3h/AsJs9s6s3s")
    rules = by(CLOSED, royalties__table="american", royalties__rule="difference")
    pair = paired(rules, hands[::-1] if turned else hands)
    assert (pair.royalties.points, pair.royalties.why) == (0, "")
    assert pair.points == (-3 if turned else 3)
