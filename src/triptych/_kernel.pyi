"""Stub of the compiled kernel; native/bind/ holds the bindings.

Cards are ints (see triptych.cards). A rank value is `category << 20 | n1 << 16 | … | n5` with category 0 high card
to 8 straight flush (9 five of a kind) and nibbles 1..13 for 2..A, groups first; the higher value is the better row.
"""

from collections.abc import Sequence
from typing import TypeAlias, final

import numpy as np
from numpy.typing import NDArray

def version() -> str:
    """Version of the package that this kernel was built for."""

def rank5(a: int, b: int, c: int, d: int, e: int, /) -> int:
    """Rank value of five different cards, A2345 as the lowest straight. No jokers."""

def rank3(a: int, b: int, c: int, /) -> int:
    """Rank value of a front: high card, pair or trips. No jokers."""

def rank5_batch(rows: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Rank values of many five-card rows, shape (n, 5), C-contiguous; releases the GIL."""

def rank3_batch(rows: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Rank values of many fronts, shape (n, 3), C-contiguous; releases the GIL."""

def wheel_second(value: int, /) -> int:
    """The same rank value where A2345 is the second highest straight."""

def low_order(value: int, /) -> int:
    """Order of a five-card rank value as a deuce-to-seven low; the higher order is the better low."""

def from_low_order(order: int, /) -> int:
    """The rank value that a low order stands for, A2345 as ace high."""

def is_low(order: int, /) -> bool:
    """Whether a low order is ten-low or better without pair, straight or flush."""

@final
class Rules:
    """A ruleset as flat integers; triptych.rules.compile makes it."""

    def __init__(self, numbers: Sequence[int]) -> None:
        """Take all integers of the table, in the order of `rules_fields`."""

def rules_fields() -> tuple[tuple[str, int, int], ...]:
    """Name, offset and count of every field of a rules table."""

def row_values(rules: Rules, board: bytes) -> tuple[int, int, int]:
    """Values of front, middle and back of 13 cards (front first), jokers chosen by the rules.

    The middle of a deuce-to-seven game is a low order.
    """

def row_points(rules: Rules, front: int, middle: int, back: int) -> int:
    """Row points of a pair for rows won 1, tied 0, lost -1, with a scoop's own doubling; 0 where the table pays."""

def offending_rows(rules: Rules, front: int, middle: int, back: int) -> int:
    """Bits 1 front, 2 middle, 4 back of the rows that break the order; 0 = legal."""

def broken_up(rules: Rules, board: bytes) -> tuple[int, int]:
    """What the dearest quads or straight flush that a board breaks up earns, and its rank; (0, 0) = none."""

def shows_natural(rules: Rules, board: bytes) -> bool:
    """Whether three flushes or three straights set as rows claim a natural by themselves."""

def best_natural(rules: Rules, cards: bytes) -> tuple[int, int]:
    """Index in the rules' table of naturals and units of the best one held, (-1, 0) without one."""

def row_bounds(
    rules: Rules, front: bytes, middle: bytes, back: bytes, jokers: bool = False
) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int], int]:
    """Lowest and highest value that each row can still take from cards off the own board, and condemned rows.

    Rows may be full, empty or in between. `jokers`: whether one may still come. Condemned rows (bits 1 front,
    2 middle, 4 back) break the order for certain.
    """

def row_royalties(rules: Rules, front: int, middle: int, back: int) -> tuple[int, int, int]:
    """Royalty of front, middle and back by their values, whatever else the board holds."""

def score_deal(rules: Rules, hands: bytes) -> tuple[int, ...]:
    """Score two to four hands of 18 bytes: kind, declared rows, fantasyland cards, in a row, owner, 13 cards.

    Kinds: 0 board, 1 surrender, 2 natural. Returns 11 integers a hand (values of front, middle, back; offending rows;
    royalties of front, middle, back; natural index and units; next fantasyland; points of the table), then 7 a pair
    in the order 0-1, 0-2, … (results of front, middle, back; row points; factor; royalties; other points).
    """

def score_batch(
    rules: Rules, boards: NDArray[np.uint8], lands: NDArray[np.uint8] | None = None
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_], NDArray[np.uint8]]:
    """Score many deals of boards, shape (deals, seats, 13); `lands` (deals, seats, 2) = fantasyland cards, in a row.

    Returns pair points (deals, pairs), royalties (deals, seats, 3), legal (deals, seats) and the next fantasylands
    (deals, seats). Releases the GIL.
    """

@final
class Goal:
    """What a finished legal board is worth: points from known boards, royalties, fantasyland, row strength."""

    def __init__(
        self, rules: Rules, land_cards: int, land_in_row: int, land_value: Sequence[float], unknown: int = 1
    ) -> None:
        """Take the board's own fantasyland (0 = none) and the points of a next one of 0 to 17 cards.

        `unknown` opponents have boards that are not known: royalties and worth count once for each.
        """

    def add_opponent(self, board: bytes) -> None:
        """Add a finished board to play against, 13 cards, front first; at most three."""

    def set_stakes(
        self, stacks: Sequence[float], dues: Sequence[tuple[int, int, float]], cap: int, bust_stops: bool
    ) -> None:
        """Let the stacks limit what the opponents pay or win; seat 0 is the board, then the opponents in their order.

        `dues`: each pair of seats (a, b, what a receives from b) in the order of payment; the amounts of seat 0 come
        with its board. `cap`: 0 none, 1 the smaller stack at the start, 2 the smaller stack now.
        """

    def set_worth(self, front: Sequence[float], middle: Sequence[float], back: Sequence[float]) -> None:
        """Set the points of a row by class against boards that are not known.

        `front` 27: high card, pairs 2..A, trips 2..A. `middle` and `back` 11: the categories, royal flush, five of
        a kind; a deuce-to-seven middle ten-low, nine-low, eight-low, seven-low, 75432.
        """

def solves_unknown(rules: Rules) -> bool:
    """Whether `complete_unknown` can answer: higher rows are never worth less under these rules."""

@final
class UnknownBoard:
    """A board set against samples: its mean points, and the masks of the pool for front, middle and back.

    `settings`: how many settings no other one beats in every row.
    """

    legal: bool
    value: float
    masks: tuple[int, int, int]
    settings: int

def complete_unknown(goal: Goal, pool: bytes, boards: bytes, each: int, weights: Sequence[float]) -> UnknownBoard:
    """The best board of 13 to 20 cards against weighted samples of `each` boards, 13 cards a board; exact.

    The goal knows no opponents itself. Of equal values the highest back, middle, front. Releases the GIL.
    """

@final
class FinishedBoard:
    """A board finished from a pool: the pool's cards by row (front, middle, back), and those `left` over.

    `fantasyland`: the cards of the next one. Without a legal way the value is minus infinity, and the rows are empty.
    """

    legal: bool
    value: float
    rows: tuple[bytes, bytes, bytes]
    left: bytes
    row_values: tuple[int, int, int]
    royalties: int
    fantasyland: int

def complete(goal: Goal, rows: Sequence[bytes], pool: bytes) -> FinishedBoard:
    """The best way to finish a board whose rows hold the given cards, from a pool; exact, releases the GIL."""

def foul_value(goal: Goal) -> float:
    """Points of a board that fouls, against the goal's known boards."""

@final
class CountedOuts:
    """Draws of cards to come, all of them where `exact`: those with which a board can be legal, or bring fantasyland.

    `classes`: draws by best class of each row alone. Classes: a front's category; the categories, royal flush, five
    of a kind, none; a deuce-to-seven middle ten-low to seven-low, 75432, none last.
    """

    draws: int
    exact: bool
    classes: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    legal: int
    fantasyland: int

def count_outs(rules: Rules, rows: Sequence[bytes], unseen: bytes, come: int, samples: int, seed: int) -> CountedOuts:
    """What `come` cards of `unseen` can make of a board: over all draws where they can be counted, else `samples`.

    Releases the GIL.
    """

def full_row_class(rules: Rules, row: int, cards: bytes) -> int:
    """Best class of a full row (0 front, 1 middle, 2 back) on its own; classes as in `CountedOuts`."""

@final
class PlacementEstimate:
    """What a placement of a street is worth: the row of each card (3 = discard), and the mean or expected points.

    `squares`: the sum of squares, and `fouls` the number of fouls among the samples. An exact one has no squares and
    one sample, and `fouls` is the share of draws that end in a foul.
    """

    rows: tuple[int, ...]
    value: float
    squares: float
    samples: int
    fouls: float

def sampled_placements(
    goal: Goal,
    rows: Sequence[bytes],
    cards: bytes,
    place: int,
    unseen: bytes,
    foul: float,
    later: int,
    effort: int,
    seed: int,
) -> list[PlacementEstimate]:
    """What each placement of a street is worth, best first, by finishing about `effort` boards.

    `later` cards of `unseen` are shown
    to the board afterwards, all at once; `foul` = points of a board that cannot be legal. Releases the GIL.
    """

def exact_placements(
    goal: Goal,
    rows: Sequence[bytes],
    cards: bytes,
    place: int,
    unseen: bytes,
    foul: float,
    dealt: int,
    one_by_one: bool,
) -> list[PlacementEstimate]:
    """What each placement that leaves at most two free slots is worth, best first; exact, releases the GIL.

    The free slots are filled from the `dealt` (at most 3) next cards, or, `one_by_one`, by one card a street.
    """

_ClosedValue: TypeAlias = tuple[
    bytes, bool, float, tuple[int, int, int], tuple[float, float, float], tuple[float, float, float], float, float
]

@final
class ClosedTable:
    """Opponents of a closed deal: samples of one to three hands, each sample as likely."""

    def __init__(self, rules: Rules, hands: bytes, stakes: Sequence[float]) -> None:
        """Take the hands as `score_deal` packs them, sample by sample, and the stake of each seat in a sample."""

    def best(self, cards: bytes) -> tuple[bytes, bool, float]:
        """The best setting of 13 cards: the board front first, whether it is legal, its mean points. Exact."""

    def value(self, board: bytes) -> _ClosedValue:
        """What one board is worth.

        Board, legal, mean points, royalties, chances to win and to lose front, middle, back against a seat, chance to
        scoop a seat and to be scooped.
        """

    def rank(self, cards: bytes, top: int) -> tuple[int, int, list[_ClosedValue]]:
        """All settings from the best down: how many, how many of them legal, and the first `top`, as `value`."""

    def surrender(self) -> float:
        """Mean points of a surrender."""

    def natural(self, cards: bytes) -> float:
        """Mean points of the natural that 13 cards hold, taken instead of setting them."""

@final
class ClosedField:
    """Hands as a strategy plays them; the best response to them is a strategy again.

    Seats are 0 unknown, 1 without a natural, 2 playing its board. A hand stands for all its suit permutations.
    """

    def __init__(self, rules: Rules, hands: bytes) -> None:
        """Take hands as `score_deal` packs them: boards, surrendered boards, and naturals."""

    def play(
        self, hands: NDArray[np.uint8], seats: int
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.float64]]:
        """Play many hands, shape (n, 13), each against so many unknown seats.

        Returns kinds (0 board, 1 surrender, 2 natural), the best boards (a natural's cards as they are), points.
        """

    def gains(self, rival: ClosedField, hands: NDArray[np.uint8], players: int, per_deal: int) -> NDArray[np.float64]:
        """Points of each deal that `rival` wins above this strategy with the cards of one player.

        `hands`: shape (deals * per_deal, 13), in deal order; hand h is player h % players. The rival plays for player
        0 in the first deal, for player 1 in the next, and so on. All rules: naturals, surrenders in turn, the scorer.
        """

    def choose(
        self, cards: bytes, known: bytes, states: Sequence[int], top: int
    ) -> tuple[float, float, tuple[int, int, list[_ClosedValue]]]:
        """What one hand can do: points of surrender, of its natural, and its settings as `ClosedTable.rank`.

        `known`: other cards that no seat can hold. With `top` 0 only the best setting is looked for, without chances.
        """

    def announce(self, board: bytes, known: bytes, states: Sequence[int]) -> tuple[float, float]:
        """Points of playing a finished board and of surrendering it."""

OBSERVATION_SIZE: int
ACTIONS: int
IDLE: int

@final
class GameShape:
    """How a game is dealt and who plays it; triptych.envs.shape makes it."""

    players: int

def make_shape(
    rules: Rules,
    dealt: Sequence[int],
    placed: Sequence[int],
    *,
    hands: int,
    players: int,
    jokers: int,
    closed: bool,
    chain: bool,
    button_moves: bool,
    alone_hides: bool,
) -> GameShape:
    """Streets of a game (cards dealt and placed in each), hands in deal order, and the players who own them."""

@final
class Batch:
    """Many games stepped side by side; triptych.envs.batch is its typed face."""

    def state(self, player: NDArray[np.uint8], legal: NDArray[np.uint8]) -> None:
        """Fill in who acts and the mask of legal actions, both (size,)."""

    def step(self, actions: NDArray[np.uint8], reward: NDArray[np.int32], done: NDArray[np.uint8]) -> None:
        """Do one action in every game, none where it is IDLE; fills reward (size, players) and done (size,).

        Nothing is done on an error.
        """

    def observe(self, out: NDArray[np.uint8]) -> None:
        """Fill in what the players to act may know, (size, OBSERVATION_SIZE)."""

    def play_random(self, steps: int) -> int:
        """Do uniformly random actions in every game; returns deals scored. Releases the GIL."""

    def save(self) -> bytes:
        """All games as bytes, for a batch of the same rules, shape, size and build."""

    def load(self, state: bytes) -> None:
        """Go on from saved games. Raises ValueError when they are of another size."""

def make_batch(rules: Rules, shape: GameShape, size: int, seed: int) -> Batch:
    """A batch of games, each with its own random stream of the seed."""

@final
class Game:
    """One game; its owner gives the cards."""

    over: bool
    wanted: int
    legal: int
    turn: int
    player: int
    deals: int
    street: int
    total: list[int]

    def give(self, cards: bytes) -> None:
        """Give the hand in turn the `wanted` cards."""

    def step(self, action: int) -> list[int]:
        """Do one legal action; points by player, not zero only when a deal was scored."""

    def observe(self, player: int) -> bytes:
        """What a player may know, OBSERVATION_SIZE bytes."""

def make_game(rules: Rules, shape: GameShape, fantasyland: Sequence[int] = ()) -> Game:
    """A game before its first card; `fantasyland`: cards by hand where the first deal is one."""

OUTCOMES: int
STRENGTH_BINS: int

@final
class Learner:
    """The afterstate learner with the rules that it plays by; triptych.bots.learned.bot is its typed face."""

    def __init__(
        self,
        rules: Rules,
        dealt: Sequence[int],
        placed: Sequence[int],
        *,
        hands: int,
        jokers: int,
        weights: Sequence[float],
        strengths: Sequence[int],
        seed: int,
    ) -> None:
        """A learner that knows nothing. `weights`: points by outcome; `strengths`: row values at the quintiles."""

    def play(
        self,
        deals: int,
        *,
        learning: bool,
        rate: float,
        decay: float,
        noise: float,
        draws: int = 0,
        others: int = 0,
        spread: float = 0.0,
    ) -> None:
        """Self-play; `noise` and `spread` in points (Gumbel). The n-th deal of a seed has always the same cards.

        With `draws` of the rest of the deal it learns the placement it chose and `others` beside it; without, from
        what became of the deal. `decay` is TD's lambda.
        """

    def take_stats(self) -> list[int]:
        """Deals, boards, fouls, fantasylands, fantasyland cards, royalties since the last call."""

    def last_values(self) -> list[int]:
        """Row values of the last deal's legal boards, three a board."""

    def last_boards(self) -> bytes:
        """Cards of the last deal's boards, 13 a hand, front first."""

    def table(self) -> NDArray[np.float32]:
        """The learned numbers themselves, (entries, 24), not a copy; call `reweigh` after writing to it."""

    def reweigh(self) -> None:
        """Work out every entry's points again."""

    def memory(self) -> list[NDArray[np.float32]]:
        """Return views of all that learning changes, flat; with `played` they are the whole state of a run."""

    def played(self) -> int:
        """Return how many deals were played."""

    def go_on(self, played: int) -> None:
        """Play the deals after so many."""

    def weigh(self, weights: Sequence[float]) -> None:
        """Choose by other points from now on."""

    def set_temperature(self, temperature: Sequence[float]) -> None:
        """Say how freely its players choose, points by street; empty: nothing is believed of what they threw away."""

    def set_first_answers(self, change: Sequence[tuple[float, float, float, float]]) -> None:
        """Say what others who answer a first street change of rows, royalties, fouls and fantasylands.

        Of two hands; of three, of which one or two answer; of four, of which one to three do. Zeros: not known.
        """

    def with_lands(self, value: Sequence[float]) -> Learner:
        """A learner of the same tables for which fantasylands of 0 to 17 cards are worth `value`; it shares them."""

    def set_strengths(self, strengths: Sequence[int]) -> None:
        """Cut the strength bins at other row values from now on."""

_SeenBoard: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""Front, middle, back, the cards that are not in rows, the discards; those that are not known are left out."""

def place(
    learner: Learner, street: int, boards: list[_SeenBoard], me: int, cards: tuple[str, ...], looking: bool
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The greedy placement of a hand's `cards`, for front, middle, back, from the texts of a view of all hands.

    `looking`: close placements are told apart by what may come on the next street, and near the end the rows are
    held against what lies open of the others' boards.
    """

_Stacks: TypeAlias = tuple[
    Sequence[float], Sequence[float], float, int, bool, float, Sequence[float], Sequence[float]
]
"""Chips by hand, chips a point by pair, chips a point by which all is told, cap (0 none, 1 by stacks at the start, 2
by those of the moment), whether who is bust collects nothing, the most chips that anybody loses, prizes by place,
chips of players who sit elsewhere."""

def lands_paid(stacks: _Stacks, me: int, value: Sequence[float]) -> list[float]:
    """Points that a hand may expect from each opponent of fantasylands worth `value`, as far as stacks reach."""

def place_worth(now: Sequence[float], before: Sequence[float], prizes: Sequence[float]) -> list[float]:
    """What each of up to twelve players may expect of the prizes by place (Malmuth-Harville), by chips.

    Who has none is out, placed behind the others by the chips before; equal chips share their places.
    """

def luck(
    learner: Learner,
    street: int,
    me: int,
    hands: Sequence[tuple[bytes, bytes, bytes, int, int, int]],
    lands: Sequence[bytes],
    cards: bytes,
    left: int,
    land_value: Sequence[float],
    *,
    orders: int,
    seed: int,
) -> list[float]:
    """Return what a draw brought each hand, in points, the next fantasylands at their value.

    Hand `me` drew `cards`, of a street or of its whole fantasyland; `left`: a bit for each card in the deck after
    it. `hands` as `Analysis` takes them, of whole streets; `lands`: the cards of the fantasylands that are dealt
    already, by hand, else empty. The deal is played to its end in so many `orders` of the deck, and with other cards
    in the draw's place.
    Raises ValueError for what cannot be.
    """

@final
class Analysis:
    """One decision under search by rollouts."""

    def __init__(
        self,
        learner: Learner,
        street: int,
        me: int,
        hands: Sequence[tuple[bytes, bytes, bytes, int, int, int]],
        cards: bytes,
        unseen: int,
        land_value: Sequence[float],
        *,
        shared: bool = False,
        believing: bool = True,
        stacks: _Stacks | None = None,
        named: Sequence[Sequence[bytes]] = ...,
        orders: Sequence[bytes] = ...,
    ) -> None:
        """Hands as (front, middle, back, streets done, fantasyland cards, fantasylands in a row), in deal order.

        `believing`: the learner's temperatures say what others threw away; else any unseen card may still come.
        A hand in fantasyland sets all its cards, and may be the only one; `named`: settings, front, middle and
        back, that are to be among the placements. `orders`: by hand how many cards lay in each row after each street
        done, a byte each; none of a hand, or none at all, where that is not known.
        """

    def run(self, width: int, rollouts: int, seed: int, *, hurried: bool = False) -> None:
        """Spend rollouts on the `width` best placements, halving the field, and sort them; all of them when exact.

        `hurried`: it ends as soon as one is clearly the best.
        """

    def forget(self) -> None:
        """Forget all rollouts; the order of the placements stays."""

    def measure(self, width: int, each: int, seed: int, first: int, also: Sequence[int] = ...) -> None:
        """Give each of the first `width` placements the rollouts `first` to `first + each - 1` of a seed.

        `also`: further ones, by their places in the present order.
        """

    def sample(self, chosen: Sequence[int], each: int, seed: int, first: int) -> NDArray[np.float32]:
        """Return the points of such rollouts of the chosen placements, shape (each, chosen); none when exact.

        The table does not know of them.
        """

    def course(self, at: int, each: int, seed: int, first: int) -> list[tuple[float, float, float]]:
        """Return what is certain after each street of the game, on average over rollouts of the placement at a place.

        The chance of a foul, that of fantasyland, and the royalties; nothing before the position's own street.
        """

    def answers(self, each: int, seed: int) -> list[tuple[float, float, float, float]]:
        """Return what changes when others who still act answer the first placement by a search: the parts of points.

        Rows, royalties, fouls and fantasylands, of so many draws of the others' cards.
        """

    def thrown(self, *, care: bool = False) -> list[tuple[int, int, list[float]]]:
        """Return hand, street from 0 and how likely each card, of 54, lies there, for each unseen discard of others.

        Empty when nothing is believed of them. `care`: as what is shown believes it, not as levels do.
        """

    def exact(self) -> bool:
        """Return whether the answer has no error: all that is left to chance can be counted."""

    def table(
        self,
    ) -> list[
        tuple[
            bytes,
            bytes,
            bytes,
            float,
            int,
            float,
            float,
            float,
            float,
            float,
            float,
            float,
            float,
            float,
            float,
            float,
            float,
            float,
        ]
    ]:
        """Placements, in the order that `run` left.

        Front, middle, back, learned value, rollouts, mean points, its standard error, and the mean's parts: rows,
        royalties, fouls' points, fantasyland; the chance of a foul and of fantasyland; what stacks change of the
        points; of rows, royalties, fouls' points and fantasyland what the player's own side brings.
        """
