// What others make of a day's cards: the levels in the same seat, against the same opponent.

import type { Kernel } from '../../kernel/kernel';
import { scored, Solo } from '../../kernel/solo';
import { EFFORTS } from '../solo/match';
import type { LevelName, Setup } from '../solo/shapes';
import { OPPONENT } from './deal';

/** One of them: its points, and its board of the first deal as numbers of the deck, front, middle and back. */
export interface Other {
  readonly level: LevelName;
  readonly points: number;
  readonly board: readonly (readonly number[])[];
}

/** How often each level plays it: `fast` always does the same. */
export const OTHERS: readonly (readonly [LevelName, number])[] = [['strong', 2], ['medium', 6], ['fast', 1], ['novice', 6]];
const APART = 1_000_000; // between the seeds of two players
const ME = 0;

/** Let a level play the day's game; another `variant` plays it with other luck of its own. */
export function played(kernel: Kernel, rules: number, player: number, { form, seed = '0' }: Setup, level: LevelName, variant: number): Other {
  if (form.field === null) throw new Error('nothing was learned for these rules');
  const game = new Solo(kernel, rules, {
    hands: 2,
    jokers: form.jokers,
    streets: form.streets,
    buttonMoves: form.button_moves,
    aloneHides: form.alone_hides,
    seed: BigInt(`0x${seed}`),
    first: 0,
    lands: [],
    inRow: [],
    given: [],
  });
  let points = 0;
  let board: readonly (readonly number[])[] | null = null;
  for (let moves = 0; ; moves += 1) {
    const { over, turn, hands } = game.look();
    const hand = hands[turn];
    if (over || hand === undefined) break;
    const mine = hand.player === ME;
    // The opponent's own luck is that which it has at my table.
    const actions = hand.land > 0 ? game.set(form.field) : game.choose(player, EFFORTS[mine ? level : OPPONENT], BigInt((mine ? (variant + 1) * APART : 0) + moves));
    const ended = game.act(actions);
    if (ended === null) continue;
    points += ended.points[ME] ?? 0;
    board ??= scored(kernel, rules, ended.hands).hands.find((one) => one.player === ME)?.cards ?? null;
  }
  game.drop();
  return { level, points, board: board ?? [] };
}
