// Plays a game to its end at once, with bots or with known moves. The caller holds every card.

import type { Kernel } from '../../../engine/kernel';
import { SoloGame, type BotLimits, type GameView } from '../../../engine/solo';
import type { AnalysisSetup } from '../../../api/generated/types';
import { dealingOf } from './match';

/** Two hands of some rules, as the kernel knows them, and the number of the game's first deck. */
export interface Game {
  readonly kernel: Kernel;
  readonly rules: number;
  readonly form: AnalysisSetup;
  readonly seed: string;
  readonly first: number;
}

const HANDS = 2;

/** Play to the end; return the points of both players. `choose` places the street of the hand in turn; `view` shows only that hand's cards. */
export function playGame(
  { kernel, rules, form, seed, first }: Game,
  choose: (game: SoloGame, view: GameView, move: number) => readonly number[],
): number[] {
  const game = new SoloGame(kernel, rules, dealingOf(form, HANDS, seed, first));
  const points = Array.from({ length: HANDS }, () => 0);
  try {
    for (let move = 0; ; move += 1) {
      const { over, turn, hands } = game.look();
      const acting = hands[turn];
      if (over || acting === undefined) return points;
      const ended = game.act(choose(game, game.look(acting.player), move));
      for (const [player, won] of (ended?.points ?? []).entries()) points[player] = (points[player] ?? 0) + won;
    }
  } finally {
    game.dispose();
  }
}

/** Return how a bot places the street of the hand in turn; a fantasyland is set as the solver sets it. */
export const botMove = (
  game: SoloGame,
  { hands, turn }: GameView,
  { field }: AnalysisSetup,
  player: number,
  effort: BotLimits,
  seed: bigint,
): number[] =>
  (hands[turn]?.fantasyland ?? 0) > 0 && field !== null ? game.set(field) : game.choose(player, effort, seed);
