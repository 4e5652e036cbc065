// Rows in words, where no server says them.

import type { ScoredHand } from '../engine/solo';
import { isJoker, rankText } from './cards';
import { m } from '../shared/i18n.svelte';

const RANKS = ['2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A'];
const NAMES = [
  m.cards_hand_high,
  m.cards_hand_pair,
  m.cards_hand_two_pair,
  m.cards_hand_trips,
  m.cards_hand_straight,
  m.cards_hand_flush,
  m.cards_hand_full_house,
  m.cards_hand_quads,
  m.cards_hand_straight_flush,
  m.cards_hand_five,
];
const [STRAIGHT, STRAIGHT_FLUSH] = [4, 8];
const WHEEL = 3; // the place of the five
/** How often each of a hand's two ranks is said. */
const TIMES: readonly (readonly [number, number])[] = [
  [1, 0],
  [2, 0],
  [2, 2],
  [3, 0],
  [1, 0],
  [1, 0],
  [3, 2],
  [4, 0],
  [1, 0],
  [5, 0],
];

const times = (rank: string, often: number): string =>
  Array.from({ length: often }, () => rank).join(rank.length > 1 ? '-' : '');
const said = (category: number, first: string, second: string): string => {
  const [ones, twos] = TIMES[category] ?? [1, 0];
  return `${NAMES[category]?.() ?? ''} ${[times(first, ones), times(second, twos)].filter(Boolean).join(' ')}`;
};

/** "Pair QQ", "Straight K": a full row by the value that the kernel compares. */
export function valueName(value: number): string {
  const [category, first, second] = [value >>> 20, (value >>> 16) & 15, (value >>> 12) & 15];
  const straight = category === STRAIGHT || category === STRAIGHT_FLUSH;
  const top = straight && second === 1 ? WHEEL : first - 1;
  if (category === STRAIGHT_FLUSH && top === RANKS.length - 1) return m.cards_hand_royal();
  return said(category, RANKS[top] ?? '', RANKS[second - 1] ?? '');
}

/** "Pair QQ" of a row that is not full, "8-6-4-3-2" of a low one; empty for what is nothing yet. */
export function cardsName(cards: readonly string[], low: boolean): string {
  if (cards.some(isJoker)) return '';
  const counts = new Map<string, number>();
  for (const rank of cards.map(rankText)) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  const groups = [...counts].toSorted(([a, n], [b, k]) => k - n || RANKS.indexOf(b) - RANKS.indexOf(a));
  const [[first, size], [second, more]] = [groups[0] ?? ['', 0], groups[1] ?? ['', 0]];
  if (size < 2) return low ? groups.map(([rank]) => rank).join('-') : '';
  return said(size === 2 ? (more === 2 ? 2 : 1) : size === 3 ? (more === 2 ? 6 : 3) : 7, first, second);
}

/** A scored row's name. */
export const describeRow = (hand: ScoredHand, row: number, cards: readonly string[], low: boolean): string =>
  low && row === 1 ? cardsName(cards, true) : valueName(hand.values[row] ?? 0);
