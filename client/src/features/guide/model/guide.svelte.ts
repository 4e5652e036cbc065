// What the guide says to the hand that is being played, asked again when its cards lie otherwise.

import type { Api } from '../../../api/http';
import type { Guide } from '../../../api/generated/types';
import { Latest } from '../../../shared/latestRequest';
import type { TableState } from '../../table/model/tableState.svelte';

export class GuideState {
  said = $state.raw<Guide | null>(null);
  private readonly latest = new Latest();

  constructor(
    private readonly table: TableState,
    private readonly api: Api,
  ) {}

  /** The hand that is asked something, its street and how its cards lie, as one word; empty when nothing is asked. */
  get asked(): string {
    const task = this.table.task ?? this.table.question;
    if (task === null) return '';
    return JSON.stringify([this.table.view?.deal?.number, task.hand, task.kind, task.street, task.layout]);
  }

  /** Ask anew; what was said before stands until the answer comes, unless it was about another street. */
  async look(): Promise<void> {
    const task = this.table.task ?? this.table.question;
    if (task === null || this.said?.hand !== task.hand || this.said.street !== task.street) this.said = null;
    if (task === null) return this.latest.forget();
    const answer = await this.latest.ask(() => this.api.guide(this.table.table, task.hand));
    if (answer !== null) this.said = answer.ok ? answer.value : null;
  }

  forget(): void {
    this.latest.forget();
  }
}
