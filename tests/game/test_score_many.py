"""`triptych.score_many` scores as `triptych.score` does, deal by deal, from any form of boards (issue 33, part 3)."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import triptych
from tests.case_notes import case
from triptych.cards import Card, cards_text, deck

ANN, BOB = "QhQd7c/KsKc9d8c2c/AcAdTcJc2d", "9h6c5d/9s9c8d7h2h/KdKhTdJs3d"
NAMES = ("Ann", "Bob", "Cem", "Dee")


def board_text(cards: list[int]) -> str:
    return "/".join(cards_text(map(Card, row)) for row in (cards[:3], cards[3:8], cards[8:]))


def dealt(rules: triptych.Ruleset, players: int, deals: int, rng: Random) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return boards (deals, players, 13): half of them sorted, so that many are legal."""
    boards = np.zeros((deals, players, 13), np.uint8)
    for deal in range(deals):
        cards = rng.sample(deck(rules.deal.jokers), 13 * players)
        for player in range(players):
            own = cards[13 * player : 13 * player + 13]
            boards[deal, player] = sorted(own) if deal % 2 else own
    return boards


@pytest.mark.parametrize("preset", [name for name in triptych.presets() if name != "criss_cross"])
def test_many_deals_score_as_each_alone(preset: str) -> None:
    rules = triptych.rules(preset)
    rng = Random(preset)
    for players in (2, rules.seats.max):
        boards = dealt(rules, players, 12, rng)
        names = NAMES[:players]
        columns = {name: [board_text(cards) for cards in boards[:, at].tolist()] for at, name in enumerate(names)}
        scores = triptych.score_many(columns, rules)
        assert (len(scores), scores.players) == (12, names)
        for deal in range(12):
            with case(preset, players, deal):
                single = triptych.score({name: column[deal] for name, column in columns.items()}, rules)
                assert dict(zip(names, scores.totals[deal].tolist(), strict=True)) == single.totals
                assert dict(zip(scores.pair_names, scores.pairs[deal].tolist(), strict=True)) == single.pairs
                assert dict(zip(names, scores.fantasyland[deal].tolist(), strict=True)) == single.fantasyland
                for name, royalties in single.royalties.items():
                    assert scores.royalties[deal, names.index(name)].tolist() == [*royalties.values()]
                for name, legal in single.legal.items():
                    assert scores.legal[deal, names.index(name)] == legal


def test_boards_come_in_any_form() -> None:
    rng = Random(3)
    rules = triptych.rules("pineapple_joker")
    boards = dealt(rules, 2, 9, rng)
    texts = [[board_text(cards) for cards in boards[:, at].tolist()] for at in range(2)]
    wanted = triptych.score_many({"p1": texts[0], "p2": texts[1]}, rules).totals.tolist()
    forms: tuple[Any, ...] = (
        boards,
        boards.astype(np.int64),
        {"p1": boards[:, 0], "p2": boards[:, 1]},
        {"p1": np.array(texts[0]), "p2": tuple(texts[1])},
        {"p1": [text.replace("T", "10").lower() for text in texts[0]], "p2": map(triptych.Board.from_text, texts[1])},
        {"p1": np.array(texts[0], dtype=object), "p2": [text.replace("/", " / ") for text in texts[1]]},
    )
    for at, form in enumerate(forms):
        with case(at):
            assert triptych.score_many(form, rules).totals.tolist() == wanted


def test_a_fantasyland_is_repeated_and_not_entered() -> None:
    """Rules §5: in fantasyland the entry's queens bring no other one; trips in front do."""
    columns = {"Ann": [ANN, "QhQdQc/KsKcKh8c2c/AcAdAsJcJd"], "Bob": [BOB, "9h6c5d/9s8d7h2h3c/3d8sTdJs4s"]}
    assert triptych.score_many(columns).fantasyland.tolist() == [[14, 0], [14, 0]]
    for fantasylands in (14, [14, 14], np.array([14, 17])):
        assert triptych.score_many(columns, fantasyland={"Ann": fantasylands}).fantasyland.tolist() == [
            [0, 0],
            [14, 0],
        ]


def test_a_data_frame_is_made_of_its_columns() -> None:
    columns = triptych.score_many({"Ann": [ANN, BOB], "Bob": [BOB, ANN]}).columns()
    assert columns["Ann"].tolist() == [13, -13]
    assert columns["Bob royalties"].tolist() == [0, 7]
    assert columns["Bob fantasyland"].tolist() == [0, 14]
    assert columns["Ann legal"].tolist() == [True, True]


@pytest.mark.parametrize(
    ("boards", "code", "path"),
    [
        ({"Ann": [ANN], "Bob": [ANN]}, "card.duplicate", "$.boards.Bob[0]"),
        ({"Ann": [ANN, ANN], "Bob": [BOB, BOB.replace("3d", "X1")]}, "card.joker", "$.boards.Bob[1]"),
        ({"Ann": [ANN], "Bob": [BOB.replace("3d", "3z")]}, "card.unknown", "$.boards.Bob[0].back[4]"),
        ({"Ann": [ANN], "Bob": [BOB.replace("3d", "A1")]}, "card.unknown", "$.boards.Bob[0].back[4]"),
        ({"Ann": [ANN], "Bob": [BOB.replace("3d", "Xs")]}, "card.unknown", "$.boards.Bob[0].back[4]"),
        ({"Ann": [ANN], "Bob": ["9h6c/9s9c8d7h2h/KdKhTdJs3d"]}, "row.size", "$.boards.Bob[0].front"),
        ({"Ann": [ANN], "Bob": [BOB.replace("/", "")]}, "board.rows", "$.boards.Bob[0]"),
        ({"Ann": [ANN], "Bob": [7]}, "value.type", "$.boards.Bob[0]"),
        ({"Ann": [ANN], "Bob": [BOB, BOB]}, "value.range", "$.boards"),
        ({"Ann": [ANN]}, "value.range", "$.boards"),
        ({"Ann": ANN, "Bob": BOB}, "value.type", "$.boards.Ann"),
        ({3: [ANN], "Bob": [BOB]}, "value.type", "$.boards"),
        (np.zeros((2, 13), np.uint8), "value.type", "$.boards"),
        ([[1, 2], [3]], "value.type", "$.boards"),
        (np.full((1, 2, 13), 300), "value.range", "$.boards.p1"),
        (np.full((1, 2, 12), 3), "value.range", "$.boards.p1"),
        (np.array([[[*range(13)], [*range(12, 25)]]]), "card.duplicate", "$.boards.p2[0]"),
        (np.array([[[*range(13)], [*range(13, 25), 77]]]), "card.joker", "$.boards.p2[0]"),
    ],
)
def test_an_error_has_its_code_and_path(boards: Any, code: str, path: str) -> None:
    with pytest.raises(triptych.TriptychError) as error:
        triptych.score_many(boards)
    assert (error.value.code, error.value.path) == (code, path)


def test_boards_that_cannot_be_scored_in_columns_are_refused() -> None:
    columns = {"Ann": [ANN], "Bob": [BOB]}
    with pytest.raises(triptych.TriptychError, match="two boards of one player"):
        triptych.score_many(columns, "criss_cross")
    wrong: tuple[dict[str, Any], ...] = ({"Cem": 14}, {"Ann": 12}, {"Ann": 18}, {"Ann": [14, 14]}, {"Ann": 14.0})
    for fantasylands in wrong:
        with case(fantasylands), pytest.raises(triptych.TriptychError, match=r"boards|fantasylands"):
            triptych.score_many(columns, fantasyland=fantasylands)
