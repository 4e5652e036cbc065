// Positions as a line of text (src/triptych/notation/position.py, docs: notation). Read and written here because every
// tap changes the address, also where no server answers; whether the cards fit a street, the rules' own form says.

import type { RowName } from '../../../api/generated/types';
import { HIDDEN, ROWS, SLOTS, storedText } from '../../../cards/rows';

export type Zone = RowName | 'drawn' | 'discards';
export const ZONES: readonly Zone[] = [...ROWS, 'drawn', 'discards'];

/** How many cards lie in front, middle and back. */
export type Sizes = readonly [number, number, number];

/**
 * One hand: cards as text, `??` unknown; `fantasyland` is its number of cards, 0 outside one; `laid`: how many cards lay in
 * each row after each street, nothing where that is not known or of a first street alone.
 */
export type PositionHand = Readonly<Record<Zone, readonly string[]>> & {
  readonly fantasyland: number;
  readonly laid: readonly Sizes[];
};

/** Hands from the button's left; `me` is the one that acts. */
export interface BoardPosition {
  readonly hands: readonly PositionHand[];
  readonly me: number;
}

export const emptyHand: PositionHand = {
  front: [],
  middle: [],
  back: [],
  drawn: [],
  discards: [],
  fantasyland: 0,
  laid: [],
};

const HAND = /^(\*?)([^/ ]*)\/([^/ ]*)\/([^/ ]*)(?: \+([^ ]+))?(?: -([^ ]+))?(?: =(1[3-7]))?$/;
const CARD = /^([2-9TJQKA][cdhs]|X[12]|\?\?)$/;

/** A position in either form; null when it is not a position, or not exactly one hand acts. */
export function readPosition(text: string): BoardPosition | null {
  const parts = storedText(text.replaceAll('~', ' | ').replaceAll('_', ' ').replaceAll('!', '+')).split('|');
  const hands: PositionHand[] = [];
  const acting: number[] = [];
  for (const [at, part] of parts.entries()) {
    const match = HAND.exec(part.trim());
    if (match === null) return null;
    const [, acts = '', front = '', middle = '', back = '', drawn = '', discards = '', fantasyland = '0'] = match;
    if (acts !== '') acting.push(at);
    const streets = [front, middle, back].map((row) => row.split('.'));
    const cards = [...streets.map((row) => row.join('')), drawn, discards].map((text) => text.match(/.{1,2}/g) ?? []);
    if (cards.flat().some((card) => !CARD.test(card))) return null;
    const zones = Object.fromEntries(ZONES.map((zone, i): [Zone, string[]] => [zone, cards[i] ?? []])) as Record<
      Zone,
      string[]
    >;
    if (ROWS.some((row) => zones[row].length > SLOTS[row])) return null;
    if (streets.flat().some((part) => part.length % 2 === 1)) return null; // a dot within a card
    hands.push({ ...zones, fantasyland: Number(fantasyland), laid: rowCountsFrom(streets) });
  }
  const visibleCards = hands.flatMap(allCards).filter((card) => card !== HIDDEN);
  const [me] = acting;
  if (me === undefined || acting.length > 1 || new Set(visibleCards).size < visibleCards.length) return null;
  return { hands, me };
}

/** `rows`: the cards of each street, row by row. Without dots there is one street, and the order is unknown. */
function rowCountsFrom(rows: readonly (readonly string[])[]): Sizes[] {
  const count = Math.max(...rows.map((row) => row.length));
  const after = (row: number, street: number): number => (rows[row] ?? []).slice(0, street + 1).join('').length / 2;
  return count > 1
    ? Array.from({ length: count }, (_, street): Sizes => [after(0, street), after(1, street), after(2, street)])
    : [];
}

export const allCards = (hand: PositionHand): string[] => ZONES.flatMap((zone) => hand[zone]);
export const rowSizes = (hand: PositionHand): Sizes => [hand.front.length, hand.middle.length, hand.back.length];
export const cardsPlaced = (hand: PositionHand): number => ROWS.reduce((sum, row) => sum + hand[row].length, 0);

/** A dot between the cards of one street and the next; the last ones need none where nothing follows. */
function rowText(cards: readonly string[], after: readonly number[]): string {
  const parts = after.map((end, street) => cards.slice(after[street - 1] ?? 0, end).join(''));
  return after.length === 0 ? cards.join('') : parts.join('.').replace(/\.+$/, '');
}

function handText(hand: PositionHand, acts: boolean): string {
  const parts = [
    (acts ? '*' : '') +
      ROWS.map((row, at) =>
        rowText(
          hand[row],
          hand.laid.map((after) => after[at] ?? 0),
        ),
      ).join('/'),
  ];
  if (hand.drawn.length > 0) parts.push(`+${hand.drawn.join('')}`);
  if (hand.discards.length > 0) parts.push(`-${hand.discards.join('')}`);
  if (hand.fantasyland > 0) parts.push(`=${hand.fantasyland}`);
  return parts.join(' ');
}

/** As a line: what `triptych analyse` takes. */
export const positionText = ({ hands, me }: BoardPosition): string =>
  hands.map((hand, at) => handText(hand, at === me)).join(' | ');

/** As one word, for a link. */
export const positionLink = (setUp: BoardPosition): string =>
  positionText(setUp).replaceAll(' | ', '~').replaceAll(' ', '_').replaceAll('+', '!');
