// Why an answer is right or wrong: the hands of a board, row by row, and the two that break its order.

import { lowerFirst, upperFirst, valueName } from '../../../cards/handNames';
import { rowName, ROWS } from '../../../cards/cards';
import type { ScoredHand } from '../../../engine/solo';
import { m } from '../../../shared/i18n.svelte';

/** "Pair of queens", "Flush, king high": the hands of the three rows. */
export const handsOf = (hand: ScoredHand): readonly string[] => ROWS.map((_, at) => valueName(hand.values[at] ?? 0));

/** Which two rows break the order, with both hands; empty for a board in order. */
export function foulReason(hand: ScoredHand): string {
  if (hand.offending === 0) return '';
  const names = handsOf(hand).map(lowerFirst);
  const at = [0, 1].find((row) => (hand.values[row] ?? 0) > (hand.values[row + 1] ?? 0));
  const [upper, lower] = at === undefined ? [] : [ROWS[at], ROWS[at + 1]];
  if (at === undefined || upper === undefined || lower === undefined) return m.lessons_is_foul();
  return m.lessons_foul_reason({
    upper: upperFirst(rowName(upper)),
    upper_hand: names[at] ?? '',
    lower: rowName(lower),
    lower_hand: names[at + 1] ?? '',
  });
}

/** Why a board is in order: all its hands, from the weakest row. */
export function orderReason(hand: ScoredHand): string {
  const [front = '', middle = '', back = ''] = handsOf(hand).map(lowerFirst);
  return m.lessons_order_reason({ front, middle, back });
}
