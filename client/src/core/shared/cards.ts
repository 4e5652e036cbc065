// Cards as text ("Ah", "X1", "??"): what they are called and how they sort; the rows that they lie in.

import type { RowName } from '../../wire/types';

export const ROWS = ['front', 'middle', 'back'] as const satisfies readonly RowName[];
export const SLOTS: Readonly<Record<RowName, number>> = { front: 3, middle: 5, back: 5 };

export type Suit = 's' | 'h' | 'd' | 'c';

export const HIDDEN = '??';

const RANKS = '23456789TJQKA';
const SUITS: readonly Suit[] = ['s', 'h', 'c', 'd'];
const COURT_NAMES: Readonly<Record<string, string>> = { A: 'ace', K: 'king', Q: 'queen', J: 'jack' };
const SUIT_NAMES: Readonly<Record<Suit, string>> = { s: 'spades', h: 'hearts', d: 'diamonds', c: 'clubs' };

export const isHidden = (card: string): boolean => card === HIDDEN;
export const isJoker = (card: string): boolean => card.startsWith('X');
export const rankOf = (card: string): string => card.charAt(0);
export const suitOf = (card: string): Suit => card.charAt(1) as Suit;

/** The rank as it is printed on the card. */
export const rankText = (card: string): string => (rankOf(card) === 'T' ? '10' : rankOf(card));

/** "ace of hearts", "10 of clubs": what a screen reader says. */
export function cardName(card: string): string {
  if (isHidden(card)) return 'face-down card';
  if (isJoker(card)) return 'joker';
  return `${COURT_NAMES[rankOf(card)] ?? rankText(card)} of ${SUIT_NAMES[suitOf(card)]}`;
}

export type Sorting = 'rank' | 'suit';

const rankIndex = (card: string): number => (isJoker(card) ? 99 : RANKS.indexOf(rankOf(card)));
const suitIndex = (card: string): number => (isJoker(card) ? -1 : SUITS.indexOf(suitOf(card)));

/** Highest first; by suit: spades, hearts, clubs, diamonds, each from the top. Jokers lead. */
export function sortCards(cards: readonly string[], sorting: Sorting): string[] {
  const byRank = (a: string, b: string): number => rankIndex(b) - rankIndex(a);
  const bySuit = (a: string, b: string): number => suitIndex(a) - suitIndex(b);
  return cards.toSorted((a, b) =>
    sorting === 'rank' ? byRank(a, b) || bySuit(a, b) : bySuit(a, b) || byRank(a, b),
  );
}

/** A row tidied for reading: cards of one rank together, the largest group first, then from the top. */
export function tidyRow(cards: readonly string[]): string[] {
  const count = (card: string): number => cards.filter((other) => rankIndex(other) === rankIndex(card)).length;
  return cards.toSorted((a, b) => count(b) - count(a) || rankIndex(b) - rankIndex(a) || suitIndex(a) - suitIndex(b));
}
