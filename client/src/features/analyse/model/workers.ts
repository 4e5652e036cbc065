// The workers of this page: made when first needed, loaded with one ruleset's table, gone with the page.

import type { AnalysisSetup } from '../../../api/generated/types';
import type { Closed, Ranking } from '../../../engine/closed';
import type { Solution, Objective } from '../../../engine/setting';
import { compiled } from '../../../engine/kernel';
import { fetchBytes } from '../../../shared/fetchBytes';
import { WorkerPool, workers } from '../../../engine/pool';

/** Bytes out of base64. */
export const decoded = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

export class AnalysisWorkers {
  private readonly hands = workers();
  private readonly team = new WorkerPool(this.hands);
  private readonly module = compiled();
  private loaded = '';

  /** The team that analyses by these rules. Throws where something cannot be fetched. */
  async ready(form: AnalysisSetup & { readonly player: string; readonly weights: string }): Promise<WorkerPool> {
    const key = `${form.weights} ${form.player}`;
    if (this.loaded !== key) {
      const [module, table] = await Promise.all([this.module, fetchBytes(form.weights)]);
      const head = decoded(form.player);
      const player = new Uint8Array(head.length + table.length);
      player.set(head);
      player.set(table, head.length);
      await this.team.load(module, player);
      this.loaded = key;
    }
    return this.team;
  }

  /** The best setting of a fantasyland under these rules. */
  async complete(form: AnalysisSetup, goal: Objective): Promise<Solution> {
    return this.team.complete(await this.module, decoded(form.rules), goal);
  }

  /** The settings of a closed deal under these rules. */
  async rank(form: AnalysisSetup, closed: Closed): Promise<Ranking> {
    const file = form.closed?.fields[closed.opponents - 1] ?? '';
    const field = closed.against.length > 0 ? new Uint8Array() : await fetchBytes(file);
    return this.team.rank(await this.module, decoded(form.rules), field, closed);
  }

  end(): void {
    for (const hand of this.hands) hand.terminate();
  }
}
