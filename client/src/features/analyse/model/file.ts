// An analysis as a file, in the names of `triptych analyse --json`; `triptych analyse FILE` and this page read it again.

import type { Overrides } from '../../rules/model/link';
import type { AnalyseBoard, StoredPosition } from './board.svelte';
import { readPosition } from './position';
import { SEED, type AnalysisLine, type Search } from './analysis.svelte';

function toPlacementJson({
  rows,
  thrown,
  value,
  error,
  rollouts,
  parts,
  sides,
  foul,
  enters,
  close,
  ranked,
}: AnalysisLine): object {
  const [front, middle, back] = rows;
  const placed = { front, middle, back, discards: thrown, value, error, rollouts };
  if (ranked === undefined) return { ...placed, ...parts, foul, enters, within_error: close, ...sides };
  const { legal, royalties, won, lost, scoops, scooped } = ranked;
  return { ...placed, legal, royalties, won, lost, scoops, scooped };
}

export function toJson(board: AnalyseBoard, search: Search): string {
  const { setUp } = board;
  const { position } = board.stored;
  const data = {
    preset: board.rules.preset,
    set: board.overrides,
    position,
    hand: setUp.me,
    placements: search.lines.map(toPlacementJson),
    within_error: search.close,
    exact: search.exact,
    seed: Number(SEED),
    link: location.origin + board.path,
  };
  return `${JSON.stringify(data, null, 1)}\n`;
}

/** The position of such a file; null where it holds none. */
export function fromJson(text: string): StoredPosition | null {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return null;
  }
  const { preset, set = {}, position } = (data ?? {}) as Record<string, unknown>;
  if (typeof preset !== 'string' || typeof position !== 'string' || readPosition(position) === null) return null;
  if (set === null || typeof set !== 'object' || Array.isArray(set)) return null;
  return { rules: { ...(set as Overrides), preset }, position };
}
