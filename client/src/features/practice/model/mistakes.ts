// The door for whoever has found a mistake of mine, as the review of a deal does: from then on it is practised.

import type { RulesSpec } from '../../../api/http';
import type { BoardPosition } from '../../analyse/model/position';
import type { Line } from '../../analyse/model/analysis.svelte';
import { progress } from './progress.svelte';
import { ownPuzzle } from './puzzle';

/** Keep a position on this device. `lines`: its measured placements, the best first; `taken`: what I did there. */
export function saveMistake(rules: RulesSpec, setUp: BoardPosition, lines: readonly Line[], taken: Line): void {
  progress.keepMistake(ownPuzzle(rules, setUp, lines, taken), Date.now());
}
