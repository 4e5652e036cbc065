// Rows in words as the server says them, where no server does. The texts come from its catalogue (scripts.hand_messages).

import type { ScoredHand } from '../engine/solo';
import { isJoker, RANKS, rankOf, rankText } from './cards';
import { language, m } from '../shared/i18n.svelte';

const FIVE = RANKS.indexOf('5'); // the highest card of the lowest straight
const ACE = RANKS.indexOf('A');

const word = (words: string, rank: number): string => words.split(', ')[rank] ?? '';
const singular = (rank: number): string => word(m.cards_hand_rank(), rank);
const plural = (rank: number): string => word(m.cards_hand_ranks(), rank);
const highest = (rank: number): string => word(m.cards_hand_rank_highest(), rank);

/** A hand's name as it stands within a sentence. */
export const lowerFirst = (text: string): string => text.charAt(0).toLocaleLowerCase(language.tag) + text.slice(1);
export const upperFirst = (text: string): string => text.charAt(0).toLocaleUpperCase(language.tag) + text.slice(1);

/** "Pair of queens", "Straight, king high": a full row by the value that the kernel compares. */
export function valueName(value: number): string {
  const [category, first, second] = [value >>> 20, ((value >>> 16) & 15) - 1, ((value >>> 12) & 15) - 1];
  const top = second === 0 ? FIVE : first; // of a straight: the lowest has no second rank
  const names = [
    () => upperFirst(m.cards_hand_high({ rank: singular(first) })),
    () => groupName(2, first),
    () => groupName(2, first, second),
    () => groupName(3, first),
    () => m.cards_hand_straight({ rank: highest(top) }),
    () => m.cards_hand_flush({ rank: highest(first) }),
    () => groupName(3, first, second),
    () => groupName(4, first),
    () => (top === ACE ? m.cards_hand_kind_royal_flush() : m.cards_hand_straight_flush({ rank: highest(top) })),
    () => groupName(5, first),
  ];
  return names[category]?.() ?? '';
}

function groupName(size: number, rank: number, pair?: number): string {
  const ranks = plural(rank);
  if (size === 2)
    return pair === undefined
      ? m.cards_hand_pair({ ranks })
      : m.cards_hand_two_pair({ high: ranks, low: plural(pair) });
  if (size === 3)
    return pair === undefined
      ? m.cards_hand_trips({ ranks })
      : m.cards_hand_full_house({ trips: ranks, pair: plural(pair) });
  return size === 4 ? m.cards_hand_quads({ ranks }) : m.cards_hand_five({ ranks });
}

/** "Pair of queens" of a row that is not full, "8-6-4" of a low one; empty for what is nothing yet. */
export function cardsName(cards: readonly string[], low: boolean): string {
  if (cards.some(isJoker)) return '';
  const count = new Map<string, number>();
  for (const rank of cards.map(rankOf)) count.set(rank, (count.get(rank) ?? 0) + 1);
  const groups = [...count]
    .map(([rank, size]) => ({ rank: RANKS.indexOf(rank), size }))
    .toSorted((a, b) => b.size - a.size || b.rank - a.rank);
  const [largest, next] = groups;
  if (largest === undefined || largest.size < 2)
    return low ? groups.map(({ rank }) => rankText(RANKS[rank] ?? '')).join('-') : '';
  return groupName(largest.size, largest.rank, (next?.size ?? 0) > 1 ? next?.rank : undefined);
}

/** A scored row's name. */
export function describeRow(hand: ScoredHand, row: number, cards: readonly string[], low: boolean): string {
  if (!low || row !== 1) return valueName(hand.values[row] ?? 0);
  const name = cardsName(cards, true);
  return new Set(cards.map(rankOf)).size === cards.length
    ? m.cards_hand_low({ ranks: name })
    : m.cards_hand_as_low({ hand: name });
}
