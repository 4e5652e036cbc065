// Requests and responses between the page of a solo match and its worker. Cards are numbers of the rules' deck; a card
// that this seat may not know is never in them.

import type { DealScore } from '../../../engine/solo';
import type { AnalysisSetup } from '../../../api/generated/types';
import type { BoardPosition, Sizes } from '../../analyse/model/position';

/** The ladder, as the server's levels are made (src/triptych/bots/levels.py). */
export const LEVELS = ['novice', 'fast', 'medium', 'strong'] as const;
export type LevelName = (typeof LEVELS)[number];

/** One street: the position as its player saw it, and what became of the cards. */
export interface PlacedStreet {
  readonly setUp: BoardPosition;
  readonly rows: readonly (readonly string[])[];
  readonly discards: readonly string[];
}

/** The setup of a match. The seed reveals the decks: a page that plays fair leaves it out. */
export interface Setup {
  readonly form: AnalysisSetup;
  /** The bots, clockwise from the viewer's left; the viewer has seat 0. */
  readonly levels: readonly LevelName[];
  /** 64 bits in hex. */
  readonly seed?: string;
  /** Where the first deal begins; the hands' seats follow from it. */
  readonly position?: BoardPosition;
  /** After so many deals with their fantasylands it is over; each begins with the same deck, whatever came before it. */
  readonly games?: number;
  /** By how many seats the cards are turned: another number of them plays the same decks from another seat. */
  readonly turned?: number;
  /** It is over after its first deal, whatever fantasyland that brings. */
  readonly oneDeal?: boolean;
  /** No bot plays: their weights are not fetched. */
  readonly bare?: boolean;
}

export type SoloRequest =
  /** Begin a match, or, without a setup, resume the one saved under the key. `still`: do not pause between moves. */
  | { readonly kind: 'open'; readonly key: string; readonly setup: Setup | null; readonly still: boolean }
  | { readonly kind: 'arrange' | 'place'; readonly id: string; readonly rows: readonly (readonly number[])[] }
  | { readonly kind: 'next' | 'hint'; readonly id: string };

export type SoloResponse =
  | { readonly kind: 'state'; readonly state: State }
  /** Nothing is saved under this key. */
  | { readonly kind: 'nothing' }
  /** How a bot would place my street; null without a bot. */
  | { readonly kind: 'hint'; readonly rows: readonly (readonly number[])[] | null }
  | { readonly kind: 'done'; readonly id: string; readonly version: number }
  | { readonly kind: 'refused'; readonly id: string; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string };

/** One row as it lies: its value where it is full, else null; `pending`: cards of it that are not confirmed. */
export interface RowState {
  readonly cards: readonly number[]; // -1: face down
  readonly pending: readonly number[];
  readonly value: number | null;
  readonly royalty: number;
  readonly lost: boolean; // breaks the order for certain
}

/** One hand, in deal order. */
export interface HandState {
  readonly seat: number;
  readonly fantasyland: number;
  readonly inRow: number;
  readonly faceDown: boolean;
  readonly rows: readonly RowState[];
  readonly draws: readonly number[];
  readonly holds: number;
  readonly discards: readonly number[];
  readonly acting: boolean;
  readonly laid: readonly Sizes[];
}

/** The street that the viewer has to place. */
export interface StreetToPlace {
  readonly hand: number;
  readonly street: number; // from 0
  readonly cards: readonly number[];
  readonly discard: number;
  readonly layout: readonly (readonly number[])[];
}

export interface State {
  readonly version: number;
  readonly form: AnalysisSetup;
  readonly levels: readonly LevelName[];
  /** The deal's number in the match, and in its game: a deal and its fantasylands. */
  readonly deal: number;
  readonly dealInGame: number;
  readonly street: number;
  readonly hands: readonly HandState[];
  readonly asked: StreetToPlace | null;
  /** The seat of the bot that thinks. */
  readonly thinking: number | null;
  /** Points by seat, the shown deal's included. */
  readonly totals: readonly number[];
  /** By how many seats the cards were turned at first. */
  readonly turned: number;
  /** What seat 0 won in each game that is over. */
  readonly won: readonly number[];
  /** The deal that was just scored, and lies open: its reasons, and points by seat. */
  readonly scored: DealScore | null;
  readonly points: readonly number[];
  /** How seat 0 placed the deal that was just scored. */
  readonly placed: readonly (PlacedStreet & { readonly inRow: number })[];
  /** Cards of the fantasyland that each seat gets next. */
  readonly fantasylands: readonly number[];
  /** The match is over; `oneDeal`: it was a single deal. */
  readonly over: boolean;
  readonly oneDeal: boolean;
}
