// A hint for one decision: the table is told that it was asked for, and this browser works it out of the viewer's own view.

import type { Services } from '../../../api/services';
import type { AnalysisSetup, Task } from '../../../api/generated/types';
import { buildQuery } from '../../analyse/model/buildQuery';
import { Search } from '../../analyse/model/analysis.svelte';
import { m } from '../../../shared/i18n.svelte';
import { toApiError } from '../../../shared/latestRequest';
import { toPosition } from './toPosition';
import type { TableState } from './tableState.svelte';

/** What the kernel has to know of a table's rules. */
export async function analysedRules({ api, tools }: Services, table: string): Promise<AnalysisSetup> {
  const { toml } = await api.rules(table);
  const { preset, overrides } = await tools.readRules(toml);
  return tools.analysisForm({ ...overrides, preset });
}

export class HintRequest {
  problem = $state<string | null>(null);
  readonly search = new Search();
  private ended = false;

  constructor(
    private readonly table: TableState,
    private readonly services: Services,
  ) {}

  /** Returns whether a hint is possible. The table is told only once that is certain. */
  async start({ hand }: Task): Promise<boolean> {
    try {
      const form = await analysedRules(this.services, this.table.table);
      const deal = this.table.view?.deal ?? null;
      if (this.ended || deal === null) return false;
      const query = buildQuery(form, toPosition(deal, hand));
      if (query.missing !== null || (query.fantasyland === null && form.weights === null)) {
        this.problem = m.table_hint_none();
        return true;
      }
      const allowed = await this.table.do({ do: 'hint', hand });
      if (allowed && !this.ended) this.search.start(form, query);
      return allowed;
    } catch (error) {
      this.problem = toApiError(error).message;
      return true;
    }
  }

  end(): void {
    this.ended = true;
    this.search.end();
  }
}
