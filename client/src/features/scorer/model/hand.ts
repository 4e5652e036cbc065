// One board in the making at the scorer: cards typed or tapped into rows. Pure; what a board is worth, the server says.

import { m } from '../../../shared/i18n.svelte';
import type { RowName } from '../../../api/generated/types';
import { isJoker, rowName, ROWS, SLOTS } from '../../../cards/cards';
import { storedText } from '../../../cards/rows';

export type HandMode = 'board' | 'surrender' | 'natural';

export interface DraftHand {
  readonly name: string;
  /** Whose board it is; the player's own name outside criss-cross. */
  readonly owner: string;
  readonly mode: HandMode;
  readonly rows: Readonly<Record<RowName, readonly string[]>>;
  /** The thirteen cards of a natural. */
  readonly natural: readonly string[];
  readonly fantasyland: number;
  readonly inRow: number;
  readonly declared: readonly RowName[];
}

export const BOARD_CARDS = 13;

export const emptyHand = (name: string, owner: string): DraftHand => ({
  name,
  owner,
  mode: 'board',
  rows: { front: [], middle: [], back: [] },
  natural: [],
  fantasyland: 0,
  inRow: 1,
  declared: [],
});

export const allCards = (hand: DraftHand): readonly string[] => {
  if (hand.mode === 'surrender') return [];
  return hand.mode === 'natural' ? hand.natural : ROWS.flatMap((row) => hand.rows[row]);
};

/** Cards that are still to come. */
export const missing = (hand: DraftHand): number =>
  hand.mode === 'surrender' ? 0 : BOARD_CARDS - allCards(hand).length;

/** The row that takes the next card: the wished one while it has room, else the first that has. */
export function nextRow(hand: DraftHand, wished: RowName): RowName | null {
  const free = (row: RowName): boolean => hand.rows[row].length < SLOTS[row];
  return free(wished) ? wished : (ROWS.find(free) ?? null);
}

export function withCard(hand: DraftHand, card: string, wished: RowName): DraftHand {
  if (hand.mode === 'natural')
    return hand.natural.length < BOARD_CARDS ? { ...hand, natural: [...hand.natural, card] } : hand;
  const row = nextRow(hand, wished);
  return row === null || hand.mode === 'surrender'
    ? hand
    : { ...hand, rows: { ...hand.rows, [row]: [...hand.rows[row], card] } };
}

export function withoutCard(hand: DraftHand, card: string): DraftHand {
  const drop = (cards: readonly string[]): readonly string[] => cards.filter((other) => other !== card);
  return {
    ...hand,
    natural: drop(hand.natural),
    rows: { front: drop(hand.rows.front), middle: drop(hand.rows.middle), back: drop(hand.rows.back) },
  };
}

/** Cards as people write them: "qh 10d", "Q♥T♦". Throws with a sentence for the person. */
export function readCards(text: string): string[] {
  const cards = storedText(text.replace(/[\s,，、]|\uFE0E|\uFE0F/g, '')).match(/.{1,2}/gu) ?? [];
  const piece = cards.find((card) => !/^([2-9TJQKA][shdc]|X[12])$/.test(card));
  if (piece !== undefined) throw new Error(m.scorer_error_card({ piece }));
  return cards;
}

/** A board as text: front/middle/back, or just cards, which then fill the rows in that order. */
export function readBoard(text: string): Record<RowName, string[]> {
  const parts = text.includes('/') ? text.split('/') : null;
  const rows: Record<RowName, string[]> = { front: [], middle: [], back: [] };
  if (parts === null) {
    const cards = readCards(text);
    if (cards.length > BOARD_CARDS) throw new Error(m.scorer_error_board_size({ n: cards.length }));
    for (const row of ROWS) rows[row] = cards.splice(0, SLOTS[row]);
    return rows;
  }
  if (parts.length > ROWS.length) throw new Error(m.scorer_error_rows());
  for (const [at, part] of parts.entries()) {
    const row = ROWS[at] as RowName;
    rows[row] = readCards(part);
    if (rows[row].length > SLOTS[row])
      throw new Error(m.scorer_error_row_size({ row: rowName(row), x: SLOTS[row], n: rows[row].length }));
  }
  return rows;
}

export function boardText(hand: DraftHand): string {
  if (hand.mode === 'natural') return hand.natural.join('');
  const text = ROWS.map((row) => hand.rows[row].join('')).join('/');
  return text === '//' ? '' : text;
}

/** The deck for tapping: a line a suit, from the ace down; a joker ends a line. */
export function deckLines(deck: readonly string[]): string[][] {
  const suits = ['s', 'h', 'd', 'c'];
  const lines = suits.map((suit) => deck.filter((card) => !isJoker(card) && card.charAt(1) === suit).toReversed());
  const jokers = deck.filter(isJoker);
  return lines.map((line, i) => [...line, ...jokers.slice(i, i + 1)]);
}
