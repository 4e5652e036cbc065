// What the kernel is asked about a position, or what is still missing for that. Pure; the streets come from the server.

import type { AnalysisForm } from '../../wire/types';
import type { Position } from '../../kernel/analysis';
import { HIDDEN, ROWS } from '../shared/cards';
import { cardsOf, placed, type SetHand, type SetUp } from './notation';

/** Why there is nothing to ask yet: `more` cards on a hand's board for whole streets; `draw` cards still to be dealt to me. */
export type Missing =
  | { readonly kind: 'board'; readonly hand: number; readonly more: number }
  | { readonly kind: 'street'; readonly hand: number; readonly counts: readonly number[] }
  | { readonly kind: 'draw'; readonly more: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'few' };

export type Asked = { readonly position: Position; readonly missing: null } | { readonly position: null; readonly missing: Missing };

/** Cards that lie after each number of whole streets: 0, 5, 7, …, 13. */
export function wholes(form: AnalysisForm): number[] {
  const counts = [0];
  for (const street of form.streets) counts.push((counts.at(-1) ?? 0) + street.placed);
  return counts;
}

/** How many cards my street deals; 0 where my board is full or between two streets. */
export function toDraw(form: AnalysisForm, { hands, me }: SetUp): number {
  const street = wholes(form).indexOf(placed(hands[me] as SetHand));
  return form.streets[street]?.dealt ?? 0;
}

const not = (missing: Missing): Asked => ({ position: null, missing });

export function question(form: AnalysisForm, setUp: SetUp): Asked {
  const { hands, me } = setUp;
  const steps = wholes(form);
  const mine = hands[me] as SetHand;
  const street = steps.indexOf(placed(mine));
  const after = steps.find((count) => count > placed(mine)) ?? 0;
  if (street < 0) return not({ kind: 'board', hand: me, more: after - placed(mine) });
  const step = form.streets[street];
  if (step === undefined) return not({ kind: 'done' });
  if (mine.drawn.length < step.dealt) return not({ kind: 'draw', more: step.dealt - mine.drawn.length });
  const done = hands.map((hand) => steps.indexOf(placed(hand)));
  for (const [at, hand] of hands.entries()) {
    if (at === me || hand.fantasyland > 0) continue;
    const counts = [steps[street] as number, steps[street + 1] as number];
    if (!counts.includes(placed(hand))) return not({ kind: 'street', hand: at, counts });
  }
  const number = new Map(form.deck.map((card, at) => [card, at]));
  const seen = new Set(hands.flatMap(cardsOf));
  const unseen = form.deck.filter((card) => !seen.has(card));
  const numbers = (cards: readonly string[]): number[] => cards.filter((card) => card !== HIDDEN).map((card) => number.get(card) ?? 0);
  const coming = hands.map((hand, at) => {
    if (hand.fantasyland > 0) return hand.fantasyland;
    const from = at === me ? street + 1 : (done[at] as number);
    return form.streets.slice(from).reduce((sum, one) => sum + one.dealt, 0);
  });
  if (coming.reduce((sum, one) => sum + one, 0) > unseen.length) return not({ kind: 'few' });
  return {
    missing: null,
    position: {
      street,
      me,
      cards: numbers(mine.drawn),
      unseen: unseen.reduce((bits, card) => bits | (1n << BigInt(number.get(card) ?? 0)), 0n),
      hands: hands.map((hand, at) => ({
        rows: ROWS.map((row) => numbers(hand[row])),
        streetsDone: hand.fantasyland > 0 ? 0 : (done[at] as number),
        fantasyland: hand.fantasyland,
        inRow: hand.fantasyland > 0 ? 1 : 0,
      })),
    },
  };
}
