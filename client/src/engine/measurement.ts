// The final measurement of a decision's placements, as src/triptych/solve/analysis/measurement.py does it: all of them a
// little, then the best ones to the end. All get the same cards, rollout by rollout, so that the difference of two is known
// more precisely than the value of either.

import { type Analysis, mergeStats, error, mean, type CandidateStats } from './analysis';

const MIN_Z = 2; // standard errors beyond which two placements differ
const EQUAL = 1e-6; // points that are no difference between exact values
const FIRST_BATCHES = 4; // batches of the first, short measurement
const BATCH_ROLLOUTS = 200; // in the later measurement
const CANDIDATE_Z = 1.5; // standard errors above the best, then a placement is measured to the end as well

/** The loss of a placement against another one, and its standard error. */
export interface PairedLoss {
  readonly points: number;
  readonly error: number;
}

/** The loss between two placements, from their points in the batches of rollouts that both were measured in. */
export function pairedLoss(sizes: readonly number[], best: readonly number[], other: readonly number[]): PairedLoss {
  const both = Math.min(sizes.length, best.length, other.length);
  const lost = (at: number): number => (best[at] as number) - (other[at] as number);
  let [done, total, squares] = [0, 0, 0];
  for (let at = 0; at < both; at += 1) {
    done += sizes[at] as number;
    total += lost(at);
  }
  if (both < 2) return { points: total / done, error: Infinity };
  for (let at = 0; at < both; at += 1)
    squares += (sizes[at] as number) * (lost(at) / (sizes[at] as number) - total / done) ** 2;
  return { points: total / done, error: Math.sqrt(squares / (both - 1) / done) };
}

/** Whether a loss is within its error. */
export const withinError = ({ points, error: unsure }: PairedLoss): boolean =>
  points <= Math.max(MIN_Z * unsure, EQUAL);

export class Measurement {
  /** Those that are measured to the end. */
  readonly measured: number[];
  readonly sums = new Map<number, CandidateStats>();
  private readonly sizes: number[] = [];
  private readonly points = new Map<number, number[]>();
  private readonly analysis: Analysis;
  private readonly order: readonly number[];
  private readonly seed: number;
  private readonly rolloutsOfAll: number;

  /** `order`: all placements, each measured by `wide` rollouts; `measured`: those that go on. */
  constructor(
    analysis: Analysis,
    order: readonly number[],
    measured: readonly number[],
    seed: number,
    rolloutsOfAll: number,
  ) {
    this.analysis = analysis;
    this.order = order;
    this.measured = [...new Set(measured)];
    this.seed = seed;
    this.rolloutsOfAll = rolloutsOfAll;
    this.measureAll(order, rolloutsOfAll, Math.max(1, Math.ceil(rolloutsOfAll / FIRST_BATCHES)));
    this.addCandidates();
  }

  /** The largest standard error of those that are measured to the end. */
  get error(): number {
    return Math.max(...this.measured.map((which) => error(this.of(which))));
  }

  /** The largest standard error of a loss against the best, of those within the error of it. */
  get lossError(): number {
    const value = (which: number): number => mean(this.of(which));
    const best = this.measured.reduce((a, b) => (value(b) > value(a) ? b : a));
    const losses = this.measured.filter((which) => which !== best).map((which) => this.loss(best, which));
    const unsure = losses.filter((loss) => loss.points <= MIN_Z * loss.error);
    return Math.max(0, ...unsure.map((loss) => loss.error));
  }

  /** Measure the best ones longer. */
  continueMeasuring(rollouts: number): void {
    this.measureAll(this.measured, rollouts, BATCH_ROLLOUTS);
    this.addCandidates();
  }

  of(which: number): CandidateStats {
    return this.sums.get(which) as CandidateStats;
  }

  /** The loss of one that is measured to the end against another. */
  loss(best: number, other: number): PairedLoss {
    return pairedLoss(this.sizes, this.points.get(best) as number[], this.points.get(other) as number[]);
  }

  private measureAll(chosen: readonly number[], rollouts: number, batch: number): void {
    for (let start = 0; start < rollouts; start += batch) {
      const size = Math.min(batch, rollouts - start);
      this.measure(
        chosen,
        size,
        this.sizes.reduce((sum, count) => sum + count, 0),
      );
      this.sizes.push(size);
    }
  }

  private measure(chosen: readonly number[], each: number, first: number): void {
    const stats = this.analysis.measure({ chosen, each, seed: BigInt(this.seed), first: BigInt(first) });
    for (const [at, which] of chosen.entries()) {
      const more = stats[at] as CandidateStats;
      const before = this.sums.get(which);
      this.sums.set(which, before === undefined ? more : mergeStats(before, more));
      this.points.set(which, [...(this.points.get(which) ?? []), more.points]);
    }
  }

  /** Measure to the end also what the short measurement puts clearly ahead of the best so far. */
  private addCandidates(): void {
    for (;;) {
      const value = (which: number): number => mean(this.of(which));
      const best = this.measured.reduce((a, b) => (value(b) > value(a) ? b : a));
      const ahead = (which: number): boolean =>
        value(which) - value(best) > CANDIDATE_Z * Math.hypot(error(this.of(which)), error(this.of(best)));
      const more = this.order.filter((which) => !this.measured.includes(which) && ahead(which));
      const [some] = more;
      if (some === undefined) return;
      let first = this.rolloutsOfAll;
      for (const size of this.sizes.slice(this.points.get(some)?.length)) {
        this.measure(more, size, first);
        first += size;
      }
      this.measured.push(...more);
    }
  }
}
