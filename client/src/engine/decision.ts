// Evaluates one placement beside the others, as `triptych review` does it (src/triptych/solve/analysis): the placements
// are screened by sequential halving; then all are measured with other cards, the best ones and the evaluated one longer
// (measurement.ts); the loss is measured with cards that neither was chosen by. One worker does all of it, so the same
// seed gives the same numbers.

import { type Analysis, mean, type CandidateStats } from './analysis';
import { Measurement, withinError } from './measurement';

const SCREENING_ROLLOUTS = 12_000; // on a first street, for each opponent
const ROLLOUTS_OF_ALL = 200; // then for every placement
const SLICE_ROLLOUTS = 2_000; // then for the best ones, a slice

export interface EvaluationOptions {
  readonly seed: number;
  /** When to stop: the standard error in points, or after so many slices. */
  readonly error: number;
  readonly slices: number;
  readonly best: number;
}

/** A placement by its number in the position, and its sums. */
export interface EvaluatedPlacement {
  readonly which: number;
  readonly sums: CandidateStats;
  /** Within the error of the best; only of those that were measured to the end. */
  readonly close: boolean;
}

export interface Evaluation {
  readonly exact: boolean;
  /** The best one first, then those that were measured longest, by value. */
  readonly lines: readonly EvaluatedPlacement[];
  readonly lost: number;
  /** The standard error of `lost`. */
  readonly error: number;
  /** `lost` as measured, below 0 where the evaluated one proved to be the best; `lost` is 0 then. */
  readonly behind: number;
  /** The evaluated placement is within the error of the best. */
  readonly close: boolean;
  /** A rated decision: it counts for an error rate (src/triptych/solve/analysis/rating.py). */
  readonly counted: boolean;
}

const OBVIOUS_MARGIN = 3; // points that the best placement is ahead of the second
const EQUAL = 1e-6; // points

const same = (first: readonly (readonly number[])[], second: readonly (readonly number[])[]): boolean =>
  first.every((row, at) => row.length === second[at]?.length && row.every((card) => second[at]?.includes(card)));

/** The index of the placement with these rows. */
export function placementIndex(analysis: Analysis, rows: readonly (readonly number[])[]): number {
  const which = analysis.placements.findIndex((placement) => same(placement.rows, rows));
  if (which < 0) throw new Error('this is not a placement of these cards');
  return which;
}

/** The loss of the second placement against the first and its standard error, both with the same cards. */
function measureLoss(
  analysis: Analysis,
  pair: readonly [number, number],
  options: EvaluationOptions,
): { readonly behind: number; readonly error: number } {
  let [done, total, squares, standardError] = [0, 0, 0, Infinity];
  while (done < ROLLOUTS_OF_ALL || (standardError > options.error && done < options.slices * SLICE_ROLLOUTS)) {
    const points = analysis.sample({
      chosen: pair,
      each: SLICE_ROLLOUTS,
      seed: BigInt(options.seed + 2),
      first: BigInt(done),
    });
    for (let at = 0; at < points.length; at += 2) {
      const gap = (points[at] as number) - (points[at + 1] as number);
      total += gap;
      squares += gap * gap;
    }
    done += SLICE_ROLLOUTS;
    standardError = Math.sqrt(Math.max(0, squares / done - (total / done) ** 2) / (done - 1));
  }
  return { behind: total / done, error: standardError };
}

/** Not forced, and either missed or not obvious; the best line comes first. */
function isRated(lines: readonly EvaluatedPlacement[], exact: boolean, missed: boolean): boolean {
  const [best, ...others] = lines;
  if (best === undefined || others.length === 0) return false;
  const ahead = others
    .filter(({ sums }) => sums.rollouts === best.sums.rollouts)
    .map(({ sums }) => mean(best.sums) - mean(sums));
  if (exact && ahead.every((points) => points < EQUAL)) return false;
  return missed || Math.max(0, Math.min(Infinity, ...ahead)) < OBVIOUS_MARGIN;
}

/** Evaluate the placement `played` of an analysis. */
export function evaluate(analysis: Analysis, played: number, options: EvaluationOptions): Evaluation {
  const { seed, best } = options;
  const order = analysis.screen(BigInt(seed), SCREENING_ROLLOUTS * analysis.opponents);
  if (analysis.exact) return evaluateExactly(analysis, order, played, seed);
  const measurement = new Measurement(analysis, order, [...order.slice(0, best), played], seed + 1, ROLLOUTS_OF_ALL);
  for (let slice = 0; slice < options.slices && (slice === 0 || measurement.lossError > options.error); slice += 1)
    measurement.continueMeasuring(SLICE_ROLLOUTS);
  const value = (which: number): number => mean(measurement.of(which));
  const byValue = (some: readonly number[]): number[] => some.toSorted((a, b) => value(b) - value(a));
  const measured = byValue(order.filter((which) => measurement.measured.includes(which)));
  const first = measured[0] as number;
  const others = byValue(order.filter((which) => !measured.includes(which)));
  const lines = [...measured, ...others].map((which): EvaluatedPlacement => ({
    which,
    sums: measurement.of(which),
    close: measured.includes(which) && withinError(measurement.loss(first, which)),
  }));
  const lost = played === first ? { behind: 0, error: 0 } : measureLoss(analysis, [first, played], options);
  // By the last measurement, of these two alone, it may be the best itself.
  const isBest = played === first || lost.behind < 0;
  const ordered = isBest
    ? [...lines.filter(({ which }) => which === played), ...lines.filter(({ which }) => which !== played)]
    : lines;
  return {
    exact: false,
    lines: ordered,
    lost: Math.max(0, lost.behind),
    ...lost,
    close: withinError({ points: lost.behind, error: lost.error }),
    counted: isRated(lines, false, lost.behind > 0),
  };
}

function evaluateExactly(analysis: Analysis, order: readonly number[], played: number, seed: number): Evaluation {
  const sums = analysis.measure({ chosen: order, each: 1, seed: BigInt(seed + 1), first: 0n });
  const most = Math.max(...sums.map(mean));
  const lines = order
    .map((which, at): EvaluatedPlacement => ({
      which,
      sums: sums[at] as CandidateStats,
      close: most - mean(sums[at] as CandidateStats) < EQUAL,
    }))
    .toSorted((a, b) => mean(b.sums) - mean(a.sums));
  const lost = most - mean((lines.find(({ which }) => which === played) as EvaluatedPlacement).sums);
  return {
    exact: true,
    lines,
    lost,
    error: 0,
    behind: lost,
    close: lost < EQUAL,
    counted: isRated(lines, true, lost > 0),
  };
}
