// One's own cards played again by the level `strong`, street by street, the others' boards as they lay: what
// `triptych rate --same-cards` does (src/triptych/solve/analysis/same_cards.py), with the same boards for the same seed.

import type { Solution } from '../../../engine/setting';
import type { Position } from '../../../engine/analysis';
import type { SearchLimits } from '../../../engine/protocol';
import { positionText, type PositionHand } from '../../analyse/model/position';
import { toDecisionPoint, type DecisionPoint } from '../../review/model/decision';
import { ROWS } from '../../../cards/cards';
import type { AnalysisSetup, ReviewSetup } from '../../../api/generated/types';

/** The outcome of a board: a foul, its royalties (none of a foul's), a fantasyland in the next deal. */
export interface BoardOutcome {
  readonly fouled: boolean;
  readonly royalties: number;
  readonly fantasyland: boolean;
}

/** A hand's cards as they were played, and as `strong` plays them. */
export interface BaselineReplay {
  readonly played: BoardOutcome;
  readonly strong: BoardOutcome;
}

/** The search limits of `strong`. */
export const SEARCH_LIMITS = { width: 16, rollouts: 20_000, seed: 1 } as const;

type Rows = readonly (readonly string[])[];

/** The engine: `best` searches a street, `whole` evaluates a whole board. */
export interface ReplayEngine {
  best(position: Position, thought: SearchLimits): Promise<readonly (readonly number[])[]>;
  whole(
    form: AnalysisSetup,
    rows: readonly (readonly number[])[],
    fantasyland: number,
    inRow: number,
  ): Promise<Solution>;
}

const joined = (rows: Rows, more: Rows): Rows => rows.map((row, at) => [...row, ...(more[at] ?? [])]);

/** Null where none of the seat's cards were placed, or the kernel has no answer. */
export async function replayWithBaseline(
  form: ReviewSetup,
  stacks: Uint8Array<ArrayBuffer>,
  seat: number | null,
  { best, whole }: ReplayEngine,
): Promise<BaselineReplay | null> {
  const { analysis } = form;
  const text = (numbers: readonly number[]): string[] => numbers.map((number) => analysis.deck[number] ?? '');
  const mine = form.streets.filter(({ hand }) => form.hands[hand]?.seat === seat);
  let [played, strong, thrown]: [Rows, Rows, readonly string[]] = [[[], [], []], [[], [], []], []];
  let laid: PositionHand['laid'] = [];
  let last: DecisionPoint | null = null;
  for (const street of mine) {
    const before = toDecisionPoint(analysis, stacks, street);
    if (before === null) return null;
    const [front = [], middle = [], back = []] = strong;
    const own: PositionHand = { ...before.mine, front, middle, back, discards: thrown, laid };
    const hands = before.setUp.hands.map((hand, at) => (at === street.hand ? own : hand));
    last = toDecisionPoint(analysis, stacks, { ...street, position: positionText({ ...before.setUp, hands }) });
    if (last?.position == null) return null;
    const chosen = (await best(last.position, SEARCH_LIMITS)).map(text);
    thrown = [...thrown, ...own.drawn.filter((card) => !chosen.flat().includes(card))];
    played = joined(
      played,
      ROWS.map((row) => street.layout[row]),
    );
    strong = joined(strong, chosen);
    laid = [...laid, [strong[0]?.length ?? 0, strong[1]?.length ?? 0, strong[2]?.length ?? 0]];
  }
  if (last === null) return null;
  const { mine: own, street } = last;
  const came = async (rows: Rows): Promise<BoardOutcome> => {
    const numbers = rows.map((row) => row.map((card) => analysis.deck.indexOf(card)));
    const { legal, royalties, next } = await whole(analysis, numbers, own.fantasyland, street.in_row);
    return { fouled: !legal, royalties, fantasyland: next > 0 };
  };
  return { played: await came(played), strong: await came(strong) };
}

/** Shares of deals, and royalties a deal. */
export interface MeanOutcome {
  readonly fouls: number;
  readonly fantasylands: number;
  readonly royalties: number;
}

export function meanOutcome(all: readonly BoardOutcome[]): MeanOutcome {
  const mean = (of: (came: BoardOutcome) => number): number =>
    all.reduce((sum, came) => sum + of(came), 0) / Math.max(1, all.length);
  return {
    fouls: mean(({ fouled }) => Number(fouled)),
    fantasylands: mean(({ fantasyland }) => Number(fantasyland)),
    royalties: mean(({ royalties }) => royalties),
  };
}
