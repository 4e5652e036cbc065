"""Stub of the compiled kernel (native/bind), written by scripts/kernel_types.py.

Cards are ints (see triptych.cards). A rank value is `category << 20 | n1 << 16 | … | n5` with category 0 high card
to 8 straight flush (9 five of a kind) and nibbles 1..13 for 2..A, groups first; the higher value is the better row.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

_T = TypeVar("_T")

def version() -> str:
    """Version of the package that this kernel was built for."""

def deck_roots(seeds: bytes, size: int) -> bytes:
    """Roots of the Merkle trees of decks, 32 bytes each.

    `seeds` has 32 bytes a deck, which has `size` cards, 1 to 256.
    """

class HeldNatural(NamedTuple):
    entry: int
    units: int

class BrokenUp(NamedTuple):
    points: int
    value: int

class RowBounds(NamedTuple):
    least: int
    most: int

class BoundedRows(NamedTuple):
    front: RowBounds
    middle: RowBounds
    back: RowBounds
    condemned: int
    royalties: tuple[int, int, int]

class BoardScore(NamedTuple):
    values: tuple[int, int, int]
    offending: int
    royalties: tuple[int, int, int]
    natural: HeldNatural
    shows_natural: bool
    broken_up: BrokenUp

class HandScore(NamedTuple):
    values: tuple[int, int, int]
    offending: int
    royalties: tuple[int, int, int]
    natural: HeldNatural
    fantasyland: int
    table_points: int

class PairScore(NamedTuple):
    results: tuple[int, int, int]
    rows: int
    factor: int
    royalties: int
    other: int

class ScoredDeal(NamedTuple):
    hands: tuple[HandScore, ...]
    pairs: tuple[PairScore, ...]

class FinishedBoard(NamedTuple):
    legal: bool
    value: float
    rows: tuple[bytes, bytes, bytes]
    left: bytes
    row_values: tuple[int, int, int]
    royalties: int
    fantasyland: int

class UnknownBoard(NamedTuple):
    legal: bool
    value: float
    masks: tuple[int, int, int]
    settings: int

class PlacementEstimate(NamedTuple):
    rows: tuple[int, ...]
    value: float
    squares: float
    samples: int
    fouls: float

class CountedOuts(NamedTuple):
    draws: int
    exact: bool
    classes: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    legal: int
    fantasyland: int

class ClosedBoard(NamedTuple):
    board: bytes
    legal: bool
    points: float
    royalties: tuple[int, int, int]
    won: tuple[float, float, float]
    lost: tuple[float, float, float]
    scoops: float
    scooped: float

class ClosedRanking(NamedTuple):
    settings: int
    legal: int
    best: tuple[ClosedBoard, ...]

class ClosedChoice(NamedTuple):
    surrender: float
    natural: float
    ranking: ClosedRanking

class ClosedPlay(NamedTuple):
    play: float
    surrender: float

class StreetOutcome(NamedTuple):
    foul: float
    fantasyland: float
    royalties: float

class PointParts(NamedTuple):
    rows: float
    royalties: float
    fouls: float
    fantasyland: float

class DiscardChances(NamedTuple):
    hand: int
    street: int
    chances: tuple[float, ...]

class SearchedPlacement(NamedTuple):
    front: bytes
    middle: bytes
    back: bytes
    prior: float
    rollouts: int
    value: float
    error: float
    rows: float
    royalties: float
    fouls: float
    fantasyland: float
    foul_chance: float
    fantasyland_chance: float
    stacks: float
    own_rows: float
    own_royalties: float
    own_fouls: float
    own_fantasyland: float

class PlayStats(NamedTuple):
    deals: int
    boards: int
    fouls: int
    fantasylands: int
    fantasyland_cards: int
    royalties: int

class GameCourse(NamedTuple):
    streets: tuple[StreetOutcome, ...]

class ListedPlacement(NamedTuple):
    rows: tuple[bytes, bytes, bytes]
    prior: float

class ListedDecision(NamedTuple):
    number: int
    exact: bool
    placements: tuple[ListedPlacement, ...]

class PlacementSums(NamedTuple):
    number: int
    exact: bool
    rollouts: int
    points: float
    squares: float
    parts: PointParts
    fouls: float
    fantasylands: float
    stacks: float
    own: PointParts

class PlacementList(NamedTuple):
    placements: tuple[PlacementSums, ...]

class SoloHand(NamedTuple):
    player: int
    fantasyland: int
    in_row: int
    face_down: bool
    rows: tuple[bytes, bytes, bytes]
    to_discard: int
    holds: int
    draws: bytes
    discards: bytes
    laid: tuple[tuple[int, int, int], ...]

class SoloView(NamedTuple):
    over: bool
    deals: int
    turn: int
    street: int
    hands: tuple[SoloHand, ...]

class SoloStep(NamedTuple):
    ended: bool
    points: tuple[int, ...]
    hands: tuple[int, ...]

RESULTS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]

def limited_fantasyland_values(
    stacks: tuple[Sequence[float], Sequence[float], float, int, bool, float, Sequence[float], Sequence[float]],
    me: int,
    value: Sequence[float],
) -> list[float]:
    """Points that a hand may expect from each opponent of fantasylands worth `value`, as far as stacks reach."""

def icm_values(now: Sequence[float], before: Sequence[float], prizes: Sequence[float]) -> list[float]:
    """The expected prize of each of up to twelve players by their chips (Malmuth-Harville).

    Players without chips are out, placed behind the others by the chips before; equal chips share their places.
    """

def luck(
    learner: Learner,
    street: int,
    me: int,
    hands: Sequence[tuple[bytes, bytes, bytes, int, int, int]],
    fantasylands: Sequence[bytes],
    cards: bytes,
    left: int,
    fantasyland_values: Sequence[float],
    *,
    orders: int,
    seed: int,
) -> list[float]:
    """Return the luck of a draw for each hand, in points, the next fantasylands at their value.

    Hand `me` drew `cards`, of a street or of its whole fantasyland; `left`: a bit for each card in the deck after it.
    `hands` as `Analysis` takes them, of whole streets; `fantasylands`: the cards of the fantasylands that are dealt
    already, by hand, else empty. The deal is played to its end in so many `orders` of the deck, and with other cards
    in the draw's place. Raises ValueError for what cannot be.
    """

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
        fantasyland_values: Sequence[float],
        *,
        shared: bool = False,
        believing: bool = True,
        stacks: tuple[Sequence[float], Sequence[float], float, int, bool, float, Sequence[float], Sequence[float]]
        | None = None,
        named: Sequence[Sequence[bytes]] = [],
        orders: Sequence[bytes] = [],
    ) -> None:
        """Hands as (front, middle, back, streets done, fantasyland cards, fantasylands in a row), in deal order.

        `believing`: the learner's temperatures say what others discarded; else any unseen card may still come. A hand
        in fantasyland sets all its cards, and may be the only one; `named`: settings, front, middle and back, that
        are to be among the placements. `orders`: by hand how many cards lay in each row after each street done, a
        byte each; none of a hand, or none at all, where that is not known.
        """

    def run(self, width: int, rollouts: int, seed: int, *, early_stop: bool = False) -> None:
        """Spend rollouts on the `width` best placements, halving their number, and sort them; all when exact.

        `early_stop`: it ends as soon as one is clearly the best.
        """

    def reset_samples(self) -> None:
        """Forget all rollouts; the order of the placements stays."""

    def measure(self, width: int, each: int, seed: int, first: int, also: Sequence[int] = []) -> None:
        """Give each of the first `width` placements the rollouts `first` to `first + each - 1` of a seed.

        `also`: further ones, by their places in the present order.
        """

    def sample_points(self, chosen: Sequence[int], each: int, seed: int, first: int) -> NDArray[np.float32]:
        """Return the points of such rollouts of the chosen placements, shape (each, chosen); none when exact.

        The table does not know of them.
        """

    def street_progress(self, at: int, each: int, seed: int, first: int) -> list[StreetOutcome]:
        """Return what is certain after each street of the game, on average over rollouts of the placement at a place.

        The chance of a foul, that of fantasyland, and the royalties; nothing before the position's own street.
        """

    def response_corrections(self, each: int, seed: int) -> list[PointParts]:
        """Return how points change, by parts, when others who still act respond to the first placement by a search.

        Rows, royalties, fouls and fantasylands, of so many draws of the others' cards.
        """

    def discard_belief(self, *, thorough: bool = False) -> list[DiscardChances]:
        """Return how likely each card, of 54, lies there, for each unseen discard of others.

        Empty when nothing is believed of them. `thorough`: as what is shown believes it, not as levels do.
        """

    def exact(self) -> bool:
        """Return whether the answer has no error: all that is left to chance can be counted."""

    def table(self) -> list[SearchedPlacement]:
        """Placements, in the order that `run` left."""

class OpponentSamples:
    """Opponents of a closed deal: samples of one to three hands, each sample as likely."""

    def __init__(self, rules: Rules, hands: bytes, stakes: Sequence[float]) -> None:
        """Take the hands as `score_deal` packs them, sample by sample, and the stake of each seat in a sample."""

    def best(self, cards: bytes) -> ClosedBoard:
        """The best setting of 13 cards, without its chances. Exact."""

    def value(self, board: bytes) -> ClosedBoard:
        """What one board is worth, chances against a seat."""

    def rank(self, cards: bytes, top: int) -> ClosedRanking:
        """All settings from the best down: how many, how many of them legal, and the first `top`."""

    def surrender(self) -> float:
        """Mean points of a surrender."""

    def natural(self, cards: bytes) -> float:
        """Mean points of the natural that 13 cards hold, taken instead of setting them."""

class HandPool:
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

    def gains(self, rival: HandPool, hands: NDArray[np.uint8], players: int, per_deal: int) -> NDArray[np.float64]:
        """Points of each deal that `rival` wins above this strategy with the cards of one player.

        `hands`: shape (deals * per_deal, 13), in deal order; hand h is player h % players. The rival plays for player
        0 in the first deal, for player 1 in the next, and so on. All rules: naturals, surrenders in turn, the scorer.
        """

    def choose(self, cards: bytes, known: bytes, states: Sequence[int], top: int) -> ClosedChoice:
        """What one hand can do: points of surrender, of its natural, and its settings as `OpponentSamples.rank`.

        `known`: other cards that no seat can hold. With `top` 0 only the best setting is looked for, without chances.
        """

    def announce(self, board: bytes, known: bytes, states: Sequence[int]) -> ClosedPlay:
        """Points of playing a finished board and of surrendering it."""

OBSERVATION_SIZE: int

ACTIONS: int

NO_OP: int

class GameShape:
    """How a game is dealt and who plays it; triptych.envs.shape makes it."""

    @property
    def players(self) -> int: ...

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
    lone_hand_is_hidden: bool,
) -> GameShape:
    """Streets of a game (cards dealt and placed in each), hands in deal order, and the players who own them."""

class Batch:
    """Many games stepped side by side; triptych.envs.batch is its typed face."""

    def state(self, player: NDArray[np.uint8], legal: NDArray[np.uint8]) -> None:
        """Fill in who acts and the mask of legal actions, both (size,)."""

    def step(self, actions: NDArray[np.uint8], reward: NDArray[np.int32], done: NDArray[np.uint8]) -> None:
        """Do one action in every game, none where it is NO_OP; fills reward (size, players) and done (size,).

        Nothing is done on an error.
        """

    def observe(self, out: NDArray[np.uint8]) -> None:
        """Fill in what the players to act may know, (size, OBSERVATION_SIZE)."""

    def save(self) -> bytes:
        """All games as bytes, for a batch of the same rules, shape, size and build."""

    def load(self, state: bytes) -> None:
        """Go on from saved games. Raises ValueError when they are of another size."""

    def play_random(self, steps: int) -> int:
        """Do uniformly random actions in every game; returns deals scored. Releases the GIL."""

def make_batch(rules: Rules, shape: GameShape, size: int, seed: int) -> Batch:
    """A batch of games, each with its own random stream of the seed."""

class Game:
    """One game; its owner gives the cards."""

    def __getstate__(self) -> bytes: ...
    def __setstate__(self, arg: bytes, /) -> None: ...
    def __deepcopy__(self, memo: object) -> Game: ...
    def deal_cards(self, cards: bytes) -> None:
        """Deal the hand in turn the `wanted` cards."""

    def step(self, action: int) -> list[int]:
        """Do one legal action; points by player, not zero only when a deal was scored."""

    def observe(self, player: int) -> bytes:
        """What a player may know, OBSERVATION_SIZE bytes."""

    @property
    def over(self) -> bool: ...
    @property
    def wanted(self) -> int: ...
    @property
    def legal(self) -> int: ...
    @property
    def turn(self) -> int: ...
    @property
    def deals(self) -> int: ...
    @property
    def player(self) -> int: ...
    @property
    def street(self) -> int: ...
    @property
    def total(self) -> list[int]: ...

def make_game(rules: Rules, shape: GameShape, fantasyland: Sequence[int] = []) -> Game:
    """A game before its first card; `fantasyland`: cards by hand where the first deal is one."""

OUTCOMES: int

STRENGTH_BINS: int

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
        """A learner with empty tables. `weights`: points by outcome; `strengths`: row values at the quintiles."""

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

    def pop_stats(self) -> PlayStats:
        """What was played since the last call."""

    def last_values(self) -> list[int]:
        """Row values of the last deal's legal boards, three a board."""

    def last_boards(self) -> bytes:
        """Cards of the last deal's boards, 13 a hand, front first."""

    def table(self) -> NDArray[np.float32]:
        """The learned numbers themselves, (entries, 24), not a copy; call `refresh_weights` after writing to it."""

    def refresh_weights(self) -> None:
        """Work out every entry's points again."""

    def memory(self) -> list[NDArray[np.float32]]:
        """Return views of all state that learning changes, flat; with `played` they are the whole state of a run."""

    def played(self) -> int:
        """Return how many deals were played."""

    def resume(self, played: int) -> None:
        """Play the deals after so many."""

    def set_outcome_weights(self, weights: Sequence[float]) -> None:
        """Choose by other points from now on."""

    def with_fantasyland_values(self, value: Sequence[float]) -> Learner:
        """A learner of the same tables for which fantasylands of 0 to 17 cards are worth `value`; it shares them."""

    def set_strengths(self, strengths: Sequence[int]) -> None:
        """Cut the strength bins at other row values from now on."""

    def set_temperature(self, temperature: Sequence[float]) -> None:
        """Say how freely its players choose, points by street; empty: nothing is believed about their discards."""

    def set_first_answers(self, change: Sequence[Sequence[float]]) -> None:
        """Set how others who respond to a first street by a search change rows, royalties, fouls and fantasylands.

        For two hands; for three, of which one or two respond; for four, of which one to three do. Zeros: not known.
        """

def place(
    learner: Learner,
    street: int,
    boards: list[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]],
    me: int,
    cards: tuple[str, ...],
    looking: bool,
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The greedy placement of a hand's `cards`, for front, middle, back, from the texts of a view of all hands.

    `looking`: a lookahead of one street separates close placements, and near the end the rows are compared with the
    others' open rows.
    """

def rank5(arg0: int, arg1: int, arg2: int, arg3: int, arg4: int, /) -> int:
    """Rank value of five different cards, A2345 as the lowest straight. No jokers."""

def rank3(arg0: int, arg1: int, arg2: int, /) -> int:
    """Rank value of a front: high card, pair or trips. No jokers."""

def known_ranks(make: Callable[[int], _T], /) -> Callable[[object], _T | None]:
    """A function from a row to what `make` makes of its rank value, once for each value.

    A row is a tuple or list of three or five different numbers below 52; for any other object it returns None.
    """

def wheel_second(arg: int, /) -> int:
    """The same rank value where A2345 is the second highest straight."""

def low_order(arg: int, /) -> int:
    """Order of a five-card rank value as a deuce-to-seven low; the higher order is the better low."""

def from_low_order(arg: int, /) -> int:
    """The rank value that a low order stands for, A2345 as ace high."""

def is_low(arg: int, /) -> bool:
    """Whether a low order is ten-low or better without pair, straight or flush."""

def rank5_batch(rows: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Rank values of many five-card rows, shape (n, 5), C-contiguous; releases the GIL."""

def rank3_batch(rows: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Rank values of many fronts, shape (n, 3), C-contiguous; releases the GIL."""

def row_points(rules: Rules, front: int, middle: int, back: int) -> int:
    """Row points of a pair for rows won 1, tied 0, lost -1, with a scoop's own doubling; 0 where the table pays."""

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

def offending_rows(rules: Rules, front: int, middle: int, back: int) -> int:
    """Bits 1 front, 2 middle, 4 back of the rows that break the order; 0 = legal."""

def best_natural(rules: Rules, cards: bytes) -> HeldNatural:
    """Index in the rules' table of naturals and units of the best one held; entry -1 without one."""

def shows_natural(rules: Rules, board: bytes) -> bool:
    """Whether three flushes or three straights set as rows claim a natural by themselves."""

def broken_up(rules: Rules, board: bytes) -> BrokenUp:
    """What the dearest quads or straight flush that a board breaks up earns, and its rank; (0, 0) = none."""

def row_bounds(rules: Rules, front: bytes, middle: bytes, back: bytes, jokers: bool = False) -> BoundedRows:
    """Lowest and highest value that each row can still take from cards off the own board, and condemned rows.

    Rows may be full, empty or in between. `jokers`: whether one may still come. Condemned rows (bits 1 front, 2
    middle, 4 back) break the order for certain.
    """

def row_royalties(rules: Rules, front: int, middle: int, back: int) -> tuple[int, int, int]:
    """Royalty of front, middle and back by their values, whatever else the board holds."""

def score_deal(rules: Rules, hands: bytes) -> ScoredDeal:
    """Score two to four hands of 18 bytes: kind, declared rows, fantasyland cards, in a row, owner, 13 cards.

    Kinds: 0 board, 1 surrender, 2 natural, 3 a board that counts as a foul. Pairs come in the order 0-1, 0-2, …, 1-2,
    …
    """

def score_batch(
    rules: Rules, boards: NDArray[np.uint8], fantasylands: NDArray[np.uint8] | None = None
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_], NDArray[np.uint8]]:
    """Score many deals of boards, shape (deals, seats, 13); `fantasylands` (deals, seats, 2): cards, number in a row.

    Returns pair points (deals, pairs), royalties (deals, seats, 3), legal (deals, seats) and the next fantasylands
    (deals, seats). Releases the GIL.
    """

class Objective:
    """What a finished legal board is worth: points from known boards, royalties, fantasyland, row strength."""

    def __init__(
        self,
        rules: Rules,
        fantasyland_cards: int,
        fantasyland_in_row: int,
        fantasyland_values: Sequence[float],
        unknown: int = 1,
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

        `front` 27: high card, pairs 2..A, trips 2..A. `middle` and `back` 11: the categories, royal flush, five of a
        kind; a deuce-to-seven middle ten-low, nine-low, eight-low, seven-low, 75432.
        """

def complete_unknown(
    goal: Objective, pool: bytes, boards: bytes, each: int, weights: Sequence[float]
) -> UnknownBoard:
    """The best board of 13 to 20 cards against weighted samples of `each` boards, 13 cards a board; exact.

    The goal knows no opponents itself. Of equal values the highest back, middle, front. Releases the GIL.
    """

def solves_unknown(rules: Rules) -> bool:
    """Whether `complete_unknown` can answer: higher rows are never worth less under these rules."""

def complete(goal: Objective, rows: Sequence[bytes], pool: bytes) -> FinishedBoard:
    """The best way to finish a board whose rows hold the given cards, from a pool; exact, releases the GIL."""

def foul_value(goal: Objective) -> float:
    """Points of a board that fouls, against the goal's known boards."""

def sampled_placements(
    goal: Objective,
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

    `later` cards of `unseen` are shown to the board afterwards, all at once; `foul` = points of a board that cannot
    be legal. Releases the GIL.
    """

def exact_placements(
    goal: Objective,
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

def count_outs(
    rules: Rules, rows: Sequence[bytes], unseen: bytes, come: int, samples: int, effort: int, seed: int
) -> CountedOuts:
    """What `come` cards of `unseen` can make of a board: over `samples` draws, or over all of them.

    All are counted where that is no more work than `effort` samples. Releases the GIL.
    """

def full_row_class(rules: Rules, row: int, cards: bytes) -> int:
    """Best class of a full row (0 front, 1 middle, 2 back) on its own; classes as in `CountedOuts`."""
