// Measures the placements of a street in slices of rollouts. The number of a rollout determines its cards, so slices can
// run on any worker in any order; their sums are merged in the order of the slices.

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
  /** The number of cards in each row after each completed street; empty when unknown. */
  readonly laid: readonly (readonly number[])[];
}

/** A street to be placed, or a whole fantasyland. `unseen`: a bit for each card that the hand to act does not see. */
export interface Position {
  readonly street: number; // from 0
  readonly me: number;
  readonly cards: readonly number[];
  readonly unseen: bigint;
  readonly hands: readonly Hand[];
  /** The stacks that limit the payments of the deal, as the server packs them; without them nothing is limited. */
  readonly stacks?: Uint8Array<ArrayBuffer>;
  /** Settings of a fantasyland, front to back, that must be among the placements. */
  readonly named?: readonly (readonly (readonly number[])[])[];
}

/** Cards for front, middle, back, and their value by the learned table, before any search. */
export interface Placement {
  readonly rows: readonly (readonly number[])[];
  readonly prior: number;
}

/** Points of one side of the table: rows that it wins, its royalties, what its fouls cost (below zero), fantasyland. */
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
  /** The hand's and its opponents' points: rows, royalties, fouled and fantasyland above are the first less the second. */
  readonly own: SidePoints;
  readonly opponents: SidePoints;
}

export interface SampleRange {
  readonly chosen: readonly number[]; // indexes of `placements`
  readonly each: number;
  readonly seed: bigint;
  readonly first: bigint;
}

/** After a street: the chances of a certain foul and of a certain fantasyland, and the certain royalties. */
export interface StreetOutcome {
  readonly foul: number;
  readonly enters: number;
  readonly royalties: number;
}

const USE_BELIEF = 1; // weigh the others' discards by how likely they chose them
const SCREENING_ROLLOUTS = 45_000; // on a first street, for each opponent
const STEP_ROLLOUTS = 4_000; // some ten milliseconds

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
  /** Whether the result is exact: one rollout of each placement is enough. */
  readonly exact: boolean;
  /** How many times more rollouts the screening takes: a first street multiplies them by its opponents. */
  readonly opponents: number;
  private readonly kernel: Kernel;
  private readonly handle: number;

  /** `player`: the kernel's handle of the loaded weights. Throws EngineError. */
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
    const statsByPlacement = new Map(this.read().map((candidate) => [candidate.number, statsOf(candidate)]));
    return slice.chosen.map((which) => statsByPlacement.get(which) as CandidateStats);
  }

  /** Starts screening the placements by sequential halving; `width`: how many of them get rollouts. */
  startScreening(rollouts = SCREENING_ROLLOUTS * this.opponents, width = this.placements.length): void {
    this.kernel.call('analysis_race', new RequestWriter().u32(this.handle, width, rollouts));
  }

  /** Continues the screening by that many rollouts, always with the same seed; returns whether it is unfinished. */
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

  /** Screens to the end at once; returns the placements, best first. */
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

  /** The outcomes of a placement by street, on average over a slice's rollouts. */
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
