// What practice remembers on this device: my rating, which puzzles I have seen, and what comes again when.

import { save, load } from '../../../shared/storage';
import type { Puzzle } from './puzzle';
import { reschedule, schedule, type ScheduledPuzzle } from './schedule';

interface Stored {
  readonly rating: number;
  readonly tries: number;
  /** Puzzles of collections that were tried. */
  readonly seen: readonly string[];
  readonly again: readonly ScheduledPuzzle[];
}

const KEY = 'triptych.practice';
const FRESH: Stored = { rating: 1500, tries: 0, seen: [], again: [] };
const MAX_SCHEDULED = 1_000; // positions: under a megabyte
const QUICK = 40; // points that a first attempt moves the rating by at most
const SLOW = 16; // later
const SETTLED_AFTER = 20; // attempts
const TENFOLD = 400; // as docs/reference/files.md has it

const read = (): Stored => ({ ...FRESH, ...(load(KEY) as Partial<Stored> | null) });
const stored = $state<{ now: Stored }>({ now: read() });
// Another page of this browser has written.
window.addEventListener('storage', ({ key }) => {
  if (key === KEY) stored.now = read();
});

function write(next: Stored): void {
  // What is due latest makes way.
  const again = next.again.toSorted((a, b) => a.due - b.due).slice(0, MAX_SCHEDULED);
  stored.now = { ...next, again };
  save(KEY, stored.now);
}

export const progress = {
  get rating(): number {
    return Math.round(stored.now.rating);
  },
  get tries(): number {
    return stored.now.tries;
  },
  get again(): readonly ScheduledPuzzle[] {
    return stored.now.again;
  },
  seen(id: string): boolean {
    return stored.now.seen.includes(id);
  },
  /** What is to be tried again by now, what has waited longest first. */
  due(now: number): readonly ScheduledPuzzle[] {
    return stored.now.again.filter((scheduled) => scheduled.due <= now);
  },
  /** A mistake of my own play is to be practised; one that is already there stays as it is. */
  addMistake(puzzle: Puzzle, now: number): void {
    if (stored.now.again.some((scheduled) => scheduled.puzzle.id === puzzle.id)) return;
    write({ ...stored.now, again: [...stored.now.again, schedule(puzzle, now)] });
  },
  /** Forget a position: it does not come again. */
  drop(id: string): void {
    write({ ...stored.now, again: stored.now.again.filter((scheduled) => scheduled.puzzle.id !== id) });
  },
  attempted(puzzle: Puzzle, right: boolean, now: number): void {
    const { rating, tries, seen, again } = stored.now;
    const before = again.find((scheduled) => scheduled.puzzle.id === puzzle.id) ?? null;
    const others = again.filter((scheduled) => scheduled !== before);
    // What was found at once does not come again.
    const next = before === null && right ? others : [...others, reschedule(before, puzzle, right, now)];
    const first = before === null && puzzle.rating !== null && !seen.includes(puzzle.id);
    if (!first) return write({ ...stored.now, again: next });
    const step = tries < SETTLED_AFTER ? QUICK : SLOW;
    const expected = 1 / (1 + 10 ** ((puzzle.rating - rating) / TENFOLD));
    write({
      rating: rating + step * ((right ? 1 : 0) - expected),
      tries: tries + 1,
      seen: [...seen, puzzle.id],
      again: next,
    });
  },
};
