// Builds the engine's query for a position, or says what is missing. Pure; the streets come from the server.

import type { AnalysisSetup } from '../../../api/generated/types';
import type { Position } from '../../../engine/analysis';
import type { ClosedQuery } from '../../../engine/closed';
import type { Objective } from '../../../engine/setting';
import { HIDDEN, ROWS } from '../../../cards/rows';
import { allCards, cardsPlaced, rowSizes, type PositionHand, type BoardPosition, type Sizes } from './position';

/** Why there is nothing to ask yet: `more` cards on a hand's board for whole streets; `draw` cards still to be dealt to me. */
export type MissingInput =
  | { readonly kind: 'board'; readonly hand: number; readonly more: number }
  | { readonly kind: 'street'; readonly hand: number; readonly counts: readonly number[] }
  | { readonly kind: 'draw'; readonly more: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'few' };

/** Exactly one of these is not null. */
export interface EngineQuery {
  readonly position: Position | null;
  /** A fantasyland under rules for which nothing was learned. */
  readonly fantasyland: Objective | null;
  readonly closed: ClosedQuery | null;
  readonly missing: MissingInput | null;
}

const NOTHING: EngineQuery = { position: null, fantasyland: null, closed: null, missing: null };

const BOARD_CARDS = 13;

/** Cards that lie after each number of whole streets: 0, 5, 7, …, 13. */
export function completeSizes(form: AnalysisSetup): number[] {
  const counts = [0];
  for (const street of form.streets) counts.push((counts.at(-1) ?? 0) + street.placed);
  return counts;
}

/** How many cards lay in each row of a hand after each of its streets; nothing where that is not known, or cannot be by these rules. */
export function rowCountsIn(form: AnalysisSetup, { laid, ...hand }: PositionHand): readonly Sizes[] {
  const steps = completeSizes(form);
  const fits = laid.every((after, street) => {
    const before = laid[street - 1] ?? [0, 0, 0];
    return (
      after.every((size, row) => size >= (before[row] ?? 0)) &&
      after.reduce((sum, size) => sum + size, 0) === steps[street + 1]
    );
  });
  const whole = String(laid.at(-1)) === String(rowSizes({ laid, ...hand }));
  return hand.fantasyland === 0 && fits && whole ? laid : [];
}

/** The same once another street lies there; of a hand with one street or none the order is plain. */
export function rowCountsAfter(form: AnalysisSetup, before: PositionHand, after: PositionHand): readonly Sizes[] {
  const lying = completeSizes(form).indexOf(cardsPlaced(before));
  const counts = lying === 1 ? [rowSizes(before)] : rowCountsIn(form, before);
  if (lying < 1 || counts.length < lying) return [];
  return rowCountsIn(form, { ...after, laid: [...counts, rowSizes(after)] });
}

/** How many cards my street deals; 0 where my board is full or between two streets. */
export function cardsToDraw(form: AnalysisSetup, { hands, me }: BoardPosition): number {
  const fantasyland = hands[me]?.fantasyland ?? 0;
  if (form.closed !== null) return BOARD_CARDS;
  if (fantasyland > 0) return fantasyland;
  const street = completeSizes(form).indexOf(cardsPlaced(hands[me] as PositionHand));
  return form.streets[street]?.dealt ?? 0;
}

const missingQuery = (missing: MissingInput): EngineQuery => ({ ...NOTHING, missing });
const numbersIn =
  (form: AnalysisSetup) =>
  (cards: readonly string[]): number[] =>
    cards.filter((card) => card !== HIDDEN).map((card) => form.deck.indexOf(card));

/** A whole fantasyland beside the other boards, finished or not; without others, its royalties count. */
function fantasylandQuery(form: AnalysisSetup, { hands, me }: BoardPosition): EngineQuery {
  const mine = hands[me] as PositionHand;
  const more = mine.fantasyland - mine.drawn.length;
  if (more > 0) return missingQuery({ kind: 'draw', more });
  const steps = completeSizes(form);
  // Cards that lie face down are unknown: such a board counts as empty.
  const numbers = numbersIn(form);
  const rows = hands.map((hand) => ROWS.map((row) => numbers(hand[row])));
  const done = rows.map((own) => steps.indexOf(own.flat().length));
  const between = hands.findIndex((hand, at) => at !== me && hand.fantasyland === 0 && done[at] === -1);
  if (between >= 0) return missingQuery({ kind: 'street', hand: between, counts: steps.slice(1) });
  const others = rows.filter((_, at) => at !== me).map((own) => own.flat());
  if (form.player === null && others.every((board) => board.length === BOARD_CARDS)) {
    // Nothing was learned for these rules, and nothing has to be: it is solved against what lies there.
    const fantasylandValues = form.land_value.map((value) => value * Math.max(1, others.length));
    return { ...NOTHING, fantasyland: { inRow: 1, fantasylandValues, cards: numbers(mine.drawn), against: others } };
  }
  return streetQuery(form, { hands, me }, 0, done, rows);
}

const TOP_SETTINGS = 8; // settings of a closed deal

/** Thirteen cards against all others' boards, or against none of them. */
function closedQuery(form: AnalysisSetup, { hands, me }: BoardPosition): EngineQuery {
  const mine = hands[me] as PositionHand;
  if (mine.drawn.length < BOARD_CARDS) return missingQuery({ kind: 'draw', more: BOARD_CARDS - mine.drawn.length });
  const numbers = numbersIn(form);
  const boards = hands.map((hand) => numbers(ROWS.flatMap((row) => hand[row])));
  const others = boards.filter((_, at) => at !== me);
  const some = others.some((board) => board.length > 0);
  const lacking = boards.findIndex((board, at) => some && at !== me && board.length < BOARD_CARDS);
  if (lacking >= 0)
    return missingQuery({ kind: 'board', hand: lacking, more: BOARD_CARDS - (boards[lacking]?.length ?? 0) });
  return {
    ...NOTHING,
    closed: { cards: numbers(mine.drawn), opponents: others.length, against: some ? others : [], top: TOP_SETTINGS },
  };
}

export function buildQuery(form: AnalysisSetup, setUp: BoardPosition): EngineQuery {
  const { hands, me } = setUp;
  const steps = completeSizes(form);
  const mine = hands[me] as PositionHand;
  if (form.closed !== null) return closedQuery(form, setUp);
  if (mine.fantasyland > 0) return fantasylandQuery(form, setUp);
  const street = steps.indexOf(cardsPlaced(mine));
  const after = steps.find((count) => count > cardsPlaced(mine)) ?? 0;
  if (street < 0) return missingQuery({ kind: 'board', hand: me, more: after - cardsPlaced(mine) });
  const step = form.streets[street];
  if (step === undefined) return missingQuery({ kind: 'done' });
  if (mine.drawn.length < step.dealt) return missingQuery({ kind: 'draw', more: step.dealt - mine.drawn.length });
  const done = hands.map((hand) => steps.indexOf(cardsPlaced(hand)));
  for (const [at, hand] of hands.entries()) {
    if (at === me || hand.fantasyland > 0) continue;
    const counts = [steps[street] as number, steps[street + 1] as number];
    if (!counts.includes(cardsPlaced(hand))) return missingQuery({ kind: 'street', hand: at, counts });
  }
  const numbers = numbersIn(form);
  return streetQuery(
    form,
    setUp,
    street,
    done,
    hands.map((hand) => ROWS.map((row) => numbers(hand[row]))),
  );
}

/** The position itself, where cards enough are left for everybody. */
function streetQuery(
  form: AnalysisSetup,
  { hands, me }: BoardPosition,
  street: number,
  done: readonly number[],
  rows: readonly (readonly (readonly number[])[])[],
): EngineQuery {
  const visibleCards = new Set(hands.flatMap(allCards));
  const unseen = form.deck.filter((card) => !visibleCards.has(card));
  const coming = hands.map((hand, at) => {
    if (hand.fantasyland > 0) return at === me ? 0 : hand.fantasyland;
    const from = at === me ? street + 1 : (done[at] as number);
    return form.streets.slice(from).reduce((sum, next) => sum + next.dealt, 0);
  });
  if (coming.reduce((sum, cards) => sum + cards, 0) > unseen.length) return missingQuery({ kind: 'few' });
  return {
    ...NOTHING,
    position: {
      street,
      me,
      cards: numbersIn(form)((hands[me] as PositionHand).drawn),
      unseen: unseen.reduce((bits, card) => bits | (1n << BigInt(form.deck.indexOf(card))), 0n),
      hands: hands.map((hand, at) => ({
        rows: rows[at] as readonly (readonly number[])[],
        streetsDone: hand.fantasyland > 0 ? 0 : (done[at] as number),
        laid: ROWS.some((row) => hand[row].includes(HIDDEN)) ? [] : rowCountsIn(form, hand),
        fantasyland: hand.fantasyland,
        inRow: hand.fantasyland > 0 ? 1 : 0,
      })),
    },
  };
}
