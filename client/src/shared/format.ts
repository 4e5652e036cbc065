// Small pieces of wording that several views share: points, money, names.

import { language, m } from './i18n.svelte';
import type {
  MoneyView,
  RulesetTotal,
  PointPrice,
  RulesView,
  ScoreSheet,
  SheetHand,
  TableView,
} from '../api/generated/types';

/** "+7", "−3", "0": always with its sign. */
export const signedNumber = (points: number): string =>
  points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '0';

/** The points go to the best row at the table, not from one player to another (first to eleven). */
export const isTablePoints = (sheet: ScoreSheet): boolean =>
  sheet.pairs.every((pair) => pair.points === 0) && sheet.hands.some((hand) => hand.points !== 0);

const PLACES = 9;

/** What a hand was paid in the deal; where the points go to the best row at the table, those. */
export function paidTo(sheet: ScoreSheet, hand: SheetHand): number {
  if (isTablePoints(sheet)) return hand.points;
  const paid = sheet.pairs.reduce(
    (sum, { a, b, moved }) => sum + (a === hand.hand ? moved.points : b === hand.hand ? -moved.points : 0),
    0,
  );
  return Number(paid.toFixed(PLACES)); // without the noise of binary fractions
}

/** The player of a hand on the sheet, "You" for the viewer's own. */
export function handName(sheet: ScoreSheet, hand: number, you: number | null): string {
  const sheetHand: SheetHand | undefined = sheet.hands.find((other) => other.hand === hand);
  if (sheetHand === undefined) return m.common_board_number({ x: hand + 1 });
  const name = sheetHand.seat === you ? m.common_you() : sheetHand.player;
  // Two boards each: they are told apart by their number.
  const own = sheet.hands.filter((other) => other.seat === sheetHand.seat);
  return own.length > 1 ? `${name} ${own.indexOf(sheetHand) + 1}` : name;
}

export function seatName(view: TableView, seat: number): string {
  if (seat === view.you) return m.common_you();
  return view.seats[seat]?.name || m.common_seat_number({ x: seat + 1 });
}

/** Why nobody is asked for a buy-in. */
export const noBuyInText = (rules: RulesView): string =>
  rules.purse === 'book' ? m.common_points_book() : m.common_points_count();

/** What a point is worth; null where points are only points. */
export const pointPrice = (point: number, unit: string): PointPrice | null =>
  unit === 'point' && point === 1 ? null : { point, unit };

/** What a point is worth now. */
export const priceOf = ({ stake_point, stake_unit }: RulesView): PointPrice | null =>
  pointPrice(stake_point, stake_unit);

/** "× 20", with what a point is then worth where it has a price: "× 20 (2 EUR a point)". */
export const stakeText = (stake: number, rules: RulesView): string => {
  const price = priceOf(rules);
  return price === null
    ? `× ${stake}`
    : m.common_stake_money({ stake, money: money(stake * price.point, price.unit) });
};

/** What points come to at a price: "−2.50 EUR", "10". */
export const moneyText = (points: number, { point, unit }: PointPrice): string =>
  amountText({ amount: points * point, unit });

/** "−2.50 EUR"; in points just the number. */
const amountText = ({ amount, unit }: MoneyView): string =>
  `${amount < 0 ? '−' : ''}${unit === 'point' ? number(amount) : money(amount, unit)}`;

/** Amounts in one unit or several: "−2.50 EUR", "−2.50 EUR · 30 points". */
export const amountsText = (amounts: readonly MoneyView[]): string =>
  amounts
    .map((amount) =>
      amounts.length === 1
        ? amountText(amount)
        : `${amount.amount < 0 ? '−' : ''}${money(amount.amount, amount.unit)}`,
    )
    .join(' · ');

/** The same as changes: "+10 EUR", "−2.50 EUR · +30 points", "0 EUR". */
export const signedAmountsText = (amounts: readonly MoneyView[]): string =>
  amounts.map(({ amount, unit }) => `${amount > 0 ? '+' : amount < 0 ? '−' : ''}${money(amount, unit)}`).join(' · ');

const number = (amount: number): string => {
  const size = Math.abs(amount);
  return size.toLocaleString(language.tag, {
    minimumFractionDigits: Number.isInteger(size) ? 0 : 2,
    maximumFractionDigits: 6,
  });
};

/** "3.50 EUR", "1 point". */
export const money = (amount: number, unit: string): string =>
  unit === 'point'
    ? m.common_money_points({ n: Math.abs(amount), amount: number(amount) })
    : `${number(amount)} ${unit}`;

/** "+3.50", "−2", "0". */
export const signedMoney = (amount: number): string => `${amount > 0 ? '+' : amount < 0 ? '−' : ''}${number(amount)}`;

/** A game with the price that its points were played for: points at different prices are not added up. */
export const gameName = ({ title, worth: point, unit }: RulesetTotal): string =>
  point > 0 ? `${title}${m.common_money_per_point({ money: money(point, unit) })}` : title;
