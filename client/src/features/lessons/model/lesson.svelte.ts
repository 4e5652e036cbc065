// A lesson on its way: which step, what was answered, and which lessons this device has done.

import type { State } from '../../solo/model/types';
import { ApiError, type ToolsApi } from '../../../api/http';
import { save, load } from '../../../shared/storage';
import { m } from '../../../shared/i18n.svelte';
import { prefs } from '../../../shared/prefs.svelte';
import { signedNumber } from '../../../shared/format';
import { loadEngineConfig } from '../../solo/model/engineConfig';
import { LocalGameServer } from '../../solo/model/localServer';
import type { Setup } from '../../solo/model/types';
import type { Layout } from '../../../api/generated/types';
import type { ScoredHand } from '../../../engine/solo';
import { countOf, judgePick, royaltyReason, type Judged } from './answers';
import { LessonChecker, positionOf } from './checker';
import { foulReason, handsOf, orderReason } from './reasons';
import { lowerFirst, upperFirst } from '../../../cards/handNames';
import { LESSONS, PRESET, royalties, type Lesson, type Step } from './lessons';

const KEY = 'triptych.lessons';
const STEPS_KEY = 'triptych.lesson_steps';

export function lessonsDone(): readonly number[] {
  const stored = load(KEY);
  return Array.isArray(stored) ? stored.filter((number): number is number => typeof number === 'number') : [];
}

/** The step that each lesson has come to on this device. */
function lessonSteps(): Readonly<Record<string, unknown>> {
  const stored = load(STEPS_KEY);
  return stored !== null && typeof stored === 'object' ? (stored as Record<string, unknown>) : {};
}

/** Where a lesson goes on: a step that needs the one before it begins there. */
function firstStep(number: number, { steps }: Lesson): number {
  const at = lessonSteps()[number];
  if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || at >= steps.length) return 0;
  const step = steps[at];
  return step?.kind === 'fantasyland' || (step?.kind === 'count' && step.boards === 'own') ? at - 1 : at;
}

export class LessonState {
  at = $state(0);
  judge = $state.raw<LessonChecker | null>(null);
  /** What came of this step, and the cards that it speaks of; null before it was answered. */
  verdict = $state.raw<(Judged & { readonly cards?: readonly string[] }) | null>(null);
  /** The step's answer is shown. */
  hinted = $state(false);
  /** The boards of the deal that was played last: one's own, then the opponent's. */
  played = $state.raw<readonly string[]>([]);
  problem = $state<string | null>(null);
  house = $state.raw<LocalGameServer | null>(null);
  /** Counts tables: another try is another one. */
  table = $state(0);
  readonly lesson: Lesson;

  constructor(
    private readonly tools: ToolsApi,
    readonly number: number,
  ) {
    this.lesson = LESSONS[number - 1] as Lesson;
    this.at = firstStep(number, this.lesson);
    loadEngineConfig(tools, { preset: PRESET }, false)
      .then(async (form) => (this.judge = await LessonChecker.of(form)))
      .then(() => this.begin())
      .then(() => this.prepare())
      .catch((error: unknown) => this.failed(error));
  }

  get step(): Step {
    return this.lesson.steps[this.at] as Step;
  }

  get last(): boolean {
    return this.at === this.lesson.steps.length - 1;
  }

  /** The boards that the step asks about. */
  get boards(): readonly string[] {
    const { step } = this;
    if (step.kind === 'count') return step.boards === 'own' ? this.played : step.boards;
    return step.kind === 'pick' ? step.boards : [];
  }

  /** The answer of a question in words, once it is shown; empty where cards are laid. */
  get hint(): string {
    const { step, judge } = this;
    if (!this.hinted || judge === null) return '';
    if (step.kind === 'count') return countOf(step.what, this.boards, judge).why;
    if (step.kind !== 'pick') return '';
    return step.boards.map((board) => judgePick(step, judge, board)).find(({ right }) => right)?.why ?? '';
  }

  /** Show the answer; where cards are to be placed, return how. */
  async showHint(): Promise<Layout | null> {
    this.hinted = true;
    const { step, judge } = this;
    if (step.kind === 'place') return judge?.solution(positionOf(step.position), step.right) ?? null;
    return (await this.house?.hint()) ?? null;
  }

  /** A board was chosen, or a number, or a deal was played. */
  answer(right: boolean, why: string, cards: readonly string[] = []): void {
    this.verdict = { right, why: upperFirst(why), cards };
    if (!right || !this.last) return;
    save(KEY, [...lessonsDone().filter((number) => number !== this.number), this.number]);
    save(STEPS_KEY, { ...lessonSteps(), [this.number]: 0 });
  }

  next(): void {
    if (this.last) return;
    if (this.continues) {
      // The step begins when the deal is there: see `judgeDeal`.
      this.house?.next();
      return;
    }
    this.at += 1;
    save(STEPS_KEY, { ...lessonSteps(), [this.number]: this.at });
    this.begin().catch((error: unknown) => this.failed(error));
  }

  /** The next step goes on in this step's match. */
  private get continues(): boolean {
    return this.lesson.steps[this.at + 1]?.kind === 'fantasyland';
  }

  again(): void {
    if (this.step.kind === 'fantasyland') this.at -= 1;
    this.begin().catch((error: unknown) => this.failed(error));
  }

  close(): void {
    this.house?.close();
  }

  /** Ask already for what the lesson's deal will need. */
  private async prepare(): Promise<void> {
    const deal = this.lesson.steps.find(({ kind }) => kind === 'deal');
    if (deal?.kind === 'deal') await loadEngineConfig(this.tools, { preset: deal.preset });
  }

  private failed(error: unknown): void {
    this.problem = error instanceof ApiError ? error.message : String(error);
  }

  private async begin(): Promise<void> {
    this.verdict = null;
    this.hinted = false;
    this.close();
    this.house = null;
    const { step } = this;
    if (step.kind !== 'place' && step.kind !== 'deal') return;
    const form = await loadEngineConfig(this.tools, { preset: step.preset }, step.kind === 'deal' || this.continues);
    const setup: Setup = {
      form,
      levels: ['novice'],
      games: 1,
      ...(step.kind === 'place' ? { position: positionOf(step.position) } : {}),
      ...(this.continues ? {} : { oneDeal: true, bare: step.kind === 'place' }),
    };
    this.table += 1;
    const key = `lesson ${this.number} ${this.at}`;
    this.house = new LocalGameServer(`${key} ${this.table}`, () => this.lesson.title(), {
      onState: (state) => this.judgeDeal(state),
      onNothingSaved: () => undefined,
      onFailure: (why) => (this.problem = m.solo_failed({ why })),
    });
    this.house.open(key, setup, !prefs.moves);
  }

  private judgeDeal(state: State): void {
    const { scored } = state;
    const mine = scored?.hands[state.hands.findIndex(({ seat }) => seat === 0)];
    if (mine === undefined) {
      if (this.verdict !== null && this.continues && state.dealInGame > 1) {
        this.verdict = null;
        this.hinted = false;
        this.at += 1;
      }
      return;
    }
    const { step } = this;
    if (this.verdict !== null) return;
    if (step.kind === 'place') this.judgePlacement(step, mine);
    else if (step.kind === 'deal' || step.kind === 'fantasyland') {
      const { deck } = state.form;
      const textOf = (hand: ScoredHand): string =>
        hand.cards.map((row) => row.map((card) => deck[card] ?? '').join('')).join('/');
      this.played = [mine, ...(scored?.hands.filter((hand) => hand !== mine) ?? [])].map(textOf);
      const points = m.lessons_points({ points: signedNumber(state.points[0] ?? 0) });
      const shows = step.kind === 'deal' && mine.offending === 0 ? step.shows : undefined;
      const why =
        mine.offending !== 0
          ? foulReason(mine)
          : shows === 'royalties'
            ? royaltyReason(mine)
            : shows === 'discards'
              ? m.lessons_hidden()
              : '';
      const thrown = shows === 'discards' ? state.placed.flatMap((street) => street.discards) : [];
      // Where the score is asked for next, it is not told here.
      const next = this.lesson.steps[this.at + 1];
      const asksOwnScore = next?.kind === 'count' && next.boards === 'own';
      const right = step.right(mine);
      const text = asksOwnScore && right ? orderReason(mine) : [points, why].filter(Boolean).join(' ');
      this.answer(right, text, thrown);
    }
  }

  private judgePlacement(step: Extract<Step, { kind: 'place' }>, mine: ScoredHand): void {
    const best = this.judge?.best(positionOf(step.position)) ?? 0;
    const right = step.right(mine, best);
    const why =
      mine.offending !== 0
        ? foulReason(mine)
        : mine.next > 0
          ? m.common_cards_next_deal({ cards: mine.next })
          : step.wants === 'fantasyland'
            ? m.lessons_no_land({ front: lowerFirst(handsOf(mine)[0] ?? '') })
            : step.wants === 'royalties'
              ? `${royaltyReason(mine)} ${m.lessons_earns({ n: royalties(mine), best })}`
              : orderReason(mine);
    this.answer(right, why);
  }
}
