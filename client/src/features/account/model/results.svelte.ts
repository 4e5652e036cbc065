// All of one's sessions: their totals, the way there, and the list, page by page.

import type { AccountApi } from '../../../api/account';
import type { SessionItem, MyResults, RulesetTotal } from '../../../api/generated/types';
import { toApiError } from '../../../shared/latestRequest';

export class ResultsState {
  results = $state.raw<MyResults | null>(null);
  sessions = $state.raw<readonly SessionItem[]>([]);
  problem = $state<string | null>(null);
  more = $state(true);
  /** Which of the totals is drawn; null: all of them. */
  chosen = $state<number | null>(null);

  constructor(private readonly people: AccountApi) {
    void this.load(async () => (this.results = await this.people.results()));
    void this.next();
  }

  private before = '';

  next(): Promise<void> {
    return this.load(async () => {
      const page = await this.people.sessions(this.before);
      this.sessions = [...this.sessions, ...page.evenings];
      this.before = page.before;
      this.more = page.before !== '';
    });
  }

  /** What each session brought, of what is chosen: a session under two games is one step. */
  get steps(): { readonly at: number; readonly name: string; readonly points: number }[] {
    const steps: { at: number; name: string; points: number }[] = [];
    for (const { at, name, part, points } of this.results?.steps ?? []) {
      if (this.chosen !== null && part !== this.chosen) continue;
      const last = steps.at(-1);
      if (last !== undefined && last.at === at && last.name === name) last.points += points;
      else steps.push({ at, name, points });
    }
    return steps;
  }

  get totals(): readonly RulesetTotal[] {
    return this.results?.totals ?? [];
  }

  private async load(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.problem = toApiError(error).message;
    }
  }
}
