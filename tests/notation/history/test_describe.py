"""What `triptych history show` says of each step (issue 15, part 4): every verb, what was not seen included."""

import pytest

from triptych.notation.history.action_codec import parse_step
from triptych.notation.history.describe import describe_step


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("d dc p1 Kd7s2c @0", "Ann gets Kd 7s 2c"),
        ("d dc p1 ?????? @0", "Ann gets 3 cards unseen"),
        ("d dc p1 Kd?? @0", "Ann gets Kd and a card unseen"),
        ("p1 ar Kd/f @0", "Ann arranges Kd in front"),
        ("p1 ar @0", "Ann arranges nothing"),
        (
            "p1 pl Kd/f 7s/m 7c/m 2c/b x2d @0",
            "Ann puts Kd in front, 7s 7c in the middle and 2c in the back, throws away 2d",
        ),
        ("p1 pl Kd/f 7s/b x?? @0", "Ann puts Kd in front and 7s in the back, throws away a card unseen"),
        ("p1 pl ??/? ??/? x?? @0", "Ann puts 2 cards unseen, throws away a card unseen"),
        ("p1 nt six_pairs @0", "Ann takes a natural: six pairs"),
        ("p1 an play @0", "Ann plays"),
        ("p1 an surrender @0", "Ann surrenders"),
        ("p1 de front back @0", "Ann declares front and back"),
        ("p1 de @0", "Ann declares no royalties"),
        ("p1 hi @0", "Ann asked for a hint"),
        ("p1 dd @0", "Ann runs out of time, and the board is dead"),
        ("p1 sm QhQd7c/QsQc9d8c2c/8c9cTcJc2d @0", None),
        ("p1 sn six_pairs 2c2d @0", "Ann shows six pairs: 2c 2d"),
    ],
)
def test_a_step_in_words(line: str, words: str | None) -> None:
    sentence = describe_step(parse_step(line, "$"), "Ann")
    assert sentence == (
        words or "Ann shows Qh Qd 7c in front, Qs Qc 9d 8c 2c in the middle and 8c 9c Tc Jc 2d in the back"
    )
