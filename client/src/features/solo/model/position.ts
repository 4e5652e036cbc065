// A position as the beginning of a deal: the cards that were dealt until then, and how they were placed. Pure.

import { DISCARD } from '../../../engine/solo';
import type { AnalysisSetup } from '../../../api/generated/types';
import { cardsPlaced, type PositionHand, type BoardPosition } from '../../analyse/model/position';
import { HIDDEN, ROWS } from '../../../cards/rows';
import { rowCountsIn, completeSizes } from '../../analyse/model/buildQuery';

/** The hands in the order in which they act; `seats`: whose they are, the acting hand's is 0. */
export interface ReplayScript {
  readonly seats: readonly number[];
  readonly fantasylands: readonly number[];
  readonly given: readonly (number | null)[];
  readonly placements: readonly (readonly number[])[];
  /** The hands whose cards came in an unknown order. */
  readonly orderUnknown: readonly boolean[];
}

/** How a deal comes to this position; null where it cannot be played on from there. */
export function scriptFromPosition(form: AnalysisSetup, { hands, me }: BoardPosition): ReplayScript | null {
  const steps = completeSizes(form);
  const done = hands.map((hand) => (hand.fantasyland > 0 ? 0 : steps.indexOf(cardsPlaced(hand))));
  const mine = hands[me];
  const street = done[me] ?? -1;
  if (mine === undefined || hands.length < form.hands_min || hands.length > form.hands_max || done.includes(-1))
    return null;
  const inFantasyland = mine.fantasyland > 0;
  const whole = steps.length - 1;
  const late = (hand: PositionHand, at: number): boolean =>
    (inFantasyland ? done[at] === whole : done[at] === street || done[at] === street + 1) || hand.fantasyland > 0;
  if (
    hands.some((hand, at) => at !== me && !late(hand, at)) ||
    mine.drawn.length !== (inFantasyland ? mine.fantasyland : (form.streets[street]?.dealt ?? -1))
  )
    return null;
  if (hands.some((hand) => ROWS.some((row) => hand[row].includes(HIDDEN))) || mine.drawn.includes(HIDDEN))
    return null;
  // The hands that have placed this street act before me, the others after me.
  const rank = (at: number): number => (at === me ? 1 : (done[at] ?? 0) > street ? 0 : 2);
  const order = Array.from(hands.keys()).toSorted((a, b) => rank(a) - rank(b) || a - b);
  const number = (card: string): number | null => (card === HIDDEN ? null : form.deck.indexOf(card));
  const dealtCards: (number | null)[] = [];
  const placements: number[][] = [];
  const playing = order.filter((at) => hands[at]?.fantasyland === 0);
  for (const [now, { dealt, placed: count }] of form.streets.entries()) {
    for (const at of playing) {
      const hand = hands[at] as PositionHand;
      if (now < (done[at] as number)) {
        const laid = rowCountsIn(form, hand);
        const exact = ROWS.flatMap((row, i) =>
          hand[row].slice(laid[now - 1]?.[i] ?? 0, laid[now]?.[i] ?? 0).map((card) => [number(card), i] as const),
        );
        const any = ROWS.flatMap((row, i) => hand[row].map((card) => [number(card), i] as const)).slice(
          steps[now],
          steps[now + 1],
        );
        const lying = laid.length > 0 ? exact : any;
        const before = form.streets.slice(0, now).reduce((sum, earlier) => sum + earlier.dealt - earlier.placed, 0);
        const thrown = Array.from({ length: dealt - count }, (_, i) => number(hand.discards[before + i] ?? HIDDEN));
        dealtCards.push(...lying.map(([card]) => card), ...thrown);
        placements.push([...lying.map(([, row]) => row), ...thrown.map(() => DISCARD)]);
      } else if (at === me && now === street) dealtCards.push(...mine.drawn.map(number));
    }
  }
  if (inFantasyland) {
    for (const at of order.slice(0, order.indexOf(me)))
      dealtCards.push(...Array.from({ length: hands[at]?.fantasyland ?? 0 }, () => null));
    dealtCards.push(...mine.drawn.map(number));
  }
  const seats = order.map((_, at) => (at - order.indexOf(me) + order.length) % order.length);
  return {
    seats,
    fantasylands: order.map((at) => hands[at]?.fantasyland ?? 0),
    given: dealtCards,
    placements,
    orderUnknown: order.map((at) => (done[at] ?? 0) > 1 && rowCountsIn(form, hands[at] as PositionHand).length === 0),
  };
}
