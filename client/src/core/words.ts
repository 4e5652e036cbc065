// Small pieces of wording that several views share.

import type { ScoreSheet, SheetHand, TableView } from '../wire/types';

/** "+7", "−3", "0": always with its sign. */
export const signed = (points: number): string =>
  points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '0';

/** The points go to the best row at the table, not from one player to another (first to eleven). */
export const isTablePoints = (sheet: ScoreSheet): boolean =>
  sheet.pairs.every((pair) => pair.points === 0) && sheet.hands.some((hand) => hand.points !== 0);

/** The player of a hand on the sheet, "You" for the viewer's own. */
export function handName(sheet: ScoreSheet, hand: number, you: number | null): string {
  const found: SheetHand | undefined = sheet.hands.find((one) => one.hand === hand);
  if (found === undefined) return `Board ${hand + 1}`;
  const name = found.seat === you ? 'You' : found.player;
  // Two boards each: they are told apart by their number.
  const own = sheet.hands.filter((one) => one.seat === found.seat);
  return own.length > 1 ? `${name} ${own.indexOf(found) + 1}` : name;
}

export function seatName(view: TableView, seat: number): string {
  if (seat === view.you) return 'You';
  return view.seats[seat]?.name || `Seat ${seat + 1}`;
}

export const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;
