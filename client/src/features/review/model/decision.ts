// What a placement of a finished deal was worth, by the kernel. Pure; the positions come from the server.

import type { Position } from '../../../engine/analysis';
import type { ClosedQuery, Ranking } from '../../../engine/closed';
import type { Evaluation } from '../../../engine/decision';
import type { EvaluationRequest, EvaluationResponse } from '../../../engine/pool';
import type { AnalysisSetup, Layout, ReviewStreet } from '../../../api/generated/types';
import { HIDDEN, ROWS } from '../../../cards/cards';
import { readPosition, type PositionHand, type BoardPosition } from '../../analyse/model/position';
import { buildQuery } from '../../analyse/model/buildQuery';
import { toLine, rankedLine, type AnalysisLine } from '../../analyse/model/analysis.svelte';

/** As `triptych review`: the same seed and error, the same numbers. */
export const EVALUATION_OPTIONS = { seed: 1, error: 0.15, slices: 200, best: 4 } as const;
const EQUAL = 1e-6; // points

/** A street of the deal before it was placed, or a whole fantasyland. */
export interface DecisionPoint {
  readonly street: ReviewStreet;
  readonly setUp: BoardPosition;
  readonly mine: PositionHand;
  /** Null where the kernel has no answer to it. */
  readonly position: Position | null;
  /** The hand of a closed deal, which is ranked. */
  readonly closed: ClosedQuery | null;
}

export interface DecisionReview {
  /** How many placements there were. */
  readonly count: number;
  /** The best one first. */
  readonly lines: readonly AnalysisLine[];
  readonly best: AnalysisLine;
  readonly played: AnalysisLine;
  readonly lost: number;
  readonly error: number;
  readonly exact: boolean;
  readonly behind: number;
  /** The played placement is within the error of the best. */
  readonly close: boolean;
  readonly counted: boolean;
}

/** The position with one hand to act, however many others were to act at the same time. */
const actedBy = (text: string, hand: number): string =>
  text
    .split(' | ')
    .map((part, at) => (at === hand ? '*' : '') + part.replace('*', ''))
    .join(' | ');

export function toDecisionPoint(
  form: AnalysisSetup,
  stacks: Uint8Array<ArrayBuffer>,
  street: ReviewStreet,
): DecisionPoint | null {
  const setUp = readPosition(actedBy(street.position, street.hand));
  const mine = setUp?.hands[street.hand];
  if (setUp === null || mine === undefined) return null;
  const { position, closed } = buildQuery(form, setUp);
  if (position === null) return { street, setUp, mine, position, closed };
  const hands = position.hands.map((hand, at) => (at === street.hand ? { ...hand, inRow: street.in_row } : hand));
  return { street, setUp, mine, position: { ...position, stacks, hands }, closed };
}

const numbersOf = (form: AnalysisSetup, layout: Layout): number[][] =>
  ROWS.map((row) => layout[row].filter((card) => card !== HIDDEN).map((card) => form.deck.indexOf(card)));

/** What is asked about the hand of a closed deal that was set so. */
export const rankQuery = (form: AnalysisSetup, closed: ClosedQuery, layout: Layout): ClosedQuery => ({
  ...closed,
  own: numbersOf(form, layout),
});

/** A closed setting beside the best ones: exact, and always a decision. */
export function rankedReview(form: AnalysisSetup, { legal, settings, own }: Ranking): DecisionReview {
  if (own === null) throw new Error('the kernel did not find the setting that was played');
  const lines = settings.map((setting, which) => rankedLine(form.deck, setting, which));
  const played = lines[own.place] ?? rankedLine(form.deck, own.setting, own.place);
  const best = lines[0] ?? played;
  const lost = best.value - played.value;
  return {
    count: legal,
    lines: lines.includes(played) ? lines : [...lines, played],
    best,
    played,
    lost,
    error: 0,
    exact: true,
    behind: lost,
    close: lost < EQUAL,
    counted: true,
  };
}

export function toEvaluationRequest(form: AnalysisSetup, position: Position, layout: Layout): EvaluationRequest {
  const played = numbersOf(form, layout);
  return { position: { ...position, named: [played] }, played, options: EVALUATION_OPTIONS };
}

export function toDecisionReview(
  form: AnalysisSetup,
  position: Position,
  { placements, played, evaluation }: EvaluationResponse,
): DecisionReview {
  const { lines, lost, error, exact, behind, close, counted }: Evaluation = evaluation;
  const [best, ...others] = lines.map((judged): AnalysisLine => {
    const placement = placements[judged.which];
    if (placement === undefined) throw new Error('the kernel measured no placement of these cards');
    return toLine(form.deck, position, placement, judged);
  });
  if (best === undefined) throw new Error('the kernel measured nothing');
  const all = [best, ...others];
  return {
    count: all.length,
    lines: all,
    best,
    played: all.find(({ which }) => which === played) ?? best,
    lost,
    error,
    exact,
    behind,
    close,
    counted,
  };
}
