// A deal of which only the points were written down, of each player or of each pair. Pure.

import type { DealLine, RulesSpec } from '../../../api/http';
import type { Stakes } from './line';

/** What a deal is entered by. */
export type Entry = 'cards' | 'points' | 'pairs';

export interface Amount {
  readonly points: number;
  /** The player, or the first of a pair, has lost them. */
  readonly lost: boolean;
}

export type Amounts = Readonly<Record<string, Amount>>;

/** The points with their signs, zero for who has none yet; a deal is complete when `isComplete`. */
export const signedPoints = (keys: readonly string[], amounts: Amounts): Readonly<Record<string, number>> =>
  Object.fromEntries(
    keys.map((key) => {
      const { points, lost } = amounts[key] ?? { points: 0, lost: false };
      return [key, lost && points !== 0 ? -points : points];
    }),
  );

export const isComplete = (keys: readonly string[], amounts: Amounts): boolean =>
  keys.every((key) => amounts[key] !== undefined);

export const sum = (points: Readonly<Record<string, number>>): number =>
  Number(
    Object.values(points)
      .reduce((total, amount) => total + amount, 0)
      .toFixed(9),
  );

/** A deal as its line; stakes count for pairs alone. */
export function pointsLine(
  rules: RulesSpec,
  entry: 'points' | 'pairs',
  players: readonly string[],
  points: Readonly<Record<string, number>>,
  stakes: Stakes,
): DealLine {
  const agreed = Object.fromEntries(
    Object.entries(stakes).filter(([pair, stake]) => entry === 'pairs' && stake !== 1 && pair in points),
  );
  return {
    rules,
    [entry]: points,
    ...(Object.keys(agreed).length > 0 ? { stakes: agreed } : {}),
    order: players,
  };
}

/** What a line was entered by. */
export const entryOf = (line: DealLine): Entry => ('points' in line ? 'points' : 'pairs' in line ? 'pairs' : 'cards');

/** The points of a line, to be changed again; a pair's in both directions, as a file may name it in either. */
export function amountsOf(line: DealLine): Amounts {
  const points = (line['points'] ?? line['pairs'] ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(points).flatMap(([key, value]): [string, Amount][] => {
      if (typeof value !== 'number') return [];
      const size = Math.abs(value);
      const [a = '', b] = key.split('-');
      return [
        ...(b === undefined ? [] : [[`${b}-${a}`, { points: size, lost: value > 0 }] as [string, Amount]]),
        [key, { points: size, lost: value < 0 }],
      ];
    }),
  );
}
