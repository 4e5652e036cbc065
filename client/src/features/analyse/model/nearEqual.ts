// What a list of placements leaves out, and what it says of their risk. Pure.

import type { AnalysisLine } from './analysis.svelte';

const SAME_VALUE = 0.02; // points
const SAME_RISK = 0.02; // of fouling, of fantasyland
const SAFER = 0.1; // of fouling
const WORTH_SAYING = 0.5; // points that the safer placement may be behind

/** A placement with those that are worth as much at the same risk, which are not shown. */
export interface MergedLine {
  readonly line: AnalysisLine;
  readonly others: number;
  /** The points between which they lie. */
  readonly within: number;
}

/** Lines, best first, with near-equal ones as one; those to `keep` stay. */
export function mergeNearEqual(
  lines: readonly AnalysisLine[],
  keep: (line: AnalysisLine) => boolean,
): readonly MergedLine[] {
  const merged: MergedLine[] = [];
  for (const line of lines) {
    const at = keep(line) ? -1 : merged.findIndex((other) => nearEqual(other.line, line));
    const into = merged[at];
    if (into === undefined) merged.push({ line, others: 0, within: 0 });
    else
      merged[at] = {
        ...into,
        others: into.others + 1,
        within: Math.max(into.within, Math.abs(into.line.value - line.value)),
      };
  }
  return merged;
}

const nearEqual = (first: AnalysisLine, second: AnalysisLine): boolean =>
  Math.abs(first.value - second.value) <= SAME_VALUE &&
  Math.abs(first.foul - second.foul) <= SAME_RISK &&
  Math.abs(first.enters - second.enters) <= SAME_RISK;

/** The placement that is nearly worth the best and fouls far less often; null where there is none. */
export function saferThanBest(lines: readonly AnalysisLine[]): AnalysisLine | null {
  const best = lines[0];
  if (best === undefined || best.ranked !== undefined) return null;
  const safer = lines.filter(
    (line) => best.value - line.value <= WORTH_SAYING && best.foul - line.foul >= SAFER && line.rollouts > 1,
  );
  return safer[0] ?? null;
}
