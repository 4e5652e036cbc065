// The rows of a board, for whoever has no words: workers too.

import type { RowName } from '../api/generated/types';

export const ROWS = ['front', 'middle', 'back'] as const satisfies readonly RowName[];
export const SLOTS: Readonly<Record<RowName, number>> = { front: 3, middle: 5, back: 5 };

/** A card that lies face down. */
export const HIDDEN = '??';

const WRITTEN = /(10|[2-9TJQKA])([cdhs♣♦♥♠♧♢♡♤])|x[12]/gi;
const SIGNS: Readonly<Record<string, string>> = {
  '♣': 'c',
  '♦': 'd',
  '♥': 'h',
  '♠': 's',
  '♧': 'c',
  '♢': 'd',
  '♡': 'h',
  '♤': 's',
};

/** A text in which each card that a person wrote ("10h", "qh", "Q♥") stands as it is stored ("Th", "Qh"); as src/triptych/cards.py. */
export function storedText(text: string): string {
  return text.replace(WRITTEN, (card: string, rank?: string, suit?: string) =>
    rank === undefined || suit === undefined
      ? card.toUpperCase()
      : (rank === '10' ? 'T' : rank.toUpperCase()) + (SIGNS[suit] ?? suit.toLowerCase()),
  );
}

/** The cards of a text such as `QhQd7c`. */
export const cardsIn = (text: string): string[] => text.match(/.{2}/g) ?? [];
