// Positions as a line of text (src/triptych/notation/position.py, docs/notation.md). Read and written here because every
// tap changes the address, also where no server answers; whether the cards fit a street, the rules' own form says.

import type { RowName } from '../../wire/types';
import { HIDDEN, ROWS, SLOTS } from '../shared/rows';

export type Zone = RowName | 'drawn' | 'discards';
export const ZONES: readonly Zone[] = [...ROWS, 'drawn', 'discards'];

/** One hand: cards as text, `??` unknown; `fantasyland` is its number of cards, 0 outside one. */
export type SetHand = Readonly<Record<Zone, readonly string[]>> & { readonly fantasyland: number };

/** Hands from the button's left; `me` is the one that acts. */
export interface SetUp {
  readonly hands: readonly SetHand[];
  readonly me: number;
}

export const emptyHand: SetHand = { front: [], middle: [], back: [], drawn: [], discards: [], fantasyland: 0 };

const HAND = /^(\*?)([^/ ]*)\/([^/ ]*)\/([^/ ]*)(?: \+([^ ]+))?(?: -([^ ]+))?(?: =(1[3-7]))?$/;
const CARD = /^([2-9TJQKA][cdhs]|X[12]|\?\?)$/;

/** A position in either form; null where it is none, or where not just one hand acts. */
export function readPosition(text: string): SetUp | null {
  const parts = text.replaceAll('~', ' | ').replaceAll('_', ' ').replaceAll('!', '+').split('|');
  const hands: SetHand[] = [];
  const acting: number[] = [];
  for (const [at, part] of parts.entries()) {
    const found = HAND.exec(part.trim());
    if (found === null) return null;
    const [, acts = '', front = '', middle = '', back = '', drawn = '', discards = '', fantasyland = '0'] = found;
    if (acts !== '') acting.push(at);
    const cards = [front, middle, back, drawn, discards].map((one) => one.match(/.{1,2}/g) ?? []);
    if (cards.flat().some((card) => !CARD.test(card))) return null;
    const zones = Object.fromEntries(ZONES.map((zone, i): [Zone, string[]] => [zone, cards[i] ?? []])) as Record<Zone, string[]>;
    if (ROWS.some((row) => zones[row].length > SLOTS[row])) return null;
    hands.push({ ...zones, fantasyland: Number(fantasyland) });
  }
  const known = hands.flatMap(cardsOf).filter((card) => card !== HIDDEN);
  const [me] = acting;
  if (me === undefined || acting.length > 1 || new Set(known).size < known.length) return null;
  return { hands, me };
}

export const cardsOf = (hand: SetHand): string[] => ZONES.flatMap((zone) => hand[zone]);
export const placed = (hand: SetHand): number => ROWS.reduce((sum, row) => sum + hand[row].length, 0);

function handText(hand: SetHand, acts: boolean): string {
  const parts = [(acts ? '*' : '') + ROWS.map((row) => hand[row].join('')).join('/')];
  if (hand.drawn.length > 0) parts.push(`+${hand.drawn.join('')}`);
  if (hand.discards.length > 0) parts.push(`-${hand.discards.join('')}`);
  if (hand.fantasyland > 0) parts.push(`=${hand.fantasyland}`);
  return parts.join(' ');
}

/** As a line: what `triptych analyse` takes. */
export const positionText = ({ hands, me }: SetUp): string => hands.map((hand, at) => handText(hand, at === me)).join(' | ');

/** As one word, for a link. */
export const positionLink = (setUp: SetUp): string => positionText(setUp).replaceAll(' | ', '~').replaceAll(' ', '_').replaceAll('+', '!');
