// Mistakes of one's own play: a review puts them into practice by itself from so many points on, or one by one.

import type { RulesSpec } from '../../../api/http';
import { save, load } from '../../../shared/storage';
import type { BoardPosition } from '../../analyse/model/position';
import type { AnalysisLine } from '../../analyse/model/analysis.svelte';
import { progress } from './progress.svelte';
import { puzzleFromMistake } from './puzzle';

/** What may be chosen, in points lost. */
export const THRESHOLDS = [0.35, 0.5, 1, 2] as const;
const KEY = 'triptych.mistakes';
const DEFAULT = 0.5;
const NEVER = 'never';

function read(value: unknown): number | null {
  if (value === NEVER) return null;
  return THRESHOLDS.find((points) => points === value) ?? DEFAULT;
}

let least = $state(read(load(KEY)));

export const mistakes = {
  /** From so many points on a review's mistakes come by themselves; null: none. */
  get least(): number | null {
    return least;
  },
  set least(points: number | null) {
    least = points;
    save(KEY, points ?? NEVER);
  },
};

/** Keep a position on this device. `lines`: its measured placements, the best first; `taken`: what I did there. */
export function saveMistake(
  rules: RulesSpec,
  setUp: BoardPosition,
  lines: readonly AnalysisLine[],
  taken: AnalysisLine,
): void {
  progress.addMistake(puzzleFromMistake(rules, setUp, lines, taken), Date.now());
}
