// A closed deal: the best settings of thirteen cards, against known boards or against hands as good players set them.

import { RequestWriter } from './bytes';
import type { Kernel } from './kernel';
import { type ClosedBoard, readBoardScore, readClosedChoice } from './results';

export interface ClosedQuery {
  readonly cards: readonly number[];
  readonly opponents: number;
  /** Their boards, front first; none where they are not known. */
  readonly against: readonly (readonly number[])[];
  /** How many settings to return. */
  readonly top: number;
  /** A setting that is returned in any case. */
  readonly own?: readonly (readonly number[])[] | undefined;
}

/** A setting: mean points from all opponents, chances to win and lose each row and all three. */
export type RankedSetting = Omit<ClosedBoard, 'board'> & { readonly rows: readonly (readonly number[])[] };

export interface Ranking {
  readonly count: number;
  readonly legal: number;
  readonly surrender: number;
  /** Points of the natural that the cards hold; null without one. */
  readonly natural: number | null;
  readonly settings: readonly RankedSetting[];
  /** The setting that was asked for, and how many are better. */
  readonly own: { readonly place: number; readonly setting: RankedSetting } | null;
}

const SHOWN = 0; // a hand that is a board, no surrender and no natural
const UNKNOWN = 0; // of a seat nothing is known
const ALL_SETTINGS = 72_072; // settings of thirteen cards

/** `field`: the kernel's handle of the strategy for this number of opponents; not needed against boards. Throws EngineError. */
export function rankSettings(
  kernel: Kernel,
  rules: number,
  field: number,
  { cards, opponents, against, top, own: wanted }: ClosedQuery,
): Ranking {
  const limit = wanted === undefined ? top : ALL_SETTINGS;
  const own = Uint8Array.from(cards);
  const request =
    against.length === 0
      ? new RequestWriter()
          .u32(field)
          .raw(own)
          .cards([])
          .u32(opponents, ...Array.from({ length: opponents }, () => UNKNOWN), limit)
      : new RequestWriter()
          .u32(rules)
          .raw(own)
          .u32(against.length)
          .f64(...against.map(() => 1))
          .u32(1)
          .raw(Uint8Array.from(against.flatMap((board) => [SHOWN, ...board])))
          .u32(limit);
  const choice = kernel.read(against.length === 0 ? 'closed_choose' : 'closed_against', request, readClosedChoice);
  const { best } = choice.ranking;
  const setting = ({ board, ...value }: ClosedBoard): RankedSetting => ({
    ...value,
    rows: [board.slice(0, 3), board.slice(3, 8), board.slice(8)],
  });
  const rowOf = new Map(wanted?.flatMap((row, at) => row.map((card) => [card, at])));
  const isOwn = ({ board }: ClosedBoard): boolean =>
    board.every((card, i) => rowOf.get(card) === (i < 3 ? 0 : i < 8 ? 1 : 2));
  const place = wanted === undefined ? -1 : best.findIndex(isOwn);
  const hasNatural =
    kernel.read('score_board', new RequestWriter().u32(rules).raw(own), readBoardScore).natural.entry >= 0;
  return {
    count: choice.ranking.settings,
    legal: choice.ranking.legal,
    surrender: choice.surrender,
    natural: hasNatural ? choice.natural : null,
    settings: best.slice(0, top).map(setting),
    own: place < 0 ? null : { place, setting: setting(best[place] as ClosedBoard) },
  };
}
