import { expect, test } from 'vitest';
import { isUsed } from './usedOptions';

const OPEN: Readonly<Record<string, unknown>> = {
  'deal.game': 'pineapple',
  'deal.jokers': 0,
  'rows.middle': 'high',
  'rows.tie_break': 'none',
  'scoring.rows': 'per_row_scoop3',
  'fantasyland.kind': 'progressive',
  'match.kind': 'orbit',
  'clock.kind': 'per_street',
  'tournament.levels': 'off',
};
const used = (values: Readonly<Record<string, unknown>>, ...keys: readonly string[]): string[] =>
  keys.filter((key) => isUsed(key, (name) => values[name]));

test('an open game has fantasyland and no naturals, a closed one the other way round', () => {
  const keys = [
    'fantasyland.entry',
    'naturals.table.entries',
    'surrender.points',
    'deal.first_street',
    'foul.points',
  ];
  expect(used(OPEN, ...keys)).toEqual(['fantasyland.entry', 'deal.first_street', 'foul.points']);
  const closed = { ...OPEN, 'deal.game': 'closed', 'fantasyland.kind': 'none' };
  expect(used(closed, ...keys)).toEqual(['naturals.table.entries', 'surrender.points', 'foul.points']);
  expect(used({ ...OPEN, 'fantasyland.kind': 'none' }, 'fantasyland.kind', 'fantasyland.entry')).toEqual([
    'fantasyland.kind',
  ]);
});

test('jokers, a low middle, custom points and a clock bring their own options', () => {
  const keys = ['rows.joker_value', 'royalties.table.low.nine', 'scoring.points', 'clock.bank'];
  expect(used({ ...OPEN, 'clock.kind': 'none' }, ...keys)).toEqual([]);
  const rich = { ...OPEN, 'deal.jokers': 2, 'rows.middle': 'deuce_to_seven', 'scoring.rows': 'custom' };
  expect(used(rich, ...keys)).toEqual(keys);
});

test('an option whose name only begins like another one is its own', () => {
  expect(used({ ...OPEN, 'fantasyland.kind': 'none' }, 'fantasyland.entryway', 'clock.kind')).toEqual([
    'fantasyland.entryway',
    'clock.kind',
  ]);
});
