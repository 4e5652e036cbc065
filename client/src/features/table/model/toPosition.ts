// A deal on the table as a position of the analysis board: only what lies in the viewer's own view. Pure.

import type { BoardView, DealView } from '../../../api/generated/types';
import type { PositionHand, BoardPosition } from '../../analyse/model/position';

/** As src/triptych/notation/position.py has it: what is laid and not confirmed counts as drawn. */
function handOf({ pending, draws, discards, fantasyland, laid, ...board }: BoardView): PositionHand {
  const confirmed = ({ cards }: { readonly cards: readonly string[] }): string[] =>
    cards.filter((card) => !pending.includes(card));
  return {
    front: confirmed(board.front),
    middle: confirmed(board.middle),
    back: confirmed(board.back),
    drawn: [...pending, ...draws],
    discards,
    fantasyland,
    laid: laid.length > 1 ? laid : [],
  };
}

/** The position before the hand that is to place. */
export const toPosition = ({ boards }: DealView, hand: number): BoardPosition => ({
  hands: boards.map(handOf),
  me: hand,
});
