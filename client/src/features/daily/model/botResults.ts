// What is made of a day's cards: by the levels in the same seat, against the same opponent, and by me.

import type { GameView, SoloGame } from '../../../engine/solo';
import { botSeed, LEVEL_LIMITS } from '../../solo/model/match';
import { botMove, playGame, type Game } from '../../solo/model/playGame';
import type { LevelName, PlacedStreet } from '../../solo/model/types';
import { toPlacedStreet } from '../../solo/model/street';
import { OPPONENT } from './deal';

/** One of those who played it; `level` null: me. */
export interface Played {
  readonly level: LevelName | null;
  readonly points: number;
  readonly streets: readonly PlacedStreet[];
}

/** How often each level plays it: `fast` always does the same. */
export const COMPARISON_BOTS: readonly (readonly [LevelName, number])[] = [
  ['strong', 2],
  ['medium', 6],
  ['fast', 1],
  ['novice', 6],
];
const APART = 1_000_000; // between the seeds of two players
const ME = 0;

/** Let a level play the day's game; another `variant` plays it with other luck of its own. */
export function played(game: Game, player: number, level: LevelName, variant: number): Played {
  const { form, first } = game;
  return {
    level,
    ...line(game, (view, at, solo) => {
      const mine = view.hands[view.turn]?.player === ME;
      // The opponent's own luck is that which it has at my table.
      return botMove(
        solo,
        view,
        form,
        player,
        LEVEL_LIMITS[mine ? level : OPPONENT],
        mine ? BigInt((variant + 1) * APART + at) : botSeed(first, at),
      );
    }),
  };
}

/** Play my own game once more; `moves`: what became of the cards, street by street of both players. */
export const mine = (game: Game, moves: readonly (readonly number[])[]): Played => ({
  level: null,
  ...line(game, (_, at) => moves[at] ?? []),
});

function line(
  game: Game,
  choose: (view: GameView, move: number, solo: SoloGame) => readonly number[],
): Omit<Played, 'level'> {
  const streets: PlacedStreet[] = [];
  const points = playGame(game, (solo, view, move) => {
    const actions = choose(view, move, solo);
    if (view.deals === 1 && view.hands[view.turn]?.player === ME)
      streets.push(toPlacedStreet(game.form, view, actions));
    return actions;
  });
  return { points: points[ME] ?? 0, streets };
}
