// Requests to a worker and its responses. `createHandler` does the worker's work; worker.ts runs it in a thread.

import type { Placement, Position, StreetOutcome, SampleRange, CandidateStats } from './analysis';
import { Analysis } from './analysis';
import { RequestWriter } from './bytes';
import { type ClosedQuery, rankSettings, type Ranking } from './closed';
import { solveSetting, type Solution, type Objective } from './setting';
import { evaluate, type EvaluationOptions, placementIndex, type Evaluation } from './decision';
import { Kernel } from './kernel';

/** Limits of a street's search; a street without chance needs one rollout. */
export interface SearchLimits {
  readonly width: number;
  readonly rollouts: number;
  readonly seed: number;
}

export type WorkerRequest =
  | { readonly kind: 'load'; readonly module: WebAssembly.Module; readonly player: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'begin'; readonly position: Position }
  | { readonly kind: 'sort'; readonly seed: bigint; readonly goesOn: boolean }
  | { readonly kind: 'slice'; readonly number: number; readonly slice: SampleRange }
  | { readonly kind: 'course'; readonly slice: SampleRange }
  | {
      readonly kind: 'rank';
      readonly module: WebAssembly.Module;
      readonly rules: Uint8Array<ArrayBuffer>;
      readonly field: Uint8Array<ArrayBuffer>;
      readonly closed: ClosedQuery;
    }
  | {
      readonly kind: 'judge';
      readonly position: Position;
      readonly played: readonly (readonly number[])[];
      readonly options: EvaluationOptions;
    }
  | { readonly kind: 'choose'; readonly position: Position; readonly limits: SearchLimits }
  | {
      readonly kind: 'complete';
      readonly module: WebAssembly.Module;
      readonly rules: Uint8Array<ArrayBuffer>;
      readonly goal: Objective;
    };

export type WorkerResponse =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'begun'; readonly exact: boolean; readonly placements: readonly Placement[] }
  | { readonly kind: 'sorted'; readonly order: readonly number[] | null } // null: there is more to do
  | { readonly kind: 'slice'; readonly number: number; readonly sums: readonly CandidateStats[] }
  | {
      readonly kind: 'judged';
      readonly placements: readonly Placement[];
      readonly played: number;
      readonly evaluation: Evaluation;
    }
  | { readonly kind: 'chosen'; readonly rows: Placement['rows'] }
  | { readonly kind: 'course'; readonly streets: readonly StreetOutcome[] }
  | { readonly kind: 'ranked'; readonly ranking: Ranking }
  | { readonly kind: 'completed'; readonly solution: Solution }
  | { readonly kind: 'failed'; readonly why: string };

/** Answer each request with one response. */
export function createHandler(send: (response: WorkerResponse) => void): (request: WorkerRequest) => void {
  let kernel: Kernel | null = null;
  let player = 0;
  let analysis: Analysis | null = null;

  function handle(request: WorkerRequest): WorkerResponse {
    if (request.kind === 'load') {
      kernel = new Kernel(request.module);
      player = kernel.store('keep_player', new RequestWriter().raw(request.player));
      return { kind: 'loaded' };
    }
    if (request.kind === 'complete') {
      // A kernel of its own: the one that analyses keeps its table.
      const own = new Kernel(request.module);
      return {
        kind: 'completed',
        solution: solveSetting(own, own.store('keep_rules', new RequestWriter().raw(request.rules)), request.goal),
      };
    }
    if (request.kind === 'rank') {
      const own = new Kernel(request.module);
      const rules = own.store('keep_rules', new RequestWriter().raw(request.rules));
      const field =
        request.closed.against.length > 0
          ? 0
          : own.store('keep_field', new RequestWriter().u32(rules).raw(request.field));
      return { kind: 'ranked', ranking: rankSettings(own, rules, field, request.closed) };
    }
    if (kernel === null) throw new Error('the kernel is not loaded');
    if (request.kind === 'judge') {
      const own = new Analysis(kernel, player, request.position);
      try {
        const played = placementIndex(own, request.played);
        return {
          kind: 'judged',
          placements: own.placements,
          played,
          evaluation: evaluate(own, played, request.options),
        };
      } finally {
        own.dispose();
      }
    }
    if (request.kind === 'choose') {
      const own = new Analysis(kernel, player, request.position);
      const { width, rollouts, seed } = request.limits;
      const [best = 0] = own.screen(BigInt(seed), own.exact ? 1 : rollouts, width);
      own.dispose();
      return { kind: 'chosen', rows: own.placements[best]?.rows ?? [] };
    }
    if (request.kind === 'begin') {
      analysis?.dispose();
      analysis = null;
      analysis = new Analysis(kernel, player, request.position);
      return { kind: 'begun', exact: analysis.exact, placements: analysis.placements };
    }
    if (analysis === null) throw new Error('nothing is analysed');
    if (request.kind === 'sort') {
      if (!request.goesOn) analysis.startScreening();
      return { kind: 'sorted', order: analysis.continueScreening(request.seed) ? null : analysis.ranking() };
    }
    if (request.kind === 'course') return { kind: 'course', streets: analysis.streetOutcomes(request.slice) };
    return { kind: 'slice', number: request.number, sums: analysis.measure(request.slice) };
  }

  return (request) => {
    try {
      send(handle(request));
    } catch (error) {
      send({ kind: 'failed', why: String(error) });
    }
  };
}
