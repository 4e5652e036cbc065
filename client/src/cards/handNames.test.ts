import { expect, test } from 'vitest';
import type { ScoredHand } from '../engine/solo';
import { cardsName, describeRow, valueName } from './handNames';

const RANKS = '23456789TJQKA';
/** A value as the kernel compares it: category, then ranks from 1. */
const value = (category: number, ...ranks: string[]): number =>
  ranks.reduce((sum, rank, at) => sum | ((RANKS.indexOf(rank) + 1) << (16 - 4 * at)), category << 20);

test.each([
  [0, ['A', 'K'], 'High card A'],
  [1, ['Q', '9'], 'Pair QQ'],
  [1, ['T', '9'], 'Pair 10-10'],
  [2, ['K', '9'], 'Two pair KK 99'],
  [3, ['Q', '4'], 'Three of a kind QQQ'],
  [4, ['K', 'Q'], 'Straight K'],
  [4, ['T', '9'], 'Straight 10'],
  [5, ['A', '9'], 'Flush A'],
  [6, ['2', '9'], 'Full house 222 99'],
  [6, ['T', 'A'], 'Full house 10-10-10 AA'],
  [7, ['8', 'A'], 'Four of a kind 8888'],
  [8, ['9', '8'], 'Straight flush 9'],
  [8, ['A', 'K'], 'Royal flush'],
  [9, ['K', 'K'], 'Five of a kind KKKKK'],
] as const)('category %i of %s is said as %s', (category, ranks, name) => {
  expect(valueName(value(category, ...ranks)).trim()).toBe(name);
});

test('the lowest straight is called by its five', () => {
  expect(valueName(value(4, 'A', '2'))).toBe(valueName(value(4, '5', '4')));
  expect(valueName(value(8, 'A', '2'))).toBe('Straight flush 5');
});

test.each([
  ['Ah Kd', ''],
  ['Ah Ad Kc', 'Pair AA'],
  ['Th Td 9c 9s', 'Two pair 10-10 99'],
  ['5h 5d 5c', 'Three of a kind 555'],
  ['2h 2d 2c 9s 9d', 'Full house 222 99'],
  ['8h 8d 8c 8s', 'Four of a kind 8888'],
  ['X1 Ad Ac', ''],
  ['', ''],
])('%s, not yet full, is %s', (cards, name) => {
  expect(cardsName(cards.split(' ').filter(Boolean), false)).toBe(name);
});

test('a low row is said by its ranks, from the top', () => {
  expect(cardsName(['8h', '3c', '6d', '2s', '4c'], true)).toBe('8-6-4-3-2');
  expect(cardsName(['Th', '2c'], true)).toBe('10-2');
  expect(cardsName(['8h', '8c', '6d'], true)).toBe('Pair 88');
  const hand = { values: [0, value(1, 'K', '2'), 0] } as unknown as ScoredHand;
  expect(describeRow(hand, 1, ['8h', '3c', '6d', '2s', '4c'], true)).toBe('8-6-4-3-2');
  expect(describeRow(hand, 1, ['8h', '3c', '6d', '2s', '4c'], false)).toBe('Pair KK');
});
