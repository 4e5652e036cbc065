// An analysis as a file, in the names of `triptych analyse --json`.

import type { AnalyseBoard } from './board.svelte';
import { positionText } from './notation';
import { SEED, type Search } from './search.svelte';

export function exported(board: AnalyseBoard, search: Search): string {
  const placements = search.lines.map((line) => ({
    front: line.rows[0],
    middle: line.rows[1],
    back: line.rows[2],
    discards: line.thrown,
    value: line.value,
    error: line.error,
    rollouts: line.rollouts,
    // Of a fantasyland only the whole is solved.
    ...(search.solved === null ? { ...line.parts, foul: line.foul, enters: line.enters } : {}),
  }));
  const { setUp } = board;
  const found = { preset: board.rules.preset, set: board.overrides, position: positionText(setUp), hand: setUp.me, placements, exact: search.exact, seed: Number(SEED), link: location.origin + board.path };
  return `${JSON.stringify(found, null, 1)}\n`;
}
