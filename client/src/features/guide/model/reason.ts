// Why the best placement is better than the next one: the cards that lie elsewhere, and the largest parts of the difference.

import { largestDifferences, type Difference } from '../../analyse/model/difference';
import type { AnalysisLine } from '../../analyse/model/analysis.svelte';
import { ROWS } from '../../../cards/rows';

/** Below so many points two placements are equally good to a player. */
export const SAME_POINTS = 0.05;

export interface Reason {
  /** The cards that the best one puts into this row and the other one does not. */
  readonly row: (typeof ROWS)[number];
  readonly cards: readonly string[];
  /** What the best one is better in, and what it costs, each the largest first: points that the best has more. */
  readonly gains: readonly Difference[];
  readonly costs: readonly Difference[];
}

/** What the best placement is compared with: the next one that is not as good; null where all are. */
export const runnerUp = ([best, ...others]: readonly AnalysisLine[]): AnalysisLine | null =>
  (best && others.find((other) => best.value - other.value >= SAME_POINTS)) ?? null;

export function reasonFor(best: AnalysisLine, other: AnalysisLine): Reason | null {
  const moved = ROWS.map((row, at) => ({
    row,
    cards: (best.rows[at] ?? []).filter((card) => !(other.rows[at] ?? []).includes(card)),
  })).filter(({ cards }) => cards.length > 0);
  const parts = largestDifferences(best, other).map((part) => ({ ...part, points: -part.points }));
  const gains = parts.filter(({ points }) => points > 0);
  const where =
    moved.find(({ row }) => row === 'front') ?? moved.toSorted((a, b) => b.cards.length - a.cards.length)[0];
  if (where === undefined || gains.length === 0) return null;
  return { ...where, gains, costs: parts.filter(({ points }) => points < 0) };
}

/**
 * The chances that say the same as a part's points, in whole per cent: of one's own fantasyland or foul. Null where
 * they do not differ, or differ the other way round.
 */
export function chances(
  { part, side, points }: Difference,
  best: AnalysisLine,
  other: AnalysisLine,
): { readonly best: number; readonly other: number } | null {
  if (side !== 'own' || (part !== 'fantasyland' && part !== 'fouls')) return null;
  const [a, b] = part === 'fouls' ? [best.foul, other.foul] : [best.enters, other.enters];
  const more = Math.round(100 * a) - Math.round(100 * b);
  const says = part === 'fouls' ? more * points < 0 : more * points > 0;
  return says ? { best: a, other: b } : null;
}
