// The kernel with what a form brings, for games that are played to their end in a worker.

import { Question } from '../../../engine/bytes';
import { compiled, Kernel } from '../../../engine/kernel';
import type { AnalysisSetup } from '../../../api/generated/types';
import { fetched } from '../../../shared/fetchBytes';
import { decoded } from './match';

/** The kernel, and the numbers of the rules and of the player that it keeps; null where nothing was learned. */
export interface Bench {
  readonly kernel: Kernel;
  readonly rules: number;
  readonly player: number;
}

export async function benchOf({ rules, player, weights }: AnalysisSetup): Promise<Bench | null> {
  if (player === null || weights === null) return null;
  const [module, learned] = await Promise.all([compiled(), fetched(weights)]);
  const kernel = new Kernel(module);
  return {
    kernel,
    rules: kernel.keep('keep_rules', new Question().raw(decoded(rules))),
    player: kernel.keep('keep_player', new Question().raw(decoded(player)).raw(learned)),
  };
}
