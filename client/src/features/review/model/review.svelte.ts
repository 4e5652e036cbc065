// A finished deal under review: its data from the server, the results of this page's workers, and where the reader is.

import type { AnalysisWorkers as Workers } from '../../analyse/model/workers';
import { AnalysisWorkers, fromBase64 } from '../../analyse/model/workers';
import { analysePath, soloPath } from '../../analyse/model/link';
import { locatedMessage } from '../../rules/model/format';
import { mistakes, saveMistake } from '../../practice/model/mistakes.svelte';
import { LatestRequest } from '../../../shared/latestRequest';
import type { RatedDecision } from '../../../shared/rate';
import type { RulesSpec } from '../../../api/http';
import type { Layout, ReviewSetup, ReviewHand } from '../../../api/generated/types';
import type { ClosedQuery } from '../../../engine/closed';
import {
  toEvaluationRequest,
  toDecisionReview,
  toDecisionPoint,
  rankedReview,
  rankQuery,
  type DecisionReview,
  type DecisionPoint,
} from './decision';
import { fileKey, onDevice, packed, unpacked, versionOf, type ReviewArchive } from './savedReviews';

export type Stage = 'idle' | 'loading' | 'judging' | 'done' | 'failed';

/** A hand's result taken apart, in points; `luck` is what is left of the result without anybody's mistakes. */
export interface ResultBreakdown {
  readonly result: number;
  readonly lost: number;
  readonly opponentsLoss: number;
  readonly luck: number;
}

export class ReviewState {
  form = $state.raw<ReviewSetup | null>(null);
  problem = $state<string | null>(null);
  /** The code of the problem, for those that the page has words of its own for. */
  code = $state('');
  stage = $state<Stage>('idle');
  why = $state('');
  /** The mistakes that this review has put into practice. */
  collected = $state(0);
  /** By the step of the history. */
  reviews = $state.raw<Readonly<Record<number, DecisionReview>>>({});
  /** Whose placements are shown. */
  hand = $state(0);
  at = $state(0);

  private readonly allDecisions = $derived.by((): readonly DecisionPoint[] => {
    const { form } = this;
    if (form === null) return [];
    const stacks = fromBase64(form.stacks);
    return form.streets
      .map((street) => toDecisionPoint(form.analysis, stacks, street))
      .filter((point) => point !== null);
  });
  /** The placements of the hand that is shown. */
  readonly decisions = $derived(this.allDecisions.filter(({ street }) => street.hand === this.hand));
  readonly decision = $derived(this.decisions[Math.min(this.at, this.decisions.length - 1)] ?? null);
  readonly decisionReview = $derived(
    this.decision === null ? null : (this.reviews[this.decision.street.step] ?? null),
  );
  /** The hands whose cards are known. */
  readonly hands = $derived(
    (this.form?.hands ?? [])
      .map((_, hand) => hand)
      .filter((hand) => (this.form?.streets ?? []).some((street) => street.hand === hand)),
  );
  readonly done = $derived(this.allDecisions.filter(({ street }) => this.reviews[street.step] !== undefined).length);
  readonly count = $derived(this.allDecisions.length);

  private readonly latest = new LatestRequest();
  private workers: Workers | null = null;
  private archive: ReviewArchive | null = null;
  private turn = 0;
  private pending: Promise<void> = Promise.resolve();

  constructor(at: number) {
    this.at = at;
  }

  /** `archive`: where the review may lie already; without one, a file's deal is looked for on this device. */
  async load(
    request: () => Promise<ReviewSetup>,
    inText = false,
    archive: ReviewArchive | null = null,
  ): Promise<void> {
    this.problem = null;
    const answer = await this.latest.ask(async () => {
      const saved = (await archive?.load()) ?? null;
      const reviews = unpacked(saved);
      return saved === null || reviews === null
        ? { form: await request(), reviews: null }
        : { form: saved.form, reviews };
    });
    if (answer === null) return;
    if (!answer.ok) {
      const { code, path, message } = answer.error;
      this.code = code;
      this.problem = inText ? locatedMessage(path, message) : message;
      return;
    }
    const { form } = answer.value;
    this.collected = 0;
    this.archive = archive ?? onDevice(fileKey(form));
    this.reviews = answer.value.reviews ?? (archive === null ? unpacked(await this.archive.load()) : null) ?? {};
    this.form = form;
    const mine = form.hands.findIndex(({ seat }) => seat === form.you);
    this.hand = mine >= 0 ? mine : (this.hands[0] ?? 0);
    this.at = Math.max(0, Math.min(this.at, this.decisions.length - 1));
    await this.evaluate();
    if (answer.value.reviews !== null) await this.renew(request, versionOf(form));
  }

  /** Measure again what older weights have measured; without a server the review stays as it is. */
  private async renew(request: () => Promise<ReviewSetup>, version: string): Promise<void> {
    const answer = await this.latest.ask(request);
    if (answer === null || !answer.ok || versionOf(answer.value) === version) return;
    this.reviews = {};
    this.form = answer.value;
    await this.evaluate();
  }

  /** Evaluate what is not evaluated yet; the hand that is shown comes first. */
  evaluate(): Promise<void> {
    const { form } = this;
    if (form === null) return Promise.resolve();
    this.stage = 'loading';
    this.pending = this.evaluateAll(++this.turn, form);
    return this.pending;
  }

  private async evaluateAll(mine: number, form: ReviewSetup): Promise<void> {
    const doneBefore = this.done;
    try {
      for (const hands of this.together(form)) {
        const waiting = hands.flatMap((hand) =>
          this.allDecisions.filter(
            (decision) => decision.street.hand === hand && this.reviews[decision.street.step] === undefined,
          ),
        );
        if (waiting.length === 0) continue;
        await this.evaluateHand(mine, form, hands[0] ?? 0, waiting);
        if (mine !== this.turn) return;
      }
      this.stage = 'done';
      if (this.done === doneBefore) return;
      void this.archive?.save(packed(form, this.reviews));
      this.collected = this.collectMistakes(form);
    } catch (fault) {
      this.workers?.end();
      this.workers = null;
      if (mine !== this.turn) return;
      this.stage = 'failed';
      this.why = fault instanceof Error ? fault.message : String(fault);
    }
  }

  /** The hands that the same workers judge without a break, the hand that is shown first. */
  private together({ hands }: ReviewSetup): readonly (readonly number[])[] {
    const inTurn = this.hands.toSorted((a, b) => Number(b === this.hand) - Number(a === this.hand));
    const playerOf = (hand: number): string | null => hands[hand]?.player ?? null;
    const firsts = inTurn.filter(
      (hand, at) => inTurn.findIndex((other) => playerOf(other) === playerOf(hand)) === at,
    );
    return firsts.map((first) => inTurn.filter((hand) => playerOf(hand) === playerOf(first)));
  }

  private async evaluateHand(
    mine: number,
    form: ReviewSetup,
    hand: number,
    waiting: readonly DecisionPoint[],
  ): Promise<void> {
    if (form.analysis.closed !== null) {
      this.stage = 'judging';
      for (const { street, closed } of waiting) {
        const review = closed === null ? null : await this.ranked(form, closed, street.layout);
        if (mine !== this.turn) return;
        if (review !== null) this.reviews = { ...this.reviews, [street.step]: review };
      }
      return;
    }
    const able = waiting.flatMap(({ street, position }) => (position === null ? [] : [{ street, position }]));
    const team = await this.pool(form, form.hands[hand]);
    if (team === null || mine !== this.turn) return;
    this.stage = 'judging';
    const questions = able.map(({ street, position }) => toEvaluationRequest(form.analysis, position, street.layout));
    await team.judge(questions, (answer, at) => {
      const decision = able[at];
      if (mine !== this.turn || decision === undefined) return false;
      this.reviews = {
        ...this.reviews,
        [decision.street.step]: toDecisionReview(form.analysis, decision.position, answer),
      };
      return true;
    });
  }

  /** What another placement of a street is worth; null where nothing can be measured. */
  async evaluateOther({ street, position, closed }: DecisionPoint, layout: Layout): Promise<DecisionReview | null> {
    const { form } = this;
    if (form === null) return null;
    await this.pending; // the workers do one thing at a time
    if (closed !== null) return this.ranked(form, closed, layout);
    if (position === null) return null;
    const team = await this.pool(form, form.hands[street.hand]);
    let review: DecisionReview | null = null;
    await team?.judge([toEvaluationRequest(form.analysis, position, layout)], (answer) => {
      review = toDecisionReview(form.analysis, position, answer);
      return false;
    });
    return review;
  }

  private async ranked({ analysis }: ReviewSetup, closed: ClosedQuery, layout: Layout): Promise<DecisionReview> {
    this.workers ??= new AnalysisWorkers();
    return rankedReview(analysis, await this.workers.rank(analysis, rankQuery(analysis, closed, layout)));
  }

  private async pool(
    { analysis }: ReviewSetup,
    hand: ReviewHand | undefined,
  ): Promise<Awaited<ReturnType<Workers['ready']>> | null> {
    const player = hand?.player ?? analysis.player;
    const { weights } = analysis;
    if (player === null || weights === null) return null;
    this.workers ??= new AnalysisWorkers();
    return this.workers.ready({ ...analysis, player, weights });
  }

  close(): void {
    this.latest.forget();
    this.turn += 1;
    this.workers?.end();
  }

  go(at: number): void {
    this.at = Math.max(0, Math.min(at, this.decisions.length - 1));
  }

  show(hand: number): void {
    this.hand = hand;
    this.at = 0;
  }

  /** The placement that lost the most, among those that are judged; null where none lost anything. */
  get costliest(): number | null {
    const lost = this.decisions.map(({ street }) => this.reviews[street.step]?.lost ?? 0);
    const most = Math.max(0, ...lost);
    return most > 0 ? lost.indexOf(most) : null;
  }

  /** The points that the hand's placements gave away, as far as they are judged. */
  lost(hand: number): number {
    return this.allDecisions
      .filter(({ street }) => street.hand === hand)
      .reduce((sum, { street }) => sum + (this.reviews[street.step]?.lost ?? 0), 0);
  }

  /** What the decisions of a seat's hands lost, as far as they are judged; a fantasyland is not a decision of a rate. */
  ratedDecisions(seat: number | null): readonly RatedDecision[] {
    const hands = this.form?.hands ?? [];
    return this.allDecisions.flatMap(({ street }): RatedDecision[] => {
      const judged = this.reviews[street.step];
      return judged === undefined || street.street === 0 || hands[street.hand]?.seat !== seat
        ? []
        : [{ street: street.street, loss: judged.behind, isRated: judged.counted }];
    });
  }

  /** Put the reader's own mistakes into practice, from their threshold on; how many there were. */
  private collectMistakes(form: ReviewSetup): number {
    const { least } = mistakes;
    const seats = form.hands.map(({ seat }) => seat);
    const costly = this.allDecisions.filter(({ street, closed }) => {
      const review = this.reviews[street.step];
      if (least === null || review === undefined || closed !== null || street.street === 0) return false;
      return seats[street.hand] === form.you && review.lost >= least && !review.close;
    });
    for (const { street, setUp } of costly) {
      const [review, ways] = [this.reviews[street.step], this.ways(street.position, street.hand)];
      if (review !== undefined && ways !== null) saveMistake(ways.rules, setUp, review.lines, review.played);
    }
    return costly.length;
  }

  /** Null until all of it is known. */
  get share(): ResultBreakdown | null {
    const { form, stage } = this;
    const result = form?.hands[this.hand]?.result ?? null;
    if (form === null || result === null || stage !== 'done') return null;
    const others = form.hands.map((_, hand) => hand).filter((hand) => hand !== this.hand);
    const lost = this.lost(this.hand);
    const opponentsLoss = others.reduce((sum, hand) => sum + this.lost(hand), 0) / others.length;
    return { result, lost, opponentsLoss, luck: result + lost - opponentsLoss };
  }

  /** Where the analysis board has a position of this deal, and where it is played on; null under rules that are no preset's. */
  ways(
    position: string,
    hand: number,
  ): { readonly rules: RulesSpec; readonly board: string; readonly solo: string } | null {
    const rules = this.form?.rules ?? null;
    const preset = rules?.['preset'];
    const decision =
      this.form === null
        ? null
        : toDecisionPoint(this.form.analysis, new Uint8Array(), {
            step: 0,
            hand,
            street: 0,
            position,
            layout: { front: [], middle: [], back: [] },
            discards: [],
            in_row: 0,
          });
    if (rules === null || typeof preset !== 'string' || decision === null) return null;
    const spec = { ...rules, preset };
    return { rules: spec, board: analysePath(spec, decision.setUp), solo: soloPath(spec, decision.setUp) };
  }

  /** The keys of the replay: arrows step, Home and End jump. */
  key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.form === null) return;
    if (event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [popover], dialog'))
      return;
    if (event.key === 'ArrowRight') this.go(this.at + 1);
    else if (event.key === 'ArrowLeft') this.go(this.at - 1);
    else if (event.key === 'Home') this.go(0);
    else if (event.key === 'End') this.go(Infinity);
    else return;
    event.preventDefault();
  }
}
