// A puzzle: a position in which one placement is clearly best (docs: files). One's own mistakes have the same form.

import { cardsIn } from '../../../cards/rows';
import type { RulesSpec } from '../../../api/http';
import { positionText, readPosition, type BoardPosition } from '../../analyse/model/position';
import type { AnalysisLine } from '../../analyse/model/analysis.svelte';

/** Placement, points, their error, rows, royalties, fouls, fantasyland, chances of a foul and of fantasyland. */
export type Choice = readonly [string, number, number, number, number, number, number, number, number];

export interface Puzzle {
  readonly id: string;
  readonly rules: RulesSpec;
  readonly position: string;
  /** The best first, then by points. */
  readonly choices: readonly Choice[];
  /** Which of them was taken: by `fast`, or by me. */
  readonly tempting: number;
  /** Null: nobody has measured how hard it is. */
  readonly rating: number | null;
  readonly themes: readonly string[];
}

export const THEMES = ['fantasyland_or_safety', 'front_pair', 'flush_draw', 'late_foul', 'blocking', 'outs'] as const;
export type Theme = (typeof THEMES)[number];

/** The puzzles of a collection's file. */
export const readPuzzles = (text: string): Puzzle[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Puzzle);

/** The position of a puzzle; null where it cannot be read. */
export const setUpOf = (puzzle: Puzzle): BoardPosition | null => readPosition(puzzle.position);

/** A choice as the analysis shows it. */
export function toAnalysisLine(
  [text, value, error, rows, royalties, fouls, fantasyland, foul, enters]: Choice,
  which: number,
): AnalysisLine {
  const [placed = '', thrown = ''] = text.split(' -');
  return {
    which,
    rows: placed.split('/').map(cardsIn),
    thrown: cardsIn(thrown),
    value,
    error,
    rollouts: 0,
    parts: { rows, royalties, fantasyland, fouls },
    foul,
    enters,
    close: false,
  };
}

function choiceOf({ rows, thrown, value, error, parts, foul, enters }: AnalysisLine): Choice {
  const text = rows.map((row) => row.join('')).join('/') + (thrown.length > 0 ? ` -${thrown.join('')}` : '');
  const [v, e, r, y, f, l, c, n] = [
    value,
    error,
    parts.rows,
    parts.royalties,
    parts.fouls,
    parts.fantasyland,
    foul,
    enters,
  ].map((number) => Math.round(number * 100) / 100);
  return [text, v, e, r, y, f, l, c, n] as unknown as Choice;
}

/** A mistake of one's own: a position, its measured placements with the best first, and which of them was taken. */
export function puzzleFromMistake(
  rules: RulesSpec,
  setUp: BoardPosition,
  lines: readonly AnalysisLine[],
  taken: AnalysisLine,
): Puzzle {
  const position = positionText(setUp);
  const best = lines.slice(0, SHOWN);
  const choices = (best.includes(taken) ? best : [...best, taken]).map(choiceOf);
  // It is the same mistake whether or not it is known how the boards came.
  return {
    id: `${JSON.stringify(rules)} ${position.replaceAll('.', '')}`,
    rules,
    position,
    choices,
    tempting: choices.findIndex(([text]) => text === choiceOf(taken)[0]),
    rating: null,
    themes: [],
  };
}

const SHOWN = 8;

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((card) => b.includes(card));

/** Whether a placement lays the same cards in every row. */
export const matchesPlacement = (line: AnalysisLine, rows: readonly (readonly string[])[]): boolean =>
  line.rows.every((row, at) => same(row, rows[at] ?? []));
