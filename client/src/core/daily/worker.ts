// The thread in which the levels play the day's deal, one after the other.

import { Question } from '../../kernel/bytes';
import { compiled, Kernel } from '../../kernel/kernel';
import { fetched } from '../shared/fetched';
import { decoded } from '../solo/match';
import type { Setup } from '../solo/shapes';
import { OTHERS, played } from './others';

addEventListener('message', ({ data: setup }: MessageEvent<Setup>) => void play(setup));

async function play(setup: Setup): Promise<void> {
  const { form } = setup;
  if (form.player === null || form.weights === null) return;
  const [module, weights] = await Promise.all([compiled(), fetched(form.weights)]);
  const kernel = new Kernel(module);
  const rules = kernel.keep('keep_rules', new Question().raw(decoded(form.rules)));
  const player = kernel.keep('keep_player', new Question().raw(decoded(form.player)).raw(weights));
  for (const [level, times] of OTHERS) {
    for (let variant = 0; variant < times; variant += 1) postMessage(played(kernel, rules, player, setup, level, variant));
  }
}
