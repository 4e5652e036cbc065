// Small pieces of wording that several views share: points, money, names.

import { language, m } from './language.svelte';
import type { RulesView, ScoreSheet, SheetHand, TableView } from '../../wire/types';

/** "+7", "−3", "0": always with its sign. */
export const signed = (points: number): string =>
  points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '0';

/** The points go to the best row at the table, not from one player to another (first to eleven). */
export const isTablePoints = (sheet: ScoreSheet): boolean =>
  sheet.pairs.every((pair) => pair.points === 0) && sheet.hands.some((hand) => hand.points !== 0);

/** The player of a hand on the sheet, "You" for the viewer's own. */
export function handName(sheet: ScoreSheet, hand: number, you: number | null): string {
  const found: SheetHand | undefined = sheet.hands.find((one) => one.hand === hand);
  if (found === undefined) return m.board({ x: hand + 1 });
  const name = found.seat === you ? m.you() : found.player;
  // Two boards each: they are told apart by their number.
  const own = sheet.hands.filter((one) => one.seat === found.seat);
  return own.length > 1 ? `${name} ${own.indexOf(found) + 1}` : name;
}

export function seatName(view: TableView, seat: number): string {
  if (seat === view.you) return m.you();
  return view.seats[seat]?.name || m.seat({ x: seat + 1 });
}

/** Why nobody is asked for a buy-in. */
export const noBuyIn = (rules: RulesView): string =>
  rules.purse === 'book' ? m.points_are_kept_on_the() : m.the_table_keeps_a_count();

/** What points are worth where a point has a price: "2.50 EUR"; empty where points are only points. */
export function worth(points: number, rules: RulesView): string {
  if (rules.stake_unit === 'point' && rules.stake_point === 1) return '';
  const amount = Math.abs(points) * rules.stake_point;
  const text = Number.isInteger(amount) ? `${amount}` : amount.toLocaleString(language.tag, { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false });
  const unit = rules.stake_unit === 'point' ? '' : ` ${rules.stake_unit}`;
  return `${points < 0 ? '−' : ''}${text}${unit}`;
}

const number = (amount: number): string => {
  const size = Math.abs(amount);
  return size.toLocaleString(language.tag, { minimumFractionDigits: Number.isInteger(size) ? 0 : 2, maximumFractionDigits: 6 });
};

/** "3.50 EUR", "1 point". */
export const money = (amount: number, unit: string): string => (unit === 'point' ? m.points_of_money({ n: Math.abs(amount), amount: number(amount) }) : `${number(amount)} ${unit}`);

/** "+3.50", "−2", "0". */
export const signedMoney = (amount: number): string => `${amount > 0 ? '+' : amount < 0 ? '−' : ''}${number(amount)}`;
