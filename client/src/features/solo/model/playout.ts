// A game played to its end at once: by levels, or by moves that are known. Whoever calls this holds every card.

import type { Kernel } from '../../../engine/kernel';
import { Solo, type Effort, type GameView } from '../../../engine/solo';
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

/** The points of both players. `choose` places the street of the hand in turn; `looked` shows its cards and no other's. */
export function playedOut(
  { kernel, rules, form, seed, first }: Game,
  choose: (game: Solo, looked: GameView, move: number) => readonly number[],
): number[] {
  const game = new Solo(kernel, rules, dealingOf(form, HANDS, seed, first));
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
    game.drop();
  }
}

/** What a bot does with the street of the hand in turn; a fantasyland it sets as best. */
export const botMove = (
  game: Solo,
  { hands, turn }: GameView,
  { field }: AnalysisSetup,
  player: number,
  effort: Effort,
  seed: bigint,
): number[] => ((hands[turn]?.land ?? 0) > 0 && field !== null ? game.set(field) : game.choose(player, effort, seed));
