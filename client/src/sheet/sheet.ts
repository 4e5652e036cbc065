// The sheet of a deal that this device has scored: every number with what it is for. Pure.

import type { DealScore, ScoredHand, ScoredPair } from '../engine/solo';
import type { Cell, RowName, ScoreSheet, SheetHand, SheetPair, SheetRow } from '../api/generated/types';
import { HIDDEN, rowName, ROWS } from '../cards/cards';
import { m } from '../shared/i18n.svelte';
import { describeRow } from '../cards/handNames';

const ALL_ROWS = 3;
const [BOARD, SURRENDER, NATURAL] = [0, 1, 2]; // kinds of hands

export const byRow = <T>(make: (row: RowName, at: number) => T): Record<RowName, T> => ({
  front: make('front', 0),
  middle: make('middle', 1),
  back: make('back', 2),
});

/** Who plays a hand; those of one seat do not play each other. */
export interface Party {
  readonly seat: number;
  readonly player: string;
}

/** How points are counted. */
export interface SheetOptions {
  readonly deck: readonly string[];
  readonly lowMiddle: boolean;
  /** As `scoring.rows`. */
  readonly scoring: string;
  /** Everybody plays the last hand alone. */
  readonly banker: boolean;
  /** Names, as the kernel numbers them. */
  readonly naturals: readonly string[];
}

export function sheetOf(
  deal: number,
  scored: DealScore,
  parties: readonly Party[],
  counting: SheetOptions,
): ScoreSheet {
  const hands = scored.hands.map((hand, at) => handOf(hand, at, scored, parties[at] as Party, counting));
  const banker = parties.at(-1)?.seat;
  const plays = ({ a, b }: ScoredPair): boolean => {
    const [first, second] = [parties[a]?.seat, parties[b]?.seat];
    return first !== second && (!counting.banker || first === banker || second === banker);
  };
  return {
    deal,
    hands,
    pairs: scored.pairs.filter(plays).map((pair) => pairOf(pair, hands, counting.scoring)),
    stacks: [],
  };
}

const worth = ({ rows, royalties, other }: ScoredPair): number => rows + royalties + other;

function handOf(
  hand: ScoredHand,
  at: number,
  { pairs }: DealScore,
  { seat, player }: Party,
  { deck, lowMiddle, naturals }: SheetOptions,
): SheetHand {
  const status =
    hand.kind === NATURAL || hand.natural >= 0
      ? 'natural'
      : hand.kind === SURRENDER
        ? 'surrendered'
        : hand.offending === 0
          ? 'legal'
          : 'foul';
  const row = (which: number): SheetRow | null => {
    if (hand.kind !== BOARD || hand.natural >= 0) return null;
    const cards = (hand.cards[which] ?? []).map((card) => deck[card] ?? HIDDEN);
    return { cards, name: describeRow(hand, which, cards, lowMiddle), royalty: hand.royalties[which] ?? 0 };
  };
  return {
    hand: at,
    seat,
    player,
    status,
    ...byRow((_, which) => row(which)),
    natural: naturals[hand.natural] ?? '',
    royalties: hand.royalties.reduce((sum, points) => sum + points, 0),
    points: pairs.reduce(
      (sum, pair) => sum + (pair.a === at ? worth(pair) : pair.b === at ? -worth(pair) : 0),
      hand.table,
    ),
    fantasyland: hand.next,
    fantasyland_why: hand.next > 0 ? m.common_cards_next_deal({ cards: hand.next }) : '',
  };
}

const EACH = ['per_row', 'per_row_scoop3', 'two_four', 'one_four'];

function pairOf(pair: ScoredPair, hands: readonly SheetHand[], scoring: string): SheetPair {
  const [a, b] = [hands[pair.a] as SheetHand, hands[pair.b] as SheetHand];
  const compared = (a.status === 'legal' && b.status === 'legal') || pair.results.some((result) => result !== 0);
  const won = pair.results.filter((result) => result > 0).length;
  const lost = pair.results.filter((result) => result < 0).length;
  // Where each row counts a point the rest is the scoop's; where rows count together, all of it.
  const single = compared && EACH.includes(scoring);
  const rowCell = (row: RowName, at: number): Cell => {
    const result = compared ? (pair.results[at] ?? 0) : 0;
    const [winner, loser] = result < 0 ? [b, a] : [a, b];
    const why = compared ? `${winner[row]?.name ?? ''} ${result === 0 ? '=' : '>'} ${loser[row]?.name ?? ''}` : '';
    return { points: single ? result : 0, why };
  };
  const rows = byRow(rowCell);
  const scoop = compared ? pair.rows - ROWS.reduce((sum, row) => sum + rows[row].points, 0) : 0;
  const winner = won > lost ? a : b;
  const swept = Math.max(won, lost) === ALL_ROWS;
  const royalty = (hand: SheetHand): string[] =>
    ROWS.flatMap((row) =>
      hand.status === 'legal' && (hand[row]?.royalty ?? 0) > 0
        ? [`${hand.player}, ${rowName(row)}: ${hand[row]?.name ?? ''} +${hand[row]?.royalty ?? 0}`]
        : [],
    );
  const points = worth(pair);
  return {
    a: pair.a,
    b: pair.b,
    ...rows,
    scoop: {
      points: scoop,
      why: swept
        ? m.sheet_solo_all_rows({ name: winner.player })
        : scoop === 0
          ? ''
          : m.sheet_solo_more_rows({ name: winner.player }),
    },
    royalties: { points: pair.royalties, why: [...royalty(a), ...royalty(b)].join('; ') },
    other: { points: pair.other, why: otherWhy([a, b]) },
    points,
    stake: 1,
    moved: { points, why: '' },
    won: compared ? [pair.results[0] ?? 0, pair.results[1] ?? 0, pair.results[2] ?? 0] : [0, 0, 0],
  };
}

/** What a natural, a surrender or a foul has to do with it. */
function otherWhy(pair: readonly SheetHand[]): string {
  const naturals = pair.filter((hand) => hand.status === 'natural').map((hand) => `${hand.player}: ${hand.natural}`);
  if (naturals.length > 0) return naturals.join('; ');
  const surrendered = pair
    .filter((hand) => hand.status === 'surrendered')
    .map((hand) => `${hand.player}: ${m.common_status_surrendered()}`);
  if (surrendered.length > 0) return surrendered.join('; ');
  const fouled = pair.filter((hand) => hand.status === 'foul').map(({ player }) => player);
  return fouled.length === 0
    ? ''
    : fouled.length > 1
      ? m.sheet_solo_both_fouled()
      : m.sheet_solo_fouled({ name: fouled[0] ?? '' });
}
