// The workers of this page: made when first needed, loaded with one ruleset's table, gone with the page.

import type { AnalysisSetup } from '../../../api/generated/types';
import type { ClosedQuery, Ranking } from '../../../engine/closed';
import type { Solution, Objective } from '../../../engine/setting';
import { compileKernel } from '../../../engine/kernel';
import { fetchBytes } from '../../../shared/fetchBytes';
import { WorkerPool, createWorkers } from '../../../engine/pool';

/** Bytes out of base64. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

export class AnalysisWorkers {
  private readonly workers = createWorkers();
  private readonly pool = new WorkerPool(this.workers);
  private readonly module = compileKernel();
  private loaded = '';

  /** The pool, loaded for these rules. Throws where something cannot be fetched. */
  async ready(form: AnalysisSetup & { readonly player: string; readonly weights: string }): Promise<WorkerPool> {
    const key = `${form.weights} ${form.player}`;
    if (this.loaded !== key) {
      const [module, table] = await Promise.all([this.module, fetchBytes(form.weights)]);
      const head = fromBase64(form.player);
      const player = new Uint8Array(head.length + table.length);
      player.set(head);
      player.set(table, head.length);
      await this.pool.load(module, player);
      this.loaded = key;
    }
    return this.pool;
  }

  /** The best setting of a fantasyland under these rules. */
  async complete(form: AnalysisSetup, goal: Objective): Promise<Solution> {
    return this.pool.complete(await this.module, fromBase64(form.rules), goal);
  }

  /** The settings of a closed deal under these rules. */
  async rank(form: AnalysisSetup, closed: ClosedQuery): Promise<Ranking> {
    const file = form.closed?.fields[closed.opponents - 1] ?? '';
    const field = closed.against.length > 0 ? new Uint8Array() : await fetchBytes(file);
    return this.pool.rank(await this.module, fromBase64(form.rules), field, closed);
  }

  end(): void {
    for (const hand of this.workers) hand.terminate();
  }
}
