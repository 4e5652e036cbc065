// What a screen reader says when cards are placed.

import { cardName, isHidden, rowName } from '../../../cards/cards';
import type { SeatModel } from './scene';

/** The face-up cards of a seat by row, of all its boards. */
const faceUp = (seat: SeatModel): Map<string, string[]> => {
  const rows = new Map<string, string[]>();
  for (const board of seat.boards)
    for (const { row, slots } of board.rows) {
      const cards = slots.flatMap(({ card }) => (card === null || isHidden(card) ? [] : [card]));
      rows.set(`${board.hand} ${row}`, cards);
    }
  return rows;
};

/** Return who has placed which cards where since, one line a row: "Bob, back: ace of spades, king of hearts". */
export function placedSince(
  before: readonly SeatModel[],
  after: readonly SeatModel[],
  nameOf: (seat: SeatModel) => string,
): string[] {
  const faceUpBySeat = new Map(before.map((seat) => [seat.seat.seat, faceUp(seat)]));
  return after.flatMap((seat) => {
    const old = faceUpBySeat.get(seat.seat.seat);
    return seat.boards.flatMap((board) =>
      board.rows.flatMap(({ row }) => {
        const key = `${board.hand} ${row}`;
        const lain = new Set(old?.get(key));
        const cards = (faceUp(seat).get(key) ?? []).filter((card) => !lain.has(card));
        // A board that was not there before is not being placed now.
        if (old?.has(key) !== true || cards.length === 0) return [];
        return [`${nameOf(seat)}, ${rowName(row)}: ${cards.map(cardName).join(', ')}`];
      }),
    );
  });
}
