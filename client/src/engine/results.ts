// What the kernel answers with, and how it is read. Written by scripts/kernel_types.py.

import type { AnswerReader } from './bytes';

export interface HeldNatural {
  readonly entry: number;
  readonly units: number;
}

export const readHeldNatural = (answer: AnswerReader): HeldNatural => ({
  entry: answer.i32(),
  units: answer.i32(),
});

export interface HandScore {
  readonly values: readonly number[];
  readonly offending: number;
  readonly royalties: readonly number[];
  readonly natural: HeldNatural;
  readonly fantasyland: number;
  readonly tablePoints: number;
}

export const readHandScore = (answer: AnswerReader): HandScore => ({
  values: answer.times(3, () => answer.u32()),
  offending: answer.u32(),
  royalties: answer.times(3, () => answer.i32()),
  natural: readHeldNatural(answer),
  fantasyland: answer.i32(),
  tablePoints: answer.i32(),
});

export interface PairScore {
  readonly results: readonly number[];
  readonly rows: number;
  readonly factor: number;
  readonly royalties: number;
  readonly other: number;
}

export const readPairScore = (answer: AnswerReader): PairScore => ({
  results: answer.times(3, () => answer.i32()),
  rows: answer.i32(),
  factor: answer.i32(),
  royalties: answer.i32(),
  other: answer.i32(),
});

export interface ScoredDeal {
  readonly hands: readonly HandScore[];
  readonly pairs: readonly PairScore[];
}

export const readScoredDeal = (answer: AnswerReader): ScoredDeal => ({
  hands: answer.list(() => readHandScore(answer)),
  pairs: answer.list(() => readPairScore(answer)),
});

export interface BrokenUp {
  readonly points: number;
  readonly value: number;
}

export const readBrokenUp = (answer: AnswerReader): BrokenUp => ({
  points: answer.i32(),
  value: answer.u32(),
});

export interface BoardScore {
  readonly values: readonly number[];
  readonly offending: number;
  readonly royalties: readonly number[];
  readonly natural: HeldNatural;
  readonly showsNatural: boolean;
  readonly brokenUp: BrokenUp;
}

export const readBoardScore = (answer: AnswerReader): BoardScore => ({
  values: answer.times(3, () => answer.u32()),
  offending: answer.u32(),
  royalties: answer.times(3, () => answer.i32()),
  natural: readHeldNatural(answer),
  showsNatural: answer.bool(),
  brokenUp: readBrokenUp(answer),
});

export interface RowBounds {
  readonly least: number;
  readonly most: number;
}

export const readRowBounds = (answer: AnswerReader): RowBounds => ({
  least: answer.u32(),
  most: answer.u32(),
});

export interface BoundedRows {
  readonly front: RowBounds;
  readonly middle: RowBounds;
  readonly back: RowBounds;
  readonly condemned: number;
  readonly royalties: readonly number[];
}

export const readBoundedRows = (answer: AnswerReader): BoundedRows => ({
  front: readRowBounds(answer),
  middle: readRowBounds(answer),
  back: readRowBounds(answer),
  condemned: answer.u32(),
  royalties: answer.times(3, () => answer.i32()),
});

export interface FinishedBoard {
  readonly legal: boolean;
  readonly value: number;
  readonly rows: readonly (readonly number[])[];
  readonly left: readonly number[];
  readonly rowValues: readonly number[];
  readonly royalties: number;
  readonly fantasyland: number;
}

export const readFinishedBoard = (answer: AnswerReader): FinishedBoard => ({
  legal: answer.bool(),
  value: answer.f64(),
  rows: answer.times(3, () => answer.cards()),
  left: answer.cards(),
  rowValues: answer.times(3, () => answer.u32()),
  royalties: answer.i32(),
  fantasyland: answer.i32(),
});

export interface CountedOuts {
  readonly draws: number;
  readonly exact: boolean;
  readonly classes: readonly (readonly number[])[];
  readonly legal: number;
  readonly fantasyland: number;
}

export const readCountedOuts = (answer: AnswerReader): CountedOuts => ({
  draws: answer.u32(),
  exact: answer.bool(),
  classes: answer.times(3, () => answer.times(12, () => answer.u32())),
  legal: answer.u32(),
  fantasyland: answer.u32(),
});

export interface ClosedBoard {
  readonly board: readonly number[];
  readonly legal: boolean;
  readonly points: number;
  readonly royalties: readonly number[];
  readonly won: readonly number[];
  readonly lost: readonly number[];
  readonly scoops: number;
  readonly scooped: number;
}

export const readClosedBoard = (answer: AnswerReader): ClosedBoard => ({
  board: answer.cards(),
  legal: answer.bool(),
  points: answer.f64(),
  royalties: answer.times(3, () => answer.i32()),
  won: answer.times(3, () => answer.f64()),
  lost: answer.times(3, () => answer.f64()),
  scoops: answer.f64(),
  scooped: answer.f64(),
});

export interface ClosedRanking {
  readonly settings: number;
  readonly legal: number;
  readonly best: readonly ClosedBoard[];
}

export const readClosedRanking = (answer: AnswerReader): ClosedRanking => ({
  settings: answer.u32(),
  legal: answer.u32(),
  best: answer.list(() => readClosedBoard(answer)),
});

export interface ClosedChoice {
  readonly surrender: number;
  readonly natural: number;
  readonly ranking: ClosedRanking;
}

export const readClosedChoice = (answer: AnswerReader): ClosedChoice => ({
  surrender: answer.f64(),
  natural: answer.f64(),
  ranking: readClosedRanking(answer),
});

export interface ListedPlacement {
  readonly rows: readonly (readonly number[])[];
  readonly prior: number;
}

export const readListedPlacement = (answer: AnswerReader): ListedPlacement => ({
  rows: answer.times(3, () => answer.cards()),
  prior: answer.f32(),
});

export interface ListedDecision {
  readonly number: number;
  readonly exact: boolean;
  readonly placements: readonly ListedPlacement[];
}

export const readListedDecision = (answer: AnswerReader): ListedDecision => ({
  number: answer.u32(),
  exact: answer.bool(),
  placements: answer.list(() => readListedPlacement(answer)),
});

export interface PointParts {
  readonly rows: number;
  readonly royalties: number;
  readonly fouls: number;
  readonly fantasyland: number;
}

export const readPointParts = (answer: AnswerReader): PointParts => ({
  rows: answer.f64(),
  royalties: answer.f64(),
  fouls: answer.f64(),
  fantasyland: answer.f64(),
});

export interface PlacementSums {
  readonly number: number;
  readonly exact: boolean;
  readonly rollouts: number;
  readonly points: number;
  readonly squares: number;
  readonly parts: PointParts;
  readonly fouls: number;
  readonly fantasylands: number;
  readonly stacks: number;
  readonly own: PointParts;
}

export const readPlacementSums = (answer: AnswerReader): PlacementSums => ({
  number: answer.u32(),
  exact: answer.bool(),
  rollouts: answer.u64(),
  points: answer.f64(),
  squares: answer.f64(),
  parts: readPointParts(answer),
  fouls: answer.f64(),
  fantasylands: answer.f64(),
  stacks: answer.f64(),
  own: readPointParts(answer),
});

export interface PlacementList {
  readonly placements: readonly PlacementSums[];
}

export const readPlacementList = (answer: AnswerReader): PlacementList => ({
  placements: answer.list(() => readPlacementSums(answer)),
});

export interface StreetOutcome {
  readonly foul: number;
  readonly fantasyland: number;
  readonly royalties: number;
}

export const readStreetOutcome = (answer: AnswerReader): StreetOutcome => ({
  foul: answer.f64(),
  fantasyland: answer.f64(),
  royalties: answer.f64(),
});

export interface GameCourse {
  readonly streets: readonly StreetOutcome[];
}

export const readGameCourse = (answer: AnswerReader): GameCourse => ({
  streets: answer.list(() => readStreetOutcome(answer)),
});

export interface SoloStep {
  readonly ended: boolean;
  readonly points: readonly number[];
  readonly hands: readonly number[];
}

export const readSoloStep = (answer: AnswerReader): SoloStep => ({
  ended: answer.bool(),
  points: answer.list(() => answer.i32()),
  hands: answer.list(() => answer.u8()),
});

export interface SoloHand {
  readonly player: number;
  readonly fantasyland: number;
  readonly inRow: number;
  readonly faceDown: boolean;
  readonly rows: readonly (readonly number[])[];
  readonly toDiscard: number;
  readonly holds: number;
  readonly draws: readonly number[];
  readonly discards: readonly number[];
  readonly laid: readonly (readonly number[])[];
}

export const readSoloHand = (answer: AnswerReader): SoloHand => ({
  player: answer.u8(),
  fantasyland: answer.u8(),
  inRow: answer.u8(),
  faceDown: answer.bool(),
  rows: answer.times(3, () => answer.cards()),
  toDiscard: answer.u8(),
  holds: answer.u8(),
  draws: answer.cards(),
  discards: answer.cards(),
  laid: answer.list(() => answer.times(3, () => answer.u8())),
});

export interface SoloView {
  readonly over: boolean;
  readonly deals: number;
  readonly turn: number;
  readonly street: number;
  readonly hands: readonly SoloHand[];
}

export const readSoloView = (answer: AnswerReader): SoloView => ({
  over: answer.bool(),
  deals: answer.u32(),
  turn: answer.u8(),
  street: answer.u8(),
  hands: answer.list(() => readSoloHand(answer)),
});
