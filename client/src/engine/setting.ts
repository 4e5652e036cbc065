// Solves a whole fantasyland exactly, or evaluates a whole board.

import { RequestWriter } from './bytes';
import type { Kernel } from './kernel';
import { readFinishedBoard } from './results';

export interface Objective {
  readonly inRow: number; // which fantasyland in a row this is, from 1
  readonly fantasylandValues: readonly number[]; // points of the next one, by its number of cards
  readonly cards: readonly number[];
  readonly against: readonly (readonly number[])[]; // finished boards, front first
  readonly rows?: readonly (readonly number[])[]; // cards that are placed already
  readonly fantasyland?: number; // the cards that it was dealt, where they are more than these
}

export interface Solution {
  readonly legal: boolean;
  readonly value: number;
  readonly rows: readonly (readonly number[])[];
  readonly royalties: number;
  readonly next: number; // cards of the fantasyland that this one earns
}

const NO_ROWS = [[], [], []];

/** `rules`: the kernel's handle of the rules. Throws EngineError. */
export function solveSetting(kernel: Kernel, rules: number, goal: Objective): Solution {
  const request = new RequestWriter()
    .u32(rules, goal.fantasyland ?? goal.cards.length, goal.inRow)
    .f64(...goal.fantasylandValues);
  for (const row of goal.rows ?? NO_ROWS) request.cards(row);
  request.cards(goal.cards).u32(goal.against.length);
  for (const board of goal.against) request.raw(Uint8Array.from(board));
  const { legal, value, rows, royalties, fantasyland } = kernel.read('complete', request, readFinishedBoard);
  return { legal, value, rows, royalties, next: fantasyland };
}
