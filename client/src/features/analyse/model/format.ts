// The parts of a value, in the order in which bars and figures show them, and how points and shares are written.

import { language, m } from '../../../shared/i18n.svelte';
import type { RankedSetting } from '../../../engine/closed';
import type { AnalysisLine, Parts } from './analysis.svelte';

export type Part = keyof Parts;
export const PARTS: readonly Part[] = ['rows', 'royalties', 'fantasyland', 'fouls'];

/** The points between which the bars lie. */
export interface Scale {
  readonly least: number;
  readonly most: number;
}

export const partName = (part: Part): string =>
  ({
    rows: m.analyse_rows_scoop,
    royalties: m.common_royalties_column,
    fantasyland: m.common_fantasyland_badge,
    fouls: m.analyse_fouls,
  })[part]();

const SIDES = {
  own: { royalties: m.analyse_own_royalties, fantasyland: m.analyse_own_fantasyland, fouls: m.analyse_own_fouls },
  opponents: {
    royalties: m.analyse_opponents_royalties,
    fantasyland: m.analyse_opponents_fantasyland,
    fouls: m.analyse_opponents_fouls,
  },
} as const;

/** "own royalties", "opponents' fouls"; rows have no sides. */
export const sideName = (part: Part, side: 'own' | 'opponents'): string =>
  part === 'rows' ? partName(part) : SIDES[side][part]();

/** From the largest loss to the largest gain of all lines, with nothing between them. */
export function scaleOf(lines: readonly AnalysisLine[]): Scale {
  const sums = (line: AnalysisLine, sign: 1 | -1): number =>
    PARTS.reduce((sum, part) => sum + sign * Math.max(0, sign * line.parts[part]), 0);
  return {
    least: Math.min(0, ...lines.map((line) => sums(line, -1))),
    most: Math.max(0, ...lines.map((line) => sums(line, 1))),
  };
}

const fixed = (size: number, digits: number): string =>
  size.toLocaleString(language.tag, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** "+1.25", "−0.40". */
export function formatPoints(amount: number): string {
  const size = fixed(Math.abs(amount), 2);
  return amount > 0.005 ? `+${size}` : amount < -0.005 ? `−${size}` : size;
}

/** "0.40". */
export const formatUnsigned = (amount: number): string => fixed(Math.abs(amount), 2);

/** "± 0.08". */
export const formatError = (error: number): string =>
  error === 0 ? '' : `± ${Number.isFinite(error) ? fixed(error, 2) : '…'}`;

export const formatPercent = (chance: number): string => chance.toLocaleString(language.tag, { style: 'percent' });

/** "+3 %", "−12 %". */
export const formatDelta = (chance: number, digits = 0): string =>
  chance
    .toLocaleString(language.tag, { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: digits })
    .replace('-', '−');

/** "wins front 62 %, middle 50 %, back 71 %, scoops 20 %". */
export const rowsWon = ({ won, scoops, legal }: RankedSetting): string =>
  legal
    ? m.analyse_rows_won({
        front: formatPercent(won[0] ?? 0),
        middle: formatPercent(won[1] ?? 0),
        back: formatPercent(won[2] ?? 0),
        scoop: formatPercent(scoops),
      })
    : m.analyse_fouls();

export const formatCount = (count: number): string => count.toLocaleString(language.tag);
