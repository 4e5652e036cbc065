// The page of the daily deal: the match, my result when it is over, and what the levels make of the same cards.

import { ApiError, type ToolsApi } from '../../../api/http';
import type { AnalysisSetup } from '../../../api/generated/types';
import { PRESET } from '../../analyse/model/link';
import { save, load } from '../../../shared/storage';
import { prefs } from '../../../shared/prefs.svelte';
import { loadEngineConfig } from '../../solo/model/engineConfig';
import { LocalGameServer } from '../../solo/model/localServer';
import type { LevelName, State } from '../../solo/model/types';
import { dayOf, setupOf } from './deal';
import { COMPARISON_BOTS, type Played } from './botResults';
import { othersWorker } from './createWorker';
import type { Day } from './worker';

const KEY = 'triptych.daily';
const UNFINISHED = 'triptych.daily.unfinished';
const DAY_MS = 86_400_000;
const BEST: LevelName = 'strong';
const MOST = COMPARISON_BOTS.reduce((sum, [, times]) => sum + times, 0);

/** Today's deal, or yesterday's when the player has begun it and not finished it. */
function dayToPlay(): string {
  const yesterday = dayOf(Date.now() - DAY_MS);
  return load(UNFINISHED) === yesterday ? yesterday : dayOf(Date.now());
}

/** Whether the player has confirmed a card. */
const hasBegun = ({ dealInGame, hands }: State): boolean =>
  dealInGame > 1 ||
  hands.some(({ seat, rows }) => seat === 0 && rows.some(({ cards, pending }) => cards.length > pending.length));

export class Daily {
  readonly day = dayToPlay();
  stage = $state<'opening' | 'ready' | 'playing' | 'failed'>('opening');
  problem = $state('');
  title = $state('');
  /** My points, when it is over. */
  points = $state<number | null>(null);
  /** The result lies open. */
  shows = $state(false);
  others = $state.raw<readonly Played[]>([]);
  /** My own game, street by street; null until it was played again. */
  mine = $state.raw<Played | null>(null);
  private form: AnalysisSetup | null = null;
  readonly house: LocalGameServer;
  private worker: Worker | null = null;

  /** The level that plays best, in the better of its games. */
  readonly best = $derived(
    this.others.filter(({ level }) => level === BEST).toSorted((a, b) => b.points - a.points)[0] ?? null,
  );
  readonly whole = $derived(this.others.length === MOST);
  /** The share of the others that made fewer points; equal points count half. */
  readonly better = $derived(
    this.points === null || this.others.length === 0
      ? null
      : this.others.reduce(
          (sum, { points }) => sum + (points < (this.points ?? 0) ? 1 : points === this.points ? 0.5 : 0),
          0,
        ) / this.others.length,
  );

  constructor(private readonly tools: ToolsApi) {
    this.house = new LocalGameServer(this.id, () => this.title, {
      onState: (state) => {
        this.title = state.form.title;
        this.stage = 'playing';
        this.form = state.form;
        if (state.over) this.over(state.totals[0] ?? 0);
        else if (hasBegun(state)) save(UNFINISHED, this.day);
      },
      onNothingSaved: () => (this.stage = 'ready'),
      onFailure: (why) => this.fail(why),
    });
    this.house.open(this.id, null, !prefs.moves);
  }

  get id(): string {
    return `daily ${this.day}`;
  }

  close(): void {
    this.house.close();
    this.worker?.terminate();
  }

  /** Deal the cards. */
  async start(): Promise<void> {
    try {
      const form = await loadEngineConfig(this.tools, { preset: PRESET });
      this.house.open(this.id, setupOf(form, this.day), !prefs.moves);
    } catch (error) {
      this.fail(error instanceof ApiError ? error.message : String(error));
    }
  }

  private fail(why: string): void {
    this.problem = why;
    this.stage = 'failed';
  }

  private over(points: number): void {
    if (this.points !== null || this.form === null) return;
    this.points = points;
    this.shows = true;
    if (load(UNFINISHED) === this.day) save(UNFINISHED, null);
    save(KEY, { ...(load(KEY) as Readonly<Record<string, number>> | null), [this.day]: points });
    this.worker = othersWorker();
    this.worker.onmessage = ({ data }: MessageEvent<Played>) => {
      if (data.level === null) this.mine = data;
      else this.others = [...this.others, data];
    };
    this.worker.onerror = (event) => (this.problem = event.message);
    this.worker.postMessage({ key: this.id, setup: $state.snapshot(setupOf(this.form, this.day)) } satisfies Day);
  }
}
