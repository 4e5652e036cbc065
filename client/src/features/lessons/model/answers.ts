// What is right in a question of a lesson, and why: the kernel counts.

import { rowName, ROWS } from '../../../cards/cards';
import { upperFirst } from '../../../cards/handNames';
import { signedNumber } from '../../../shared/format';
import { m } from '../../../shared/i18n.svelte';
import type { LessonChecker } from './checker';
import { foulReason, orderReason } from './reasons';
import { royalties, type Step } from './lessons';
import type { ScoredHand } from '../../../engine/solo';

export interface Judged {
  readonly right: boolean;
  readonly why: string;
}

/** "Front 0, middle +2, back +4: 6 in all." */
export function royaltyReason(hand: ScoredHand): string {
  const parts = ROWS.map((row, at) => `${rowName(row)} ${signedNumber(hand.royalties[at] ?? 0)}`);
  return m.lessons_count_reason({ parts: upperFirst(parts.join(', ')), sum: signedNumber(royalties(hand)) });
}

/** Whether one of the boards is the one that is asked for. */
export function judgePick(
  { what, boards }: Extract<Step, { kind: 'pick' }>,
  checker: LessonChecker,
  board: string,
): Judged {
  const hand = checker.hand(board);
  if (what === 'foul') return { right: checker.fouls(board), why: foulReason(hand) || orderReason(hand) };
  const best = Math.max(...boards.map((board) => checker.royalties(board)));
  const n = checker.royalties(board);
  return { right: n === best, why: `${royaltyReason(hand)} ${m.lessons_earns({ n, best })}` };
}

/** The number that is asked for, and how it comes about. */
export function countOf(
  what: Extract<Step, { kind: 'count' }>['what'],
  boards: readonly string[],
  checker: LessonChecker,
): { readonly sum: number; readonly why: string } {
  const [board = ''] = boards;
  if (what === 'royalties') return { sum: checker.royalties(board), why: royaltyReason(checker.hand(board)) };
  const [pair] = checker.deal(boards).pairs;
  if (pair === undefined) throw new Error('two boards are counted');
  const sum = pair.rows + pair.royalties + pair.other;
  const lines = pair.results.reduce((all, points) => all + points, 0);
  const parts = [
    ...ROWS.map((row, at) => `${rowName(row)} ${signedNumber(pair.results[at] ?? 0)}`),
    ...(pair.rows === lines ? [] : [`${m.common_scoop_column()} ${signedNumber(pair.rows - lines)}`]),
    `${m.common_royalties_column()} ${signedNumber(pair.royalties)}`,
  ];
  return { sum, why: m.lessons_count_reason({ parts: upperFirst(parts.join(', ')), sum: signedNumber(sum) }) };
}
