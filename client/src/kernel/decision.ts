// One placement judged beside the others, as `triptych review` does it (src/triptych/solve/analysis): the placements are
// sorted by a search that halves the field; then all are measured anew, the best ones and the judged one longer; what the
// judged one lost is measured by cards that neither was chosen by. All of it in one worker: the same seed, the same numbers.

import { type Analysis, error, added, mean, type Sums } from './analysis';

const WIDE = 200; // then for every placement
const SLICE = 2_000; // then for the best ones, a slice

export interface Judging {
  readonly seed: number;
  /** When to stop: the standard error in points, or after so many slices. */
  readonly error: number;
  readonly slices: number;
  readonly best: number;
}

/** A placement by its number in the position, and its sums. */
export interface Judged {
  readonly which: number;
  readonly sums: Sums;
}

export interface Verdict {
  readonly exact: boolean;
  /** The best one first, then those that were measured longest, by value. */
  readonly lines: readonly Judged[];
  readonly lost: number;
  /** The standard error of `lost`. */
  readonly error: number;
  /** `lost` as measured: by luck it may be below 0, where `lost` is 0. */
  readonly behind: number;
  /** There was something to decide: it counts for an error rate (src/triptych/solve/analysis/rating.py). */
  readonly counted: boolean;
}

const OBVIOUS = 3; // points that the best placement is ahead of the second
const EQUAL = 1e-6; // points

const same = (one: readonly (readonly number[])[], two: readonly (readonly number[])[]): boolean =>
  one.every((row, at) => row.length === two[at]?.length && row.every((card) => two[at]?.includes(card)));

/** The number of a placement by its rows. */
export function numberOf(analysis: Analysis, rows: readonly (readonly number[])[]): number {
  const which = analysis.placements.findIndex((one) => same(one.rows, rows));
  if (which < 0) throw new Error('this is no placement of these cards');
  return which;
}

/** By how many points the second placement is behind the first, and the standard error of that, by the same cards. */
function behind(analysis: Analysis, pair: readonly [number, number], judging: Judging): { readonly behind: number; readonly error: number } {
  let [done, total, squares, unsure] = [0, 0, 0, Infinity];
  while (done < WIDE || (unsure > judging.error && done < judging.slices * SLICE)) {
    const points = analysis.sample({ chosen: pair, each: SLICE, seed: BigInt(judging.seed + 2), first: BigInt(done) });
    for (let at = 0; at < points.length; at += 2) {
      const gap = (points[at] as number) - (points[at + 1] as number);
      total += gap;
      squares += gap * gap;
    }
    done += SLICE;
    unsure = Math.sqrt(Math.max(0, squares / done - (total / done) ** 2) / (done - 1));
  }
  return { behind: total / done, error: unsure };
}

/** Not forced, and either missed or not obvious; the best line comes first. */
function counted(lines: readonly Judged[], exact: boolean, missed: boolean): boolean {
  const [best, ...others] = lines;
  if (best === undefined || others.length === 0) return false;
  const ahead = others.filter(({ sums }) => sums.rollouts === best.sums.rollouts).map(({ sums }) => mean(best.sums) - mean(sums));
  if (exact && ahead.every((points) => points < EQUAL)) return false;
  return missed || Math.max(0, Math.min(Infinity, ...ahead)) < OBVIOUS;
}

/** Judge the placement `played` of an analysis. */
export function judged(analysis: Analysis, played: number, judging: Judging): Verdict {
  const { seed, best } = judging;
  const order = analysis.sorted(BigInt(seed));
  const measure = (chosen: readonly number[], each: number, first: number): Sums[] =>
    analysis.measure({ chosen, each, seed: BigInt(seed + 1), first: BigInt(first) });
  const first = order[0] as number;
  const told = (sums: ReadonlyMap<number, Sums>): readonly Judged[] => {
    const [leader, ...others] = order.map((which): Judged => ({ which, sums: sums.get(which) as Sums }));
    others.sort((a, b) => b.sums.rollouts - a.sums.rollouts || mean(b.sums) - mean(a.sums));
    return [leader as Judged, ...others];
  };
  const all = measure(order, analysis.exact ? 1 : WIDE, 0);
  const sums = new Map(order.map((which, at) => [which, all[at] as Sums]));
  if (analysis.exact) {
    const lost = mean(sums.get(first) as Sums) - mean(sums.get(played) as Sums);
    const lines = told(sums);
    return { exact: true, lines, lost, error: 0, behind: lost, counted: counted(lines, true, lost > 0) };
  }
  const longer = [...new Set([...order.slice(0, best), played])];
  const unsure = (): number => Math.max(...longer.map((which) => error(sums.get(which) as Sums)));
  for (let slice = 0; slice < judging.slices && (slice === 0 || unsure() > judging.error); ++slice) {
    const more = measure(longer, SLICE, WIDE + slice * SLICE);
    for (const [at, which] of longer.entries()) sums.set(which, added(sums.get(which) as Sums, more[at] as Sums));
  }
  const gap = played === first ? { behind: 0, error: 0 } : behind(analysis, [first, played], judging);
  const [lines, lost] = [told(sums), Math.max(0, gap.behind)];
  return { exact: false, lines, lost, ...gap, counted: counted(lines, false, lost > 0) };
}
