// How well somebody plays, whatever cards come: points lost a decision, as src/triptych/solve/analysis/rating.py has it. Pure.

/** One decision: its street from 1, points behind the best as measured, and whether it counts. */
export interface RatedDecision {
  readonly street: number;
  readonly loss: number;
  readonly isRated: boolean;
}

/** Points lost a counted decision; the 95 % interval `lost` ± `half`, null below two deals. */
export interface Rate {
  readonly lost: number;
  readonly half: number | null;
  readonly decisions: number;
  readonly deals: number;
}

/** Of one player's decisions, deal by deal: deals are independent, the decisions of one are not. */
export function rateOf(deals: readonly (readonly RatedDecision[])[]): Rate {
  const sums = deals
    .filter((decisions) => decisions.length > 0)
    .map((decisions) => decisions.filter(({ isRated }) => isRated))
    .map((decisions) => ({ points: decisions.reduce((sum, { loss }) => sum + loss, 0), count: decisions.length }));
  const n = sums.length;
  const decisions = sums.reduce((sum, { count }) => sum + count, 0);
  if (decisions === 0) return { lost: 0, half: null, decisions, deals: n };
  const lost = sums.reduce((sum, { points }) => sum + points, 0) / decisions;
  if (n === 1) return { lost, half: null, decisions, deals: n };
  const spread = sums.reduce((sum, { points, count }) => sum + (points - lost * count) ** 2, 0) / (n - 1);
  return { lost, half: (studentT(n - 1) * Math.sqrt(n * spread)) / decisions, decisions, deals: n };
}

const EXACT = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706];
const Z = 1.959964;

/** The 97.5 % point of Student's t. */
export function studentT(freedom: number): number {
  const exact = EXACT[freedom - 1];
  if (exact !== undefined) return exact;
  const [first, second] = [(Z ** 3 + Z) / 4, (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / 96];
  const third = (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / 384;
  return Z + first / freedom + second / freedom ** 2 + third / freedom ** 3;
}

/** Decisions before a level is named. */
export const MIN_DECISIONS = 100;

/** The level whose measured rate is nearest, by square roots; null where none was measured. */
export function nearestLevel(levels: Readonly<Record<string, number>>, { lost, decisions }: Rate): string | null {
  const rates = Object.entries(levels);
  if (rates.length === 0 || decisions < MIN_DECISIONS) return null;
  const away = (rate: number): number => Math.abs(Math.sqrt(rate) - Math.sqrt(Math.max(lost, 0)));
  return rates.reduce((best, other) => (away(other[1]) < away(best[1]) ? other : best))[0];
}

/** The ISO week of a moment, as 2026-W47. */
export function weekOf(at: number): string {
  const day = new Date(at);
  const thursday = new Date(Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()));
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7));
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = Math.ceil(((thursday.getTime() - first) / 86_400_000 + 1) / 7);
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}
