// The best way to set a whole fantasyland, exact; or what a whole board is.

import { RequestWriter } from './bytes';
import type { Kernel } from './kernel';
import { readFinishedBoard } from './results';

export interface Objective {
  readonly inRow: number; // this fantasyland is the so-manieth in a row
  readonly fantasylandValues: readonly number[]; // points of a next one, by its cards from 0
  readonly cards: readonly number[];
  readonly against: readonly (readonly number[])[]; // finished boards, front first
  readonly rows?: readonly (readonly number[])[]; // what lies there already
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

/** `rules`: what the kernel keeps of them. Throws EngineError. */
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
