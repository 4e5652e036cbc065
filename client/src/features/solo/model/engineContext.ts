// The kernel with what a form brings, for games that are played to their end in a worker.

import { RequestWriter } from '../../../engine/bytes';
import { compileKernel, Kernel } from '../../../engine/kernel';
import type { AnalysisSetup } from '../../../api/generated/types';
import { fetchBytes } from '../../../shared/fetchBytes';
import { decoded } from './match';

/** The kernel, and the numbers of the rules and of the player that it keeps; null where nothing was learned. */
export interface EngineContext {
  readonly kernel: Kernel;
  readonly rules: number;
  readonly player: number;
}

export async function engineContext({ rules, player, weights }: AnalysisSetup): Promise<EngineContext | null> {
  if (player === null || weights === null) return null;
  const [module, learned] = await Promise.all([compileKernel(), fetchBytes(weights)]);
  const kernel = new Kernel(module);
  return {
    kernel,
    rules: kernel.store('keep_rules', new RequestWriter().raw(decoded(rules))),
    player: kernel.store('keep_player', new RequestWriter().raw(decoded(player)).raw(learned)),
  };
}
