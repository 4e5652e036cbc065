// What the guide says to the hand that is being played, asked again when its cards lie otherwise; and why the best
// placement is better than the next one, which this browser works out from the viewer's own view.

import type { Services } from '../../../api/services';
import type { Guide } from '../../../api/generated/types';
import { Search, type AnalysisLine } from '../../analyse/model/analysis.svelte';
import { buildQuery } from '../../analyse/model/buildQuery';
import { LatestRequest } from '../../../shared/latestRequest';
import { analysedRules } from '../../table/model/hint.svelte';
import type { TableState } from '../../table/model/tableState.svelte';
import { toPosition } from '../../table/model/toPosition';
import { reasonFor, runnerUp, type Reason } from './reason';

/** The standard error, in points, from which on a reason is said. */
const SURE = 0.15;

export interface Why {
  readonly best: AnalysisLine;
  readonly other: AnalysisLine | null;
  /** Null where nothing is better in any part, or all are equally good. */
  readonly reason: Reason | null;
}

export class GuideState {
  said = $state.raw<Guide | null>(null);
  readonly search = new Search();
  private readonly latest = new LatestRequest();
  private turn = 0;

  constructor(
    private readonly table: TableState,
    private readonly services: Services,
  ) {}

  /** The hand to place, its street and its placement as one text; empty when there is nothing to place. */
  get taskKey(): string {
    const task = this.table.task ?? this.table.question;
    if (task === null) return '';
    return JSON.stringify([this.table.view?.deal?.number, task.hand, task.kind, task.street, task.layout]);
  }

  /** The hand's street, however its cards lie; empty when nothing is to be placed. */
  get street(): string {
    const { task } = this.table;
    return task === null ? '' : JSON.stringify([this.table.view?.deal?.number, task.hand, task.street]);
  }

  readonly why = $derived.by((): Why | null => {
    const { lines, stage } = this.search;
    const [best] = lines;
    if (best === undefined || lines.length < 2 || best.ranked !== undefined || this.search.solved !== null)
      return null;
    if (stage !== 'done' && best.error > SURE) return null;
    const other = runnerUp(lines);
    return { best, other, reason: other === null ? null : reasonFor(best, other) };
  });

  /** Ask anew; what was said before stands until the answer comes, unless it was about another street. */
  async look(): Promise<void> {
    const task = this.table.task ?? this.table.question;
    if (task === null || this.said?.hand !== task.hand || this.said.street !== task.street) this.said = null;
    if (task === null) return this.latest.forget();
    const answer = await this.latest.ask(() => this.services.api.guide(this.table.table, task.hand));
    if (answer !== null) this.said = answer.ok ? answer.value : null;
  }

  /** Work out the street's placements. Without a strategy for these rules, the guide gives no reason. */
  async think(): Promise<void> {
    const mine = ++this.turn;
    this.search.start(null, null);
    const { task, view } = this.table;
    const deal = view?.deal ?? null;
    if (task === null || deal === null) return;
    try {
      const form = await analysedRules(this.services, this.table.table);
      if (mine !== this.turn || form.weights === null) return;
      const query = buildQuery(form, toPosition(deal, task.hand));
      if (query.missing === null && query.position !== null) this.search.start(form, query);
    } catch {
      // The server's own sentences are said all the same.
    }
  }

  forget(): void {
    this.turn += 1;
    this.latest.forget();
    this.search.end();
  }
}
