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

/** A worker as the team knows it. */
export interface Port {
  postMessage(told: WorkerRequest): void;
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
    const said = await request(this.ports[0] as Port, { kind: 'complete', module, rules, goal });
    if (said.kind !== 'completed') throw new Error('the worker answered something else');
    return said.solution;
  }

  /** The placement that a level's search likes best; one worker is enough. */
  async choose(position: Position, limits: SearchLimits): Promise<Placement['rows']> {
    const said = await request(this.ports[0] as Port, { kind: 'choose', position, limits });
    if (said.kind !== 'chosen') throw new Error('the worker answered something else');
    return said.rows;
  }

  /** The settings of a closed deal; one worker is enough. */
  async rank(
    module: WebAssembly.Module,
    rules: Uint8Array<ArrayBuffer>,
    field: Uint8Array<ArrayBuffer>,
    closed: ClosedQuery,
  ): Promise<Ranking> {
    const said = await request(this.ports[0] as Port, { kind: 'rank', module, rules, field, closed });
    if (said.kind !== 'ranked') throw new Error('the worker answered something else');
    return said.ranking;
  }

  /** What placements of the position that was begun come to, street by street, with the same cards; one worker is enough. */
  async streetOutcomes(
    chosen: readonly number[],
    each: number,
    seed: bigint,
  ): Promise<readonly (readonly StreetOutcome[])[]> {
    const found: (readonly StreetOutcome[])[] = [];
    for (const which of chosen) {
      const said = await request(this.ports[0] as Port, {
        kind: 'course',
        slice: { chosen: [which], each, seed, first: 0n },
      });
      if (said.kind !== 'course') throw new Error('the worker answered something else');
      found.push(said.streets);
    }
    return found;
  }

  /** Each question by whoever is free, in order; `told` hears of each answer with the question's place. False: enough. */
  async judge(
    questions: readonly EvaluationRequest[],
    onAnswer: (answer: EvaluationResponse, at: number) => boolean,
  ): Promise<void> {
    let [next, stopped] = [0, false];
    const work = async (port: Port): Promise<void> => {
      while (next < questions.length && !stopped) {
        const at = next++;
        const said = await request(port, { kind: 'judge', ...(questions[at] as EvaluationRequest) });
        if (said.kind === 'judged' && !stopped) stopped = !onAnswer(said, at);
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
   * The placements of the position, the best first. Each worker sorts its own: what it is asked then may rest on the best.
   * `more` is asked whether to go on, every few milliseconds; null: it was not.
   */
  async sort(seed: bigint, more: () => boolean = () => true): Promise<readonly number[] | null> {
    const sorted = async (port: Port): Promise<readonly number[] | null> => {
      for (let goesOn = false; more(); goesOn = true) {
        const said = await request(port, { kind: 'sort', seed, goesOn });
        if (said.kind !== 'sorted') throw new Error('the worker answered something else');
        if (said.order !== null) return said.order;
      }
      return null;
    };
    const orders = await Promise.all(this.ports.map(sorted));
    return orders.includes(null) ? null : (orders[0] ?? null);
  }

  /**
   * So many slices of rollouts for the chosen placements. `told` hears of the sums so far whenever they grow; when it
   * answers false, no more slices are begun. The sums, in the order of `chosen`.
   */
  async measure(
    chosen: readonly number[],
    slices: number,
    seed: bigint,
    onProgress: (sums: readonly CandidateStats[]) => boolean = () => true,
  ): Promise<readonly CandidateStats[]> {
    const waiting = new Map<number, readonly CandidateStats[]>();
    let [next, counted, stopped]: [number, number, boolean] = [0, 0, false];
    let all: readonly CandidateStats[] = [];
    const work = async (port: Port): Promise<void> => {
      while (next < slices && !stopped) {
        const number = next++;
        const slice = { chosen, each: SLICE_ROLLOUTS, seed, first: BigInt(number * SLICE_ROLLOUTS) };
        const said = await request(port, { kind: 'slice', number, slice });
        if (said.kind === 'slice') waiting.set(number, said.sums);
        for (let sums = waiting.get(counted); sums !== undefined && !stopped; sums = waiting.get(counted)) {
          waiting.delete(counted++);
          const more = sums;
          all = all.length === 0 ? more : all.map((one, at) => mergeStats(one, more[at] as CandidateStats));
          stopped = !onProgress(all);
        }
      }
    };
    await Promise.all(this.ports.map(work));
    return all;
  }
}

function request(port: Port, told: WorkerRequest): Promise<WorkerResponse> {
  return new Promise((resolve, reject) => {
    port.onmessage = ({ data }) => {
      if (data.kind === 'failed') reject(new Error(data.why));
      else resolve(data);
    };
    port.postMessage(told);
  });
}
