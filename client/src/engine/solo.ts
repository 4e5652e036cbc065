// A game that the kernel deals and steps from its first card to its last (native/web/solo.cpp). It knows every card,
// so it belongs in a worker.

import type { OpponentModel } from '../api/generated/types';
import { RequestWriter } from './bytes';
import type { Kernel } from './kernel';
import { readBoundedRows, readScoredDeal, readSoloStep, readSoloView } from './results';

export const FRONT = 0;
export const DISCARD = 3; // an action: 0 to 2 are the rows
const ANYBODY = 255;
const NO_CARD = 255;
const BOARD = 13;
const HAND = 18; // bytes of a hand to be scored: kind, declared, fantasyland, how many in a row, owner, cards

/** How a game is dealt; `first`: the number of its first deck under the seed. */
export interface Dealing {
  readonly hands: number;
  readonly jokers: number;
  readonly streets: readonly { readonly dealt: number; readonly placed: number }[];
  readonly buttonMoves: boolean;
  /** The only hand outside fantasyland lies face down. */
  readonly aloneHides: boolean;
  readonly seed: bigint;
  readonly first: number;
  /** Cards of each hand's fantasyland, and how many in a row it makes. */
  readonly fantasylands: readonly number[];
  readonly inRow: readonly number[];
  /** The cards that the first deal begins with, in the order dealt; null: whatever the deck brings. */
  readonly given: readonly (number | null)[];
  /** The hands whose given cards came in an unknown order. */
  readonly orderUnknown: readonly boolean[];
}

/** One hand as the viewer may see it, in deal order; `-1` in a row is a card that lies face down. */
export interface HandView {
  readonly player: number;
  readonly fantasyland: number;
  readonly inRow: number;
  readonly faceDown: boolean;
  readonly rows: readonly (readonly number[])[];
  readonly toDiscard: number;
  readonly holds: number;
  readonly draws: readonly number[];
  readonly discards: readonly number[];
  /** How many cards lay in each row after each completed street, where the viewer knows. */
  readonly laid: readonly (readonly [number, number, number])[];
}

export interface GameView {
  readonly over: boolean;
  readonly deals: number;
  readonly turn: number;
  readonly street: number;
  readonly hands: readonly HandView[];
}

/** A scored deal: `hands` as `score_deal` takes them, each with its player and its cards, front first. */
export interface DealResult {
  readonly points: readonly number[];
  readonly hands: Uint8Array<ArrayBuffer>;
}

/** How a bot chooses its placement; without rollouts and noise it is greedy. */
export interface BotLimits {
  readonly width: number;
  readonly rollouts: number;
  readonly lookahead: boolean;
  readonly noise: number;
}

export class SoloGame {
  private readonly kernel: Kernel;
  private readonly handle: number;

  /** Throws EngineError. */
  constructor(kernel: Kernel, rules: number, dealing: Dealing) {
    this.kernel = kernel;
    const request = new RequestWriter().u32(rules, dealing.hands, dealing.jokers, dealing.streets.length);
    for (const street of dealing.streets) request.u32(street.dealt, street.placed);
    request.u32(1, Number(dealing.buttonMoves), Number(dealing.aloneHides)).u64(dealing.seed, BigInt(dealing.first));
    for (let hand = 0; hand < dealing.hands; ++hand)
      request.u32(dealing.fantasylands[hand] ?? 0, dealing.inRow[hand] ?? 0);
    request.cards(dealing.given.map((card) => card ?? NO_CARD));
    request.u32(dealing.orderUnknown.reduce((bits, untold, hand) => bits | (Number(untold) << hand), 0));
    this.handle = kernel.store('solo_begin', request);
  }

  /** One street of the hand in turn: what becomes of each card, in the order dealt. Throws EngineError. */
  act(actions: readonly number[]): DealResult | null {
    const request = this.mine().u32(actions.length).raw(Uint8Array.from(actions));
    const { ended, points, hands } = this.kernel.read('solo_act', request, readSoloStep);
    return ended ? { points, hands: Uint8Array.from(hands) } : null;
  }

  look(viewer: number = ANYBODY): GameView {
    const view = this.kernel.read('solo_look', this.mine().raw(Uint8Array.of(viewer)), readSoloView);
    const hands = view.hands.map(({ rows, laid, ...hand }): HandView => ({
      ...hand,
      rows: rows.map((row) => row.map((card) => (card === NO_CARD ? -1 : card))),
      laid: laid as readonly (readonly [number, number, number])[],
    }));
    return { ...view, hands };
  }

  /** How a bot places its street; `player`: the kernel's handle of the loaded weights. */
  choose(player: number, { width, rollouts, lookahead, noise }: BotLimits, seed: bigint): number[] {
    const request = this.mine().u32(player, width, rollouts, Number(lookahead)).f64(noise).u64(seed);
    return bytesOf(this.kernel.call('solo_choose', request));
  }

  /** How a bot sets its fantasyland against such opponents. */
  set({ land: fantasyland, front, middle, back }: OpponentModel): number[] {
    return bytesOf(this.kernel.call('solo_set', this.mine().f64(...fantasyland, ...front, ...middle, ...back)));
  }

  dispose(): void {
    this.kernel.drop(this.handle);
  }

  private mine(): RequestWriter {
    return new RequestWriter().u32(this.handle);
  }
}

const bytesOf = (answer: DataView): number[] => [...new Uint8Array(answer.buffer)];

/** The score of one hand. */
export interface ScoredHand {
  readonly player: number;
  readonly kind: number; // 0 a board, 1 a surrender, 2 a natural
  readonly cards: readonly (readonly number[])[]; // front, middle, back
  readonly values: readonly number[];
  readonly offending: number; // a bit for each row that breaks the order
  readonly royalties: readonly number[];
  readonly natural: number; // its place among those of the rules; -1 without one
  readonly fantasyland: number; // cards of this deal's, 0 outside one
  readonly next: number; // cards of the next fantasyland
  readonly table: number; // points that no other hand pays
}

/** What the first of two hands receives from the second: results of the rows, row points, royalties, and a foul's. */
export interface ScoredPair {
  readonly a: number;
  readonly b: number;
  readonly results: readonly number[];
  readonly rows: number;
  readonly factor: number;
  readonly royalties: number;
  readonly other: number;
}

export interface DealScore {
  readonly hands: readonly ScoredHand[];
  readonly pairs: readonly ScoredPair[];
}

/** A deal's score in detail, from its hands as `act` gave them: kind, declared rows, fantasyland cards, in a row, owner, 13 cards. */
export function scoreDeal(kernel: Kernel, rules: number, hands: Uint8Array<ArrayBuffer>): DealScore {
  const count = hands.length / HAND;
  const deal = kernel.read('score_deal', new RequestWriter().u32(rules, count).raw(hands), readScoredDeal);
  const places = deal.hands.flatMap((_, a) => deal.hands.map((__, b) => ({ a, b }))).filter(({ a, b }) => a < b);
  return {
    hands: deal.hands.map(({ values, offending, royalties, natural, fantasyland, tablePoints }, hand): ScoredHand => {
      const own = hands.subarray(HAND * hand, HAND * (hand + 1));
      return {
        player: own[4] ?? 0,
        kind: own[0] ?? 0,
        natural: natural.entry,
        table: tablePoints,
        cards: rowsOf([...own.subarray(HAND - BOARD)]),
        values,
        offending,
        royalties,
        fantasyland: own[2] ?? 0,
        next: fantasyland,
      };
    }),
    pairs: deal.pairs.map((pair, at) => ({ ...(places[at] as { a: number; b: number }), ...pair })),
  };
}

/** Thirteen cards as front, middle, back. */
export const rowsOf = (cards: readonly number[]): number[][] => [
  cards.slice(0, 3),
  cards.slice(3, 8),
  cards.slice(8),
];

/** A growing board: the least value that each row can take, its royalty then, and the rows that are lost for certain. */
export interface BoardStatus {
  readonly values: readonly number[];
  readonly royalties: readonly number[];
  readonly condemned: number; // a bit for each row
}

const FIRST_JOKER = 52;

/** `jokers`: how many the deck has. */
export function boardStatus(
  kernel: Kernel,
  rules: number,
  jokers: number,
  rows: readonly (readonly number[])[],
): BoardStatus {
  const lying = rows.flat().filter((card) => card >= FIRST_JOKER).length;
  const request = new RequestWriter().u32(rules, Number(jokers > lying));
  for (const row of rows) request.cards(row);
  const { front, middle, back, royalties, condemned } = kernel.read('row_bounds', request, readBoundedRows);
  return { values: [front.least, middle.least, back.least], condemned, royalties };
}
