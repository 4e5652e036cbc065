// What makes the difference between two placements, in points, as src/triptych/solve/analysis/difference.py has it. Pure.

import type { AnalysisLine, Parts } from './analysis.svelte';

/** Whose royalties, fantasyland or fouls: the hand's own, its opponents', or what is between them. */
export type Side = 'own' | 'opponents' | 'both';

export interface Difference {
  readonly part: keyof Parts;
  readonly side: Side;
  /** Points of the other placement less those of the best one, as the hand receives them. */
  readonly points: number;
}

const MOST = 3;
/** A part that is smaller, in points or beside the largest part, is not named. */
const LEAST_POINTS = 0.005;
const LEAST_SHARE = 0.15;
/** A row that one side wins is lost by the other, so rows have no sides. */
const SIDED: readonly (keyof Parts)[] = ['royalties', 'fantasyland', 'fouls'];

function differences(best: AnalysisLine, other: AnalysisLine): Difference[] {
  const between = (part: keyof Parts, side: Side, a: Parts, b: Parts): Difference => ({
    part,
    side,
    points: side === 'opponents' ? a[part] - b[part] : b[part] - a[part],
  });
  const net = (part: keyof Parts): Difference => between(part, 'both', best.parts, other.parts);
  const [a, b] = [best.sides, other.sides];
  if (a === undefined || b === undefined) return [net('rows'), ...SIDED.map(net)];
  return [
    net('rows'),
    ...SIDED.flatMap((part) => [
      between(part, 'own', a.own, b.own),
      between(part, 'opponents', a.opponents, b.opponents),
    ]),
  ];
}

/** The largest parts of the difference, the largest first. */
export function largestDifferences(best: AnalysisLine, other: AnalysisLine): readonly Difference[] {
  const all = differences(best, other).toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points));
  const least = Math.max(LEAST_POINTS, LEAST_SHARE * Math.abs(all[0]?.points ?? 0));
  return all.filter(({ points }) => Math.abs(points) >= least).slice(0, MOST);
}
