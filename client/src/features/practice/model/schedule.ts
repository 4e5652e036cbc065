// When missed puzzles come again: spaced repetition by FSRS, in whole days. Pure; the time is an argument.

import { createEmptyCard, fsrs, generatorParameters, Rating, type Card } from 'ts-fsrs';
import type { Puzzle } from './puzzle';

/** A puzzle on its way back; `due` in milliseconds, `card` is what FSRS remembers of it. */
export interface ScheduledPuzzle {
  readonly puzzle: Puzzle;
  readonly due: number;
  readonly card: Card;
  /** From a deal of one's own, not from a collection. */
  readonly own: boolean;
}

// No steps of minutes: nobody waits ten of them before the same position.
const scheduler = fsrs(generatorParameters({ enable_short_term: false, enable_fuzz: false }));

/** A mistake from one's own play: it can be tried at once. */
export const schedule = (puzzle: Puzzle, now: number): ScheduledPuzzle => ({
  puzzle,
  due: now,
  card: createEmptyCard(new Date(now)),
  own: true,
});

/** After an attempt; `before` is null for a puzzle that was never missed. */
export function reschedule(
  before: ScheduledPuzzle | null,
  puzzle: Puzzle,
  right: boolean,
  now: number,
): ScheduledPuzzle {
  const card = before === null ? createEmptyCard(new Date(now)) : revived(before.card);
  const next = scheduler.next(card, new Date(now), right ? Rating.Good : Rating.Again).card;
  return { puzzle, due: next.due.getTime(), card: next, own: before?.own ?? false };
}

/** Dates come back from the store as text. */
function revived(card: Card): Card {
  const { last_review: last } = card;
  return { ...card, due: new Date(card.due), ...(last ? { last_review: new Date(last) } : {}) };
}
