// A finished deal under review: what the server tells of it, what the workers of this page find, and where the reader is.

import type { AnalysisWorkers as Workers } from '../../analyse/model/workers';
import { AnalysisWorkers, decoded } from '../../analyse/model/workers';
import { analysePath, soloPath } from '../../analyse/model/link';
import { whereAndWhat } from '../../rules/model/format';
import { mistakes, saveMistake } from '../../practice/model/mistakes.svelte';
import { LatestRequest } from '../../../shared/latestRequest';
import type { Made } from '../../../shared/rate';
import type { RulesSpec } from '../../../api/http';
import type { Layout, ReviewSetup, ReviewHand } from '../../../api/generated/types';
import type { Closed } from '../../../engine/closed';
import {
  judge,
  judgement,
  moment,
  rankedReview,
  rankQuery,
  type DecisionReview,
  type DecisionPoint,
} from './decision';
import { fileKey, onDevice, packed, unpacked, versionOf, type ReviewArchive } from './savedReviews';

export type Stage = 'idle' | 'loading' | 'judging' | 'done' | 'failed';

/** A hand's result taken apart, in points; `luck` is what is left of the result without anybody's mistakes. */
export interface Share {
  readonly result: number;
  readonly lost: number;
  readonly given: number;
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
  found = $state.raw<Readonly<Record<number, DecisionReview>>>({});
  /** Whose placements are shown. */
  hand = $state(0);
  at = $state(0);

  private readonly every = $derived.by((): readonly DecisionPoint[] => {
    const { form } = this;
    if (form === null) return [];
    const stacks = decoded(form.stacks);
    return form.streets.map((street) => moment(form.analysis, stacks, street)).filter((one) => one !== null);
  });
  /** The placements of the hand that is shown. */
  readonly moments = $derived(this.every.filter(({ street }) => street.hand === this.hand));
  readonly moment = $derived(this.moments[Math.min(this.at, this.moments.length - 1)] ?? null);
  readonly judgement = $derived(this.moment === null ? null : (this.found[this.moment.street.step] ?? null));
  /** The hands whose cards are known. */
  readonly hands = $derived(
    (this.form?.hands ?? [])
      .map((_, hand) => hand)
      .filter((hand) => (this.form?.streets ?? []).some((one) => one.hand === hand)),
  );
  readonly done = $derived(this.every.filter(({ street }) => this.found[street.step] !== undefined).length);
  readonly count = $derived(this.every.length);

  private readonly latest = new LatestRequest();
  private crew: Workers | null = null;
  private archive: ReviewArchive | null = null;
  private turn = 0;
  private under: Promise<void> = Promise.resolve();

  constructor(at: number) {
    this.at = at;
  }

  /** `archive`: where the review may lie already; without one, a file's deal is looked for on this device. */
  async load(asked: () => Promise<ReviewSetup>, inText = false, archive: ReviewArchive | null = null): Promise<void> {
    this.problem = null;
    const answer = await this.latest.ask(async () => {
      const saved = (await archive?.load()) ?? null;
      const found = unpacked(saved);
      return saved === null || found === null ? { form: await asked(), found: null } : { form: saved.form, found };
    });
    if (answer === null) return;
    if (!answer.ok) {
      const { code, path, message } = answer.error;
      this.code = code;
      this.problem = inText ? whereAndWhat(path, message) : message;
      return;
    }
    const { form } = answer.value;
    this.collected = 0;
    this.archive = archive ?? onDevice(fileKey(form));
    this.found = answer.value.found ?? (archive === null ? unpacked(await this.archive.load()) : null) ?? {};
    this.form = form;
    const mine = form.hands.findIndex(({ seat }) => seat === form.you);
    this.hand = mine >= 0 ? mine : (this.hands[0] ?? 0);
    this.at = Math.max(0, Math.min(this.at, this.moments.length - 1));
    await this.judge();
    if (answer.value.found !== null) await this.renew(asked, versionOf(form));
  }

  /** Measure anew what older weights have measured; without a server the review stands as it is. */
  private async renew(asked: () => Promise<ReviewSetup>, version: string): Promise<void> {
    const answer = await this.latest.ask(asked);
    if (answer === null || !answer.ok || versionOf(answer.value) === version) return;
    this.found = {};
    this.form = answer.value;
    await this.judge();
  }

  /** Judge what is not judged yet; the hand that is shown comes first. */
  judge(): Promise<void> {
    const { form } = this;
    if (form === null) return Promise.resolve();
    this.stage = 'loading';
    this.under = this.judgeAll(++this.turn, form);
    return this.under;
  }

  private async judgeAll(mine: number, form: ReviewSetup): Promise<void> {
    const known = this.done;
    try {
      for (const hands of this.together(form)) {
        const waiting = hands.flatMap((hand) =>
          this.every.filter((one) => one.street.hand === hand && this.found[one.street.step] === undefined),
        );
        if (waiting.length === 0) continue;
        await this.judged(mine, form, hands[0] ?? 0, waiting);
        if (mine !== this.turn) return;
      }
      this.stage = 'done';
      if (this.done === known) return;
      void this.archive?.save(packed(form, this.found));
      this.collected = this.collectMistakes(form);
    } catch (fault) {
      this.crew?.end();
      this.crew = null;
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

  private async judged(
    mine: number,
    form: ReviewSetup,
    hand: number,
    waiting: readonly DecisionPoint[],
  ): Promise<void> {
    if (form.analysis.closed !== null) {
      this.stage = 'judging';
      for (const { street, closed } of waiting) {
        const found = closed === null ? null : await this.ranked(form, closed, street.layout);
        if (mine !== this.turn) return;
        if (found !== null) this.found = { ...this.found, [street.step]: found };
      }
      return;
    }
    const able = waiting.flatMap((one) => (one.position === null ? [] : [{ one, position: one.position }]));
    const team = await this.team(form, form.hands[hand]);
    if (team === null || mine !== this.turn) return;
    this.stage = 'judging';
    const questions = able.map(({ one, position }) => judge(form.analysis, position, one.street.layout));
    await team.judge(questions, (answer, at) => {
      const asked = able[at];
      if (mine !== this.turn || asked === undefined) return false;
      this.found = { ...this.found, [asked.one.street.step]: judgement(form.analysis, asked.position, answer) };
      return true;
    });
  }

  /** What another placement of a street is worth; null where nothing can be measured. */
  async tried({ street, position, closed }: DecisionPoint, layout: Layout): Promise<DecisionReview | null> {
    const { form } = this;
    if (form === null) return null;
    await this.under; // the workers do one thing at a time
    if (closed !== null) return this.ranked(form, closed, layout);
    if (position === null) return null;
    const team = await this.team(form, form.hands[street.hand]);
    let found: DecisionReview | null = null;
    await team?.judge([judge(form.analysis, position, layout)], (answer) => {
      found = judgement(form.analysis, position, answer);
      return false;
    });
    return found;
  }

  private async ranked({ analysis }: ReviewSetup, closed: Closed, layout: Layout): Promise<DecisionReview> {
    this.crew ??= new AnalysisWorkers();
    return rankedReview(analysis, await this.crew.rank(analysis, rankQuery(analysis, closed, layout)));
  }

  private async team(
    { analysis }: ReviewSetup,
    hand: ReviewHand | undefined,
  ): Promise<Awaited<ReturnType<Workers['ready']>> | null> {
    const player = hand?.player ?? analysis.player;
    const { weights } = analysis;
    if (player === null || weights === null) return null;
    this.crew ??= new AnalysisWorkers();
    return this.crew.ready({ ...analysis, player, weights });
  }

  close(): void {
    this.latest.forget();
    this.turn += 1;
    this.crew?.end();
  }

  go(at: number): void {
    this.at = Math.max(0, Math.min(at, this.moments.length - 1));
  }

  show(hand: number): void {
    this.hand = hand;
    this.at = 0;
  }

  /** The placement that lost the most, among those that are judged; null where none lost anything. */
  get dearest(): number | null {
    const lost = this.moments.map(({ street }) => this.found[street.step]?.lost ?? 0);
    const most = Math.max(0, ...lost);
    return most > 0 ? lost.indexOf(most) : null;
  }

  /** The points that the hand's placements gave away, as far as they are judged. */
  lost(hand: number): number {
    return this.every
      .filter(({ street }) => street.hand === hand)
      .reduce((sum, { street }) => sum + (this.found[street.step]?.lost ?? 0), 0);
  }

  /** What the decisions of a seat's hands lost, as far as they are judged; a fantasyland is not a decision of a rate. */
  made(seat: number | null): readonly Made[] {
    const hands = this.form?.hands ?? [];
    return this.every.flatMap(({ street }): Made[] => {
      const judged = this.found[street.step];
      return judged === undefined || street.street === 0 || hands[street.hand]?.seat !== seat
        ? []
        : [{ street: street.street, behind: judged.behind, counted: judged.counted }];
    });
  }

  /** Put the reader's own mistakes into practice, from their threshold on; how many there were. */
  private collectMistakes(form: ReviewSetup): number {
    const { least } = mistakes;
    const seats = form.hands.map(({ seat }) => seat);
    const costly = this.every.filter(({ street, closed }) => {
      const found = this.found[street.step];
      if (least === null || found === undefined || closed !== null || street.street === 0) return false;
      return seats[street.hand] === form.you && found.lost >= least && !found.close;
    });
    for (const { street, setUp } of costly) {
      const [found, ways] = [this.found[street.step], this.ways(street.position, street.hand)];
      if (found !== undefined && ways !== null) saveMistake(ways.rules, setUp, found.lines, found.played);
    }
    return costly.length;
  }

  /** Null until all of it is known. */
  get share(): Share | null {
    const { form, stage } = this;
    const result = form?.hands[this.hand]?.result ?? null;
    if (form === null || result === null || stage !== 'done') return null;
    const others = form.hands.map((_, hand) => hand).filter((hand) => hand !== this.hand);
    const lost = this.lost(this.hand);
    const given = others.reduce((sum, hand) => sum + this.lost(hand), 0) / others.length;
    return { result, lost, given, luck: result + lost - given };
  }

  /** Where the analysis board has a position of this deal, and where it is played on; null under rules that are no preset's. */
  ways(
    position: string,
    hand: number,
  ): { readonly rules: RulesSpec; readonly board: string; readonly solo: string } | null {
    const rules = this.form?.rules ?? null;
    const preset = rules?.['preset'];
    const found =
      this.form === null
        ? null
        : moment(this.form.analysis, new Uint8Array(), {
            step: 0,
            hand,
            street: 0,
            position,
            layout: { front: [], middle: [], back: [] },
            discards: [],
            in_row: 0,
          });
    if (rules === null || typeof preset !== 'string' || found === null) return null;
    const spec = { ...rules, preset };
    return { rules: spec, board: analysePath(spec, found.setUp), solo: soloPath(spec, found.setUp) };
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
