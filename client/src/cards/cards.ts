// Cards as text ("Ah", "X1", "??"): what they are called and how they sort; the rows that they lie in.

import { m } from '../shared/i18n.svelte';
import type { RowName } from '../api/generated/types';
import { HIDDEN } from './rows';

export { HIDDEN, ROWS, SLOTS } from './rows';

/** "front", as it stands in a sentence. */
export const rowName = (row: RowName): string =>
  ({ front: m.cards_row_front, middle: m.cards_row_middle, back: m.cards_row_back })[row]();

export type Suit = 's' | 'h' | 'd' | 'c';

export const RANKS = '23456789TJQKA';
const SUITS: readonly Suit[] = ['s', 'h', 'c', 'd'];

export const isHidden = (card: string): boolean => card === HIDDEN;
export const isJoker = (card: string): boolean => card.startsWith('X');
export const rankOf = (card: string): string => card.charAt(0);
export const suitOf = (card: string): Suit => card.charAt(1) as Suit;

/** The rank as it is printed on the card. */
export const rankText = (card: string): string => (rankOf(card) === 'T' ? '10' : rankOf(card));

const COURTS: Readonly<Record<string, () => string>> = {
  A: () => m.cards_ace(),
  K: () => m.cards_king(),
  Q: () => m.cards_queen(),
  J: () => m.cards_jack(),
};
const SUIT_NAMES: Readonly<Record<Suit, () => string>> = {
  s: () => m.cards_spades(),
  h: () => m.cards_hearts(),
  d: () => m.cards_diamonds(),
  c: () => m.cards_clubs(),
};

/** "ace of hearts", "10 of clubs": what a screen reader says. */
export function cardName(card: string): string {
  if (isHidden(card)) return m.cards_face_down();
  if (isJoker(card)) return m.cards_joker();
  return m.cards_rank_of_suit({ rank: COURTS[rankOf(card)]?.() ?? rankText(card), suit: SUIT_NAMES[suitOf(card)]() });
}

export type Sorting = 'rank' | 'suit';

const rankIndex = (card: string): number => (isJoker(card) ? 99 : RANKS.indexOf(rankOf(card)));
const suitIndex = (card: string): number => (isJoker(card) ? -1 : SUITS.indexOf(suitOf(card)));

/** Highest first; by suit: spades, hearts, clubs, diamonds, each from the top. Jokers lead. */
export function sortCards(cards: readonly string[], sorting: Sorting): string[] {
  const byRank = (a: string, b: string): number => rankIndex(b) - rankIndex(a);
  const bySuit = (a: string, b: string): number => suitIndex(a) - suitIndex(b);
  return cards.toSorted((a, b) => (sorting === 'rank' ? byRank(a, b) || bySuit(a, b) : bySuit(a, b) || byRank(a, b)));
}

/** A finished row sorted by its combination: the largest group of one rank first, then from the top; 5 4 3 2 A. */
export function sortByCombination(cards: readonly string[]): string[] {
  const ranks = cards.map(rankOf).toSorted().join('');
  const isWheel = ranks === '2345A';
  const rankIndex = (card: string): number =>
    isJoker(card) ? 99 : isWheel && rankOf(card) === 'A' ? -1 : RANKS.indexOf(rankOf(card));
  const count = (card: string): number => cards.filter((other) => rankIndex(other) === rankIndex(card)).length;
  return cards.toSorted((a, b) => count(b) - count(a) || rankIndex(b) - rankIndex(a) || suitIndex(a) - suitIndex(b));
}
