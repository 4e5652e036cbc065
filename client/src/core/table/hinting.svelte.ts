// A hint for one decision: the table is told that it was asked for, and this browser works it out of the viewer's own view.

import type { Services } from '../../wire/services';
import type { Task } from '../../wire/types';
import { question } from '../analyse/question';
import { Search } from '../analyse/search.svelte';
import { m } from '../shared/language.svelte';
import { told } from '../shared/latest';
import { setUpOf } from './seen';
import type { TableState } from './table.svelte';

export class Hinting {
  problem = $state<string | null>(null);
  readonly search = new Search();
  private ended = false;

  constructor(
    private readonly table: TableState,
    private readonly services: Services,
  ) {}

  /** Whether there is one to be had. Nobody is told before that is certain. */
  async ask({ hand }: Task): Promise<boolean> {
    const { api, desks } = this.services;
    try {
      const { toml } = await api.rules(this.table.table);
      const { preset, overrides } = await desks.readRules(toml);
      const form = await desks.analysisForm({ ...overrides, preset });
      const deal = this.table.view?.deal ?? null;
      if (this.ended || deal === null) return false;
      const asked = question(form, setUpOf(deal, hand));
      if (asked.missing !== null || (asked.land === null && form.weights === null)) {
        this.problem = m.hint_unlearned();
        return true;
      }
      const allowed = await this.table.do({ do: 'hint', hand });
      if (allowed && !this.ended) this.search.ask(form, asked);
      return allowed;
    } catch (error) {
      this.problem = told(error).message;
      return true;
    }
  }

  end(): void {
    this.ended = true;
    this.search.end();
  }
}
