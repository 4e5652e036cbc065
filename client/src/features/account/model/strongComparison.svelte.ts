// One's own deals played again by `strong`, one after the other in this browser, the newest first, when somebody asks for it.

import type { ToolsApi } from '../../../api/http';
import { AnalysisWorkers, fromBase64 } from '../../analyse/model/workers';
import { toApiError } from '../../../shared/latestRequest';
import type { RatedDeal } from './reviewedDeals';
import type { Rating } from './errorRateJob.svelte';
import { meanOutcome, replayWithBaseline, type MeanOutcome, type BaselineReplay } from './baselineReplay';

export class StrongComparisonJob {
  working = $state(false);
  done = $state(0);
  problem = $state<string | null>(null);
  readonly waiting = $derived.by(() =>
    this.rating.deals
      .filter(({ made, beside }) => made.length > 0 && beside === undefined)
      .toSorted((a, b) => b.at - a.at),
  );
  readonly both = $derived.by(() => this.rating.deals.flatMap(({ beside }) => (beside == null ? [] : [beside])));
  private crew: AnalysisWorkers | null = null;

  constructor(
    private readonly rating: Rating,
    private readonly tools: ToolsApi,
  ) {}

  get means(): { readonly deals: number; readonly played: MeanOutcome; readonly strong: MeanOutcome } | null {
    const { both } = this;
    return both.length === 0
      ? null
      : {
          deals: both.length,
          played: meanOutcome(both.map(({ played }) => played)),
          strong: meanOutcome(both.map(({ strong }) => strong)),
        };
  }

  async start(): Promise<void> {
    if (this.working) return;
    this.working = true;
    this.done = 0;
    this.problem = null;
    try {
      for (let [next] = this.waiting; this.working && next !== undefined; [next] = this.waiting) {
        this.rating.compared(next, await this.played(next));
        this.done += 1;
      }
    } catch (error) {
      this.problem = toApiError(error).message;
      this.end();
    }
    this.working = false;
  }

  /** The deal under way is played to its end. */
  stop(): void {
    this.working = false;
  }

  end(): void {
    this.stop();
    this.crew?.end();
    this.crew = null;
  }

  private async played({ table, deal }: RatedDeal): Promise<BaselineReplay | null> {
    const form = await this.tools.review(table, deal);
    const { analysis } = form;
    const player = form.hands.find(({ seat }) => seat === form.you)?.player ?? analysis.player;
    const { weights } = analysis;
    if (player === null || weights === null) return null;
    const crew = (this.crew ??= new AnalysisWorkers());
    const team = await crew.ready({ ...analysis, player, weights });
    return replayWithBaseline(form, fromBase64(form.stacks), form.you, {
      best: (position, thought) => team.choose(position, thought),
      whole: (rules, rows, fantasyland, inRow) =>
        crew.complete(rules, {
          inRow,
          fantasylandValues: rules.land_value,
          cards: [],
          against: [],
          rows,
          fantasyland,
        }),
    });
  }
}
