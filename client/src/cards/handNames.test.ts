import { expect, test } from 'vitest';
import type { ScoredHand } from '../engine/solo';
import { cardsName, describeRow, valueName } from './handNames';

const RANKS = '23456789TJQKA';
/** A value as the kernel compares it: category, then ranks from 1. */
const value = (category: number, ...ranks: string[]): number =>
  ranks.reduce((sum, rank, at) => sum | ((RANKS.indexOf(rank) + 1) << (16 - 4 * at)), category << 20);

test.each([
  [0, ['A', 'K'], 'Ace high'],
  [1, ['Q', '9'], 'Pair of queens'],
  [1, ['T', '9'], 'Pair of tens'],
  [2, ['K', '9'], 'Two pair, kings and nines'],
  [3, ['Q', '4'], 'Three queens'],
  [4, ['K', 'Q'], 'Straight, king high'],
  [4, ['T', '9'], 'Straight, ten high'],
  [5, ['A', '9'], 'Flush, ace high'],
  [6, ['2', '9'], 'Full house, deuces over nines'],
  [6, ['T', 'A'], 'Full house, tens over aces'],
  [7, ['8', 'A'], 'Four eights'],
  [8, ['9', '8'], 'Straight flush, nine high'],
  [8, ['A', 'K'], 'Royal flush'],
  [9, ['K', 'K'], 'Five kings'],
] as const)('category %i of %s is said as %s', (category, ranks, name) => {
  expect(valueName(value(category, ...ranks))).toBe(name);
});

test('the lowest straight is called by its five', () => {
  expect(valueName(value(4, 'A', '2'))).toBe(valueName(value(4, '5', '4')));
  expect(valueName(value(8, 'A', '2'))).toBe('Straight flush, five high');
});

test.each([
  ['Ah Kd', ''],
  ['Ah Ad Kc', 'Pair of aces'],
  ['Th Td 9c 9s', 'Two pair, tens and nines'],
  ['5h 5d 5c', 'Three fives'],
  ['2h 2d 2c 9s 9d', 'Full house, deuces over nines'],
  ['8h 8d 8c 8s', 'Four eights'],
  ['X1 Ad Ac', ''],
  ['', ''],
])('%s, not yet full, is %s', (cards, name) => {
  expect(cardsName(cards.split(' ').filter(Boolean), false)).toBe(name);
});

test('a low row is said by its ranks, from the top', () => {
  expect(cardsName(['8h', '3c', '6d', '2s', '4c'], true)).toBe('8-6-4-3-2');
  expect(cardsName(['Th', '2c'], true)).toBe('10-2');
  expect(cardsName(['8h', '8c', '6d'], true)).toBe('Pair of eights');
  const hand = { values: [0, value(1, 'K', '2'), 0] } as unknown as ScoredHand;
  expect(describeRow(hand, 1, ['8h', '3c', '6d', '2s', '4c'], true)).toBe('8-6-4-3-2 low');
  expect(describeRow(hand, 1, ['Kh', 'Kc', '6d', '2s', '4c'], true)).toBe('Pair of kings, as a low');
  expect(describeRow(hand, 1, ['8h', '3c', '6d', '2s', '4c'], false)).toBe('Pair of kings');
});
