// The thread in which the day's deal is played again: first my own game, then the levels', one after the other.

import { engineContext } from '../../solo/model/engineContext';
import type { Game } from '../../solo/model/playGame';
import type { Setup } from '../../solo/model/types';
import { loadMatch } from '../../solo/model/savedMatch';
import { mine, COMPARISON_BOTS, played, type Played } from './botResults';

/** The match as it is kept under a key, and what it was begun with. */
export interface Day {
  readonly key: string;
  readonly setup: Setup;
}

addEventListener('message', ({ data: day }: MessageEvent<Day>) => void play(day));

const tell = (played: Played): void => postMessage(played);

async function play({ key, setup: { form, seed = '0' } }: Day): Promise<void> {
  const bench = await engineContext(form);
  if (bench === null) return;
  const game: Game = { ...bench, form, seed, first: 0 };
  // A browser that keeps nothing knows no longer how I played.
  const match = await loadMatch(key);
  if (match !== null) tell(mine(game, match.moves));
  for (const [level, times] of COMPARISON_BOTS) {
    for (let variant = 0; variant < times; variant += 1) tell(played(game, bench.player, level, variant));
  }
}
