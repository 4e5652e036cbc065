// The thread in which the bot plays a match's decks against itself, by the random numbers that it has at the table.

import { engineContext } from '../../solo/model/engineContext';
import { botSeed, LEVEL_LIMITS, firstDeck } from '../../solo/model/match';
import { botMove, playGame } from '../../solo/model/playGame';
import { SEATS } from './link';
import type { Par } from './par';

addEventListener('message', ({ data }: MessageEvent<Par>) => void play(data));

async function play({ form, match: { seed, deals, level } }: Par): Promise<void> {
  const bench = await engineContext(form);
  if (bench === null) return;
  for (let deal = 0; deal < deals; deal += 1) {
    const first = firstDeck(deal);
    const points = playGame({ ...bench, form, seed, first }, (game, view, move) =>
      botMove(game, view, form, bench.player, LEVEL_LIMITS[level], botSeed(first, move)),
    );
    postMessage(points[deal % SEATS] ?? 0);
  }
}
