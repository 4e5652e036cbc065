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
import { LessonChecker, positionOf } from './checker';
import { foulReason } from './reasons';
import { LESSONS, PRESET, type Lesson, type Step } from './lessons';

const KEY = 'triptych.lessons';

export function lessonsDone(): readonly number[] {
  const found = load(KEY);
  return Array.isArray(found) ? found.filter((one): one is number => typeof one === 'number') : [];
}

export class LessonState {
  at = $state(0);
  judge = $state.raw<LessonChecker | null>(null);
  /** What came of this step; null before it was answered. */
  told = $state.raw<{ readonly right: boolean; readonly why: string } | null>(null);
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

  /** A board was chosen, or a number. */
  answer(right: boolean, why: string): void {
    this.told = { right, why };
  }

  next(): void {
    if (this.last) return;
    if (this.continues) {
      // The step begins when the deal is there: see `judgeDeal`.
      this.house?.next();
      return;
    }
    this.at += 1;
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
    const deal = this.lesson.steps.at(-1);
    if (deal?.kind === 'deal') await loadEngineConfig(this.tools, { preset: deal.preset });
  }

  private failed(error: unknown): void {
    this.problem = error instanceof ApiError ? error.message : String(error);
  }

  private async begin(): Promise<void> {
    this.told = null;
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
      told: (state) => this.judgeDeal(state),
      nothing: () => undefined,
      failed: (why) => (this.problem = m.solo_failed({ why })),
    });
    this.house.open(key, setup, !prefs.moves);
  }

  private judgeDeal(state: State): void {
    const { scored } = state;
    const mine = scored?.hands[state.hands.findIndex(({ seat }) => seat === 0)];
    if (mine === undefined) {
      if (this.told !== null && this.continues && state.inGame > 1) {
        this.told = null;
        this.at += 1;
      }
      return;
    }
    const { step } = this;
    if (this.told !== null) return;
    const foul = mine.offending !== 0;
    if (step.kind === 'place') {
      const best = this.judge?.best(positionOf(step.position)) ?? 0;
      const sum = mine.royalties.reduce((all, one) => all + one, 0);
      const why = foul
        ? foulReason(mine)
        : mine.next > 0
          ? m.cards_in_the_next_deal({ cards: mine.next })
          : m.learn_earns({ n: sum, best });
      this.told = { right: step.right(mine, best), why };
    } else if (step.kind === 'deal' || step.kind === 'fantasyland') {
      const points = signedNumber(state.points[0] ?? 0);
      const right = step.right(mine);
      this.told = {
        right,
        why: foul ? `${foulReason(mine)} ${m.learn_points({ points })}` : m.learn_points({ points }),
      };
      if (right) save(KEY, [...lessonsDone().filter((one) => one !== this.number), this.number]);
    }
  }
}
