// A closed deal: the best settings of thirteen cards, against boards that lie there or against hands as good players set them.

import { RequestWriter } from './bytes';
import type { Kernel } from './kernel';

export interface Closed {
  readonly cards: readonly number[];
  readonly opponents: number;
  /** Their boards, front first; none where they are not known. */
  readonly against: readonly (readonly number[])[];
  /** How many settings to tell. */
  readonly top: number;
  /** A setting that is told in any case. */
  readonly own?: readonly (readonly number[])[] | undefined;
}

/** A setting: mean points from all opponents, chances to win and lose each row and all three. */
export interface Ranked {
  readonly rows: readonly (readonly number[])[];
  readonly legal: boolean;
  readonly points: number;
  readonly royalties: readonly number[];
  readonly won: readonly number[];
  readonly lost: readonly number[];
  readonly scoops: number;
  readonly scooped: number;
}

export interface Ranking {
  readonly count: number;
  readonly legal: number;
  readonly surrender: number;
  /** What the natural that the cards hold brings; null without one. */
  readonly natural: number | null;
  readonly settings: readonly Ranked[];
  /** The setting that was asked for, and how many are better. */
  readonly own: { readonly place: number; readonly setting: Ranked } | null;
}

const BOARD = 13;
const SHOWN = 0; // a hand that is a board, no surrender and no natural
const UNKNOWN = 0; // of a seat nothing is known
const SETTING = 98; // bytes
const ALL = 72_072; // settings of thirteen cards

/** `field`: what is kept of /fields for so many opponents; not needed against boards. Throws Refused. */
export function ranked(
  kernel: Kernel,
  rules: number,
  field: number,
  { cards, opponents, against, top, own: wanted }: Closed,
): Ranking {
  const told = wanted === undefined ? top : ALL;
  const own = Uint8Array.from(cards);
  const question =
    against.length === 0
      ? new RequestWriter()
          .u32(field)
          .raw(own)
          .cards([])
          .u32(opponents, ...Array.from({ length: opponents }, () => UNKNOWN), told)
      : new RequestWriter()
          .u32(rules)
          .raw(own)
          .u32(against.length)
          .f64(...against.map(() => 1))
          .u32(1)
          .raw(Uint8Array.from(against.flatMap((board) => [SHOWN, ...board])))
          .u32(told);
  const answer = kernel.ask(against.length === 0 ? 'closed_choose' : 'closed_against', question);
  const some = (at: number, count: number): number[] =>
    Array.from({ length: count }, (_, i) => answer.getFloat64(at + 8 * i, true));
  const shown = answer.getUint32(24, true);
  const boardOf = (number: number): number[] =>
    Array.from({ length: BOARD }, (_, i) => answer.getUint8(28 + SETTING * number + i));
  const setting = (number: number): Ranked => {
    const at = 28 + SETTING * number;
    const board = boardOf(number);
    const [scoops = 0, scooped = 0] = some(at + 82, 2);
    return {
      rows: [board.slice(0, 3), board.slice(3, 8), board.slice(8)],
      legal: answer.getUint8(at + 13) === 1,
      points: answer.getFloat64(at + 14, true),
      royalties: [0, 1, 2].map((row) => answer.getInt32(at + 22 + 4 * row, true)),
      won: some(at + 34, 3),
      lost: some(at + 58, 3),
      scoops,
      scooped,
    };
  };
  const settings = Array.from({ length: Math.min(top, shown) }, (_, number) => setting(number));
  const rowOf = new Map(wanted?.flatMap((row, at) => row.map((card) => [card, at])));
  const isOwn = (number: number): boolean =>
    boardOf(number).every((card, i) => rowOf.get(card) === (i < 3 ? 0 : i < 8 ? 1 : 2));
  const place = wanted === undefined ? -1 : Array.from({ length: shown }).findIndex((_, number) => isOwn(number));
  const held = kernel.ask('score_board', new RequestWriter().u32(rules).raw(own)).getInt32(28, true) >= 0;
  return {
    count: answer.getUint32(16, true),
    legal: answer.getUint32(20, true),
    surrender: answer.getFloat64(0, true),
    natural: held ? answer.getFloat64(8, true) : null,
    settings,
    own: place < 0 ? null : { place, setting: setting(place) },
  };
}
