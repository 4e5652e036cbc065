// Compares results of the same decks. Players with other cards are compared by points above par: what the bot itself
// made of the cards in that seat. Of the same cards par drops out. Pure.

import { studentT } from '../../../shared/rate';
import type { Result } from './link';

/** Points a deal; the 95 % interval is `mean` ± `half`, null of one deal. */
export interface Mean {
  readonly mean: number;
  readonly half: number | null;
}

export interface PlayerComparison {
  readonly first: number;
  readonly second: number;
  /** By how many points the first is ahead, deal by deal. */
  readonly ahead: readonly number[];
  readonly sum: Mean;
}

export function meanWithInterval(points: readonly number[]): Mean {
  const n = points.length;
  const mean = total(points) / n;
  if (n < 2) return { mean, half: null };
  const spread = points.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  return { mean, half: studentT(n - 1) * Math.sqrt(spread / n) };
}

export const total = (points: readonly number[]): number => points.reduce((sum, value) => sum + value, 0);

/** What a seat won above par; `par`: of seat 0, as many deals as are known. */
export const abovePar = ({ seat, points }: Result, par: readonly number[]): number[] =>
  par.map((value, deal) => (points[deal] ?? 0) - (seat === 0 ? value : -value));

/** Each two of them, for which all deals can be compared. */
export function comparePlayers(results: readonly Result[], par: readonly number[]): PlayerComparison[] {
  return results.flatMap((result, first) =>
    results.slice(first + 1).flatMap((other, at) => {
      const deals = result.points.length;
      if (result.seat !== other.seat && par.length < deals) return [];
      const level = result.seat === other.seat ? result.points.map(() => 0) : par;
      const [mine, theirs] = [abovePar(result, level), abovePar(other, level)];
      const ahead = mine.map((points, deal) => points - (theirs[deal] ?? 0));
      return [{ first, second: first + 1 + at, ahead, sum: meanWithInterval(ahead) }];
    }),
  );
}
