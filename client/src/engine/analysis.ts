// What every placement of a street is worth, in slices of rollouts. A rollout has cards of its own by its number, so
// slices can be played anywhere and in any order; their sums are added up in theirs.

import { RequestWriter } from './bytes';
import type { Kernel } from './kernel';
import {
  type PlacementSums,
  type PointParts,
  readGameCourse,
  readListedDecision,
  readPlacementList,
} from './results';

export interface Hand {
  readonly rows: readonly (readonly number[])[]; // front, middle, back
  readonly streetsDone: number;
  readonly fantasyland: number; // cards, 0 outside one
  readonly inRow: number;
  /** How many cards lay in each row after each street done; none where that is not known. */
  readonly laid: readonly (readonly number[])[];
}

/** A street to be placed, or a whole fantasyland. `unseen`: a bit for each card that the hand to act does not see. */
export interface Position {
  readonly street: number; // from 0
  readonly me: number;
  readonly cards: readonly number[];
  readonly unseen: bigint;
  readonly hands: readonly Hand[];
  /** What bounds the payments of the deal, as the server packs it; nothing does without it. */
  readonly stacks?: Uint8Array<ArrayBuffer>;
  /** Settings of a fantasyland, front to back, that are to be among the placements. */
  readonly named?: readonly (readonly (readonly number[])[])[];
}

/** Cards for front, middle, back, and what the learned table thinks of them. */
export interface Placement {
  readonly rows: readonly (readonly number[])[];
  readonly prior: number;
}

/** What one side of the table brings itself: rows that it wins, its royalties, what its fouls cost (below zero), fantasyland. */
export interface SidePoints {
  readonly rows: number;
  readonly royalties: number;
  readonly fouled: number;
  readonly fantasyland: number;
}

/** Sums over rollouts of one placement; `exact`: one sum that has no error. */
export interface CandidateStats {
  readonly exact: boolean;
  readonly rollouts: number;
  readonly points: number;
  readonly squares: number;
  readonly rows: number;
  readonly royalties: number;
  readonly fouled: number; // points
  readonly fantasyland: number; // points
  readonly fouls: number;
  readonly fantasylands: number;
  readonly stacks: number; // points that stacks take or give
  /** What the hand brings, and what its opponents do: rows, royalties, fouled and fantasyland are the first less the second. */
  readonly own: SidePoints;
  readonly opponents: SidePoints;
}

export interface SampleRange {
  readonly chosen: readonly number[]; // placements by their place in `placements`
  readonly each: number;
  readonly seed: bigint;
  readonly first: bigint;
}

/** After a street: the chance that the board is fouled for certain, that fantasyland is sure, and royalties that are. */
export interface StreetOutcome {
  readonly foul: number;
  readonly enters: number;
  readonly royalties: number;
}

const USE_BELIEF = 1; // that others chose what they threw away
const SCREENING_ROLLOUTS = 45_000; // rollouts, on a first street so many for each opponent
const STEP_ROLLOUTS = 4_000; // rollouts: some ten milliseconds

export const mean = (sums: CandidateStats): number => sums.points / Math.max(1, sums.rollouts);

/** The standard error of the mean; infinite before there is one. */
export function error(sums: CandidateStats): number {
  if (sums.exact) return 0;
  if (sums.rollouts < 2) return Infinity;
  const average = mean(sums);
  return Math.sqrt(Math.max(0, sums.squares / sums.rollouts - average * average) / (sums.rollouts - 1));
}

const subtract = (a: SidePoints, b: SidePoints): SidePoints => ({
  rows: a.rows - b.rows,
  royalties: a.royalties - b.royalties,
  fouled: a.fouled - b.fouled,
  fantasyland: a.fantasyland - b.fantasyland,
});
const add = (a: SidePoints, b: SidePoints): SidePoints => ({
  rows: a.rows + b.rows,
  royalties: a.royalties + b.royalties,
  fouled: a.fouled + b.fouled,
  fantasyland: a.fantasyland + b.fantasyland,
});

export const mergeStats = (a: CandidateStats, b: CandidateStats): CandidateStats =>
  b.exact
    ? b
    : {
        exact: false,
        rollouts: a.rollouts + b.rollouts,
        points: a.points + b.points,
        squares: a.squares + b.squares,
        rows: a.rows + b.rows,
        royalties: a.royalties + b.royalties,
        fouled: a.fouled + b.fouled,
        fantasyland: a.fantasyland + b.fantasyland,
        fouls: a.fouls + b.fouls,
        fantasylands: a.fantasylands + b.fantasylands,
        stacks: a.stacks + b.stacks,
        own: add(a.own, b.own),
        opponents: add(a.opponents, b.opponents),
      };

export class Analysis {
  readonly placements: readonly Placement[];
  /** Whether the answer needs no rollouts: one of each is all of it. */
  readonly exact: boolean;
  /** By so many a first street takes as many more rollouts to sort. */
  readonly opponents: number;
  private readonly kernel: Kernel;
  private readonly handle: number;

  /** `player`: what the kernel keeps of /weights. Throws EngineError. */
  constructor(kernel: Kernel, player: number, position: Position) {
    const request = new RequestWriter().u32(player, position.street, position.me).cards(position.cards);
    request.u64(position.unseen).u32(USE_BELIEF, position.hands.length);
    for (const hand of position.hands) {
      for (const row of hand.rows) request.cards(row);
      request.u32(hand.streetsDone, hand.fantasyland, hand.inRow).u8(hand.laid.length, ...hand.laid.flat());
    }
    if (position.stacks === undefined) request.u32(0);
    else request.raw(position.stacks);
    if ((position.hands[position.me]?.fantasyland ?? 0) > 0) {
      const named = position.named ?? [];
      const bits = (row: readonly number[]): number =>
        row.reduce((sum, card) => sum | (1 << position.cards.indexOf(card)), 0);
      request.u32(named.length, ...named.flatMap((rows) => rows.map(bits)));
    }
    const { number, exact, placements } = kernel.read('analysis_begin', request, readListedDecision);
    this.kernel = kernel;
    const late = position.street > 0 || (position.hands[position.me]?.fantasyland ?? 0) > 0;
    this.opponents = late ? 1 : position.hands.length - 1;
    this.handle = number;
    this.exact = exact;
    this.placements = placements;
  }

  /** The sums of a slice alone, in the order of `chosen`. */
  measure(slice: SampleRange): CandidateStats[] {
    const mine = () => new RequestWriter().u32(this.handle);
    this.kernel.call('analysis_forget', mine());
    const request = mine()
      .u32(slice.chosen.length, ...slice.chosen, slice.each)
      .u64(slice.seed, slice.first);
    this.kernel.call('analysis_measure', request);
    const statsByPlacement = new Map(this.read().map((one) => [one.number, statsOf(one)]));
    return slice.chosen.map((which) => statsByPlacement.get(which) as CandidateStats);
  }

  /** Begins to sort the placements, by a search that halves the field; `width`: so many of them are played out. */
  startScreening(rollouts = SCREENING_ROLLOUTS * this.opponents, width = this.placements.length): void {
    this.kernel.call('analysis_race', new RequestWriter().u32(this.handle, width, rollouts));
  }

  /** As much of that as so many rollouts cost, always by the same seed; whether it goes on. */
  continueScreening(seed: bigint, rollouts = STEP_ROLLOUTS): boolean {
    return (
      this.kernel
        .call('analysis_step', new RequestWriter().u32(this.handle, rollouts).u64(seed))
        .getUint32(0, true) === 1
    );
  }

  /** The placements in their present order, the best first. */
  ranking(): number[] {
    return this.read().map(({ number }) => number);
  }

  /** All of the sorting at once. */
  screen(seed: bigint, rollouts?: number, width?: number): number[] {
    this.startScreening(rollouts, width);
    while (this.continueScreening(seed));
    return this.ranking();
  }

  /** The points of each rollout of a slice, one after the other for each of `chosen`. */
  sample(slice: SampleRange): Float32Array {
    const request = new RequestWriter()
      .u32(this.handle, slice.chosen.length, ...slice.chosen, slice.each)
      .u64(slice.seed, slice.first);
    return new Float32Array(this.kernel.call('analysis_sample', request).buffer);
  }

  /** What a placement comes to for certain, by street of the game, on average over a slice's rollouts. */
  streetOutcomes({ chosen, each, seed, first }: SampleRange): StreetOutcome[] {
    const request = new RequestWriter().u32(this.handle, ...chosen, each).u64(seed, first);
    return this.kernel
      .read('analysis_course', request, readGameCourse)
      .streets.map(({ foul, fantasyland, royalties }) => ({ foul, enters: fantasyland, royalties }));
  }

  dispose(): void {
    this.kernel.drop(this.handle);
  }

  private read(): readonly PlacementSums[] {
    return this.kernel.read('analysis_read', new RequestWriter().u32(this.handle), readPlacementList).placements;
  }
}

const sidePoints = ({ rows, royalties, fouls, fantasyland }: PointParts): SidePoints => ({
  rows,
  royalties,
  fouled: fouls,
  fantasyland,
});

function statsOf(sums: PlacementSums): CandidateStats {
  const { exact, rollouts, points, squares, fouls, fantasylands, stacks } = sums;
  const [net, own] = [sidePoints(sums.parts), sidePoints(sums.own)];
  return {
    ...{ exact, rollouts, points, squares, fouls, fantasylands, stacks },
    ...net,
    own,
    opponents: subtract(own, net),
  };
}
