// Workers that share an analysis. The rollouts are cut into the same slices however many workers there are, and the
// slices' sums are added up in order, so that the answer does not depend on their number.

import type { Placement, Position, StreetOutcome, CandidateStats } from './analysis';
import { mergeStats } from './analysis';
import type { ClosedQuery, Ranking } from './closed';
import type { Solution, Objective } from './setting';
import type { WorkerResponse, SearchLimits, WorkerRequest } from './protocol';

export type EvaluationRequest = Omit<Extract<WorkerRequest, { kind: 'judge' }>, 'kind'>;
export type EvaluationResponse = Extract<WorkerResponse, { kind: 'judged' }>;

export const SLICE_ROLLOUTS = 250; // rollouts of each placement a slice: some ten milliseconds

/** The part of a worker that the pool uses. */
export interface Port {
  postMessage(message: WorkerRequest): void;
  onmessage: ((event: MessageEvent<WorkerResponse>) => void) | null;
}

const MAX_WORKERS = 8; // workers: each has a table of its own in memory

/** As many as this browser has processors for. */
export const createWorkers = (): Worker[] =>
  Array.from(
    { length: Math.min(navigator.hardwareConcurrency, MAX_WORKERS) },
    () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
  );

export class WorkerPool {
  private readonly ports: readonly Port[];

  constructor(ports: readonly Port[]) {
    this.ports = ports;
  }

  /** `player`: a ruleset's learned table as the server gives it. */
  async load(module: WebAssembly.Module, player: Uint8Array<ArrayBuffer>): Promise<void> {
    await Promise.all(this.ports.map((port) => request(port, { kind: 'load', module, player })));
  }

  /** The best setting of a whole fantasyland; one worker is enough. */
  async complete(module: WebAssembly.Module, rules: Uint8Array<ArrayBuffer>, goal: Objective): Promise<Solution> {
    const response = await request(this.ports[0] as Port, { kind: 'complete', module, rules, goal });
    if (response.kind !== 'completed') throw new Error('the worker answered something else');
    return response.solution;
  }

  /** The placement that a level's search finds best; one worker is enough. */
  async choose(position: Position, limits: SearchLimits): Promise<Placement['rows']> {
    const response = await request(this.ports[0] as Port, { kind: 'choose', position, limits });
    if (response.kind !== 'chosen') throw new Error('the worker answered something else');
    return response.rows;
  }

  /** The settings of a closed deal; one worker is enough. */
  async rank(
    module: WebAssembly.Module,
    rules: Uint8Array<ArrayBuffer>,
    field: Uint8Array<ArrayBuffer>,
    closed: ClosedQuery,
  ): Promise<Ranking> {
    const response = await request(this.ports[0] as Port, { kind: 'rank', module, rules, field, closed });
    if (response.kind !== 'ranked') throw new Error('the worker answered something else');
    return response.ranking;
  }

  /** The outcomes of placements of the current position, street by street, with the same cards; one worker is enough. */
  async streetOutcomes(
    chosen: readonly number[],
    each: number,
    seed: bigint,
  ): Promise<readonly (readonly StreetOutcome[])[]> {
    const outcomes: (readonly StreetOutcome[])[] = [];
    for (const which of chosen) {
      const response = await request(this.ports[0] as Port, {
        kind: 'course',
        slice: { chosen: [which], each, seed, first: 0n },
      });
      if (response.kind !== 'course') throw new Error('the worker answered something else');
      outcomes.push(response.streets);
    }
    return outcomes;
  }

  /** Each question goes to the next free worker; `onAnswer` receives its answer and index, and returns false to stop. */
  async judge(
    questions: readonly EvaluationRequest[],
    onAnswer: (answer: EvaluationResponse, at: number) => boolean,
  ): Promise<void> {
    let [next, stopped] = [0, false];
    const work = async (port: Port): Promise<void> => {
      while (next < questions.length && !stopped) {
        const at = next++;
        const response = await request(port, { kind: 'judge', ...(questions[at] as EvaluationRequest) });
        if (response.kind === 'judged' && !stopped) stopped = !onAnswer(response, at);
      }
    };
    await Promise.all(this.ports.map(work));
  }

  /** The placements, best first by the learned table; `exact`: one rollout of each is the whole answer. */
  async begin(position: Position): Promise<{ readonly exact: boolean; readonly placements: readonly Placement[] }> {
    const begun = await Promise.all(this.ports.map((port) => request(port, { kind: 'begin', position })));
    const first = begun[0];
    if (first?.kind !== 'begun') throw new Error('there are no workers');
    return first;
  }

  /**
   * The placements of the position, the best first. Each worker screens for itself: its later requests need the ranking.
   * `more` says every few milliseconds whether to go on; null: it stopped the screening.
   */
  async sort(seed: bigint, more: () => boolean = () => true): Promise<readonly number[] | null> {
    const sorted = async (port: Port): Promise<readonly number[] | null> => {
      for (let goesOn = false; more(); goesOn = true) {
        const response = await request(port, { kind: 'sort', seed, goesOn });
        if (response.kind !== 'sorted') throw new Error('the worker answered something else');
        if (response.order !== null) return response.order;
      }
      return null;
    };
    const orders = await Promise.all(this.ports.map(sorted));
    return orders.includes(null) ? null : (orders[0] ?? null);
  }

  /**
   * Measures the chosen placements by that many slices of rollouts. `onProgress` receives the sums so far whenever they
   * grow; when it returns false, no more slices start. Returns the sums in the order of `chosen`.
   */
  async measure(
    chosen: readonly number[],
    slices: number,
    seed: bigint,
    onProgress: (sums: readonly CandidateStats[]) => boolean = () => true,
  ): Promise<readonly CandidateStats[]> {
    const waiting = new Map<number, readonly CandidateStats[]>();
    let [next, merged, stopped]: [number, number, boolean] = [0, 0, false];
    let all: readonly CandidateStats[] = [];
    const work = async (port: Port): Promise<void> => {
      while (next < slices && !stopped) {
        const number = next++;
        const slice = { chosen, each: SLICE_ROLLOUTS, seed, first: BigInt(number * SLICE_ROLLOUTS) };
        const response = await request(port, { kind: 'slice', number, slice });
        if (response.kind === 'slice') waiting.set(number, response.sums);
        for (let sums = waiting.get(merged); sums !== undefined && !stopped; sums = waiting.get(merged)) {
          waiting.delete(merged++);
          const more = sums;
          all = all.length === 0 ? more : all.map((stats, at) => mergeStats(stats, more[at] as CandidateStats));
          stopped = !onProgress(all);
        }
      }
    };
    await Promise.all(this.ports.map(work));
    return all;
  }
}

function request(port: Port, message: WorkerRequest): Promise<WorkerResponse> {
  return new Promise((resolve, reject) => {
    port.onmessage = ({ data }) => {
      if (data.kind === 'failed') reject(new Error(data.why));
      else resolve(data);
    };
    port.postMessage(message);
  });
}
