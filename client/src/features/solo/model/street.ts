// A street as the hand in turn saw and placed it. Pure.

import { DISCARD, type GameView } from '../../../engine/solo';
import type { AnalysisSetup } from '../../../api/generated/types';
import { cardsPlaced, type PositionHand, type BoardPosition } from '../../analyse/model/position';
import { completeSizes } from '../../analyse/model/buildQuery';
import { HIDDEN, ROWS } from '../../../cards/rows';
import type { PlacedStreet } from './types';

/** `actions`: what becomes of each card of the hand in turn. */
export function toPlacedStreet(form: AnalysisSetup, looked: GameView, actions: readonly number[]): PlacedStreet {
  const cards = looked.hands[looked.turn]?.draws ?? [];
  const where = (place: number): string[] =>
    cards.filter((_, at) => actions[at] === place).map((card) => form.deck[card] ?? HIDDEN);
  return { setUp: toBoardPosition(form, looked), rows: ROWS.map((_, row) => where(row)), discards: where(DISCARD) };
}

/** The position as the hand in turn knows it; the discards of others are unknown. */
function toBoardPosition(form: AnalysisSetup, { hands, turn }: GameView): BoardPosition {
  const text = (cards: readonly number[]): string[] => cards.map((card) => form.deck[card] ?? HIDDEN);
  const steps = completeSizes(form);
  return {
    me: turn,
    hands: hands.map(({ rows, draws, discards, fantasyland, laid }, at): PositionHand => {
      const [front = [], middle = [], back = []] = rows.map(text);
      const own = {
        front,
        middle,
        back,
        drawn: at === turn ? text(draws) : [],
        discards: text(discards),
        fantasyland,
        laid: laid.length > 1 ? laid : [],
      };
      if (at === turn) return own;
      // A fantasyland is not visible before it is set, and its discards never are.
      const thrown =
        fantasyland > 0
          ? 0
          : form.streets
              .slice(0, steps.indexOf(cardsPlaced(own)))
              .reduce((sum, street) => sum + street.dealt - street.placed, 0);
      return { ...own, discards: Array.from({ length: thrown }, () => HIDDEN) };
    }),
  };
}
