// How bad a placement was, by the points that it lost. From where on a band begins is the player's, kept on the device.

import { save, load } from '../../../shared/storage';

export const BANDS = ['best', 'good', 'inaccuracy', 'mistake', 'blunder'] as const;
export type Grade = (typeof BANDS)[number];

/** The points up to which a placement is still good, an inaccuracy, a mistake. */
export interface GradeLimits {
  readonly good: number;
  readonly inaccuracy: number;
  readonly mistake: number;
}

/** What `strong`, `medium` and `fast` lose at most in 49 of 50 placements: uv run python -m bench.decisions --bands. */
export const DEFAULT_LIMITS: GradeLimits = { good: 0.14, inaccuracy: 0.35, mistake: 1.2 };
export const MOST = 20;

const KEY = 'triptych.bands';
const NOTHING = 0.005; // points: shown as 0.00

/** Numbers in their order, or none. */
function read(value: unknown): GradeLimits | null {
  const { good, inaccuracy, mistake } = (value ?? {}) as Partial<Record<keyof GradeLimits, unknown>>;
  if (typeof good !== 'number' || typeof inaccuracy !== 'number' || typeof mistake !== 'number') return null;
  return good >= 0 && good <= inaccuracy && inaccuracy <= mistake && mistake <= MOST
    ? { good, inaccuracy, mistake }
    : null;
}

let limits = $state.raw<GradeLimits>(read(load(KEY)) ?? DEFAULT_LIMITS);

export const bands = {
  get limits(): GradeLimits {
    return limits;
  },
  get measured(): boolean {
    return limits === DEFAULT_LIMITS;
  },
  /** Move one limit; the others make way. */
  move(which: keyof GradeLimits, points: number): void {
    if (!Number.isFinite(points)) return;
    const to = Math.max(0, Math.min(MOST, points));
    const good = which === 'good' ? to : Math.min(limits.good, to);
    const mistake = which === 'mistake' ? to : Math.max(limits.mistake, to);
    const inaccuracy = which === 'inaccuracy' ? to : Math.max(good, Math.min(mistake, limits.inaccuracy));
    limits = { good: which === 'mistake' ? Math.min(limits.good, to) : good, inaccuracy, mistake };
    save(KEY, limits);
  },
  reset(): void {
    limits = DEFAULT_LIMITS;
    save(KEY, null);
  },
};

export function bandOf(lost: number): Grade {
  if (lost < NOTHING) return 'best';
  if (lost <= limits.good) return 'good';
  if (lost <= limits.inaccuracy) return 'inaccuracy';
  return lost <= limits.mistake ? 'mistake' : 'blunder';
}
