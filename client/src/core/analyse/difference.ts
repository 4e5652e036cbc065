// What makes the difference between two placements, in points. Pure.

import type { Line, Parts } from './search.svelte';

export interface Difference {
  readonly part: keyof Parts;
  /** Points of the other placement less those of the best one. */
  readonly points: number;
}

const MOST = 3;
/** A part that is smaller, in points or beside the largest part, is not named. */
const LEAST_POINTS = 0.005;
const LEAST_SHARE = 0.15;

/** The largest parts of the difference, the largest first. */
export function largestDifferences(best: Line, other: Line): readonly Difference[] {
  const names = Object.keys(best.parts) as (keyof Parts)[];
  const all = names.map((part) => ({ part, points: other.parts[part] - best.parts[part] })).toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points));
  const least = Math.max(LEAST_POINTS, LEAST_SHARE * Math.abs(all[0]?.points ?? 0));
  return all.filter(({ points }) => Math.abs(points) >= least).slice(0, MOST);
}
