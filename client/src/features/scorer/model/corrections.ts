// What was corrected in a session: who changed a deal, when, and what stood there before. Pure, and in the file's form
// that src/triptych/cli/session/corrections.py reads and writes.

import type { DealLine } from '../../../api/http';
import { ROWS } from '../../../cards/cards';
import { signedNumber } from '../../../shared/format';

type Json = Readonly<Record<string, unknown>>;

interface Note {
  readonly at: string;
  readonly by: string;
  /** What the changed keys held before; null where there was none. */
  readonly was: Json;
}

export interface Change {
  readonly name: string;
  /** Null where there was or is nothing. */
  readonly from: string | null;
  readonly to: string | null;
}

export interface Correction {
  readonly at: Date;
  readonly by: string;
  readonly kind: 'changed' | 'removed' | 'restored';
  readonly changes: readonly Change[];
}

export const isRemoved = (line: DealLine): boolean => line['removed'] === true;

/** A deal without its notes: what is scored. */
export const contentOf = (line: DealLine): DealLine =>
  Object.fromEntries(Object.entries(line).filter(([key]) => key !== 'id' && key !== 'corrections'));

const notesOf = (line: DealLine): readonly Note[] =>
  Array.isArray(line['corrections']) ? (line['corrections'] as Note[]) : [];

const keysOf = (...objects: readonly Json[]): string[] => [
  ...new Set(objects.flatMap((object) => Object.keys(object))),
];

/** The new form of a deal with a note of who changed it, when, and what the changed keys held before. */
export function withCorrection(old: DealLine, changed: DealLine, by: string, at = new Date()): DealLine {
  const [before, after] = [contentOf(old), contentOf(changed)];
  const was = Object.fromEntries(
    keysOf(before, after)
      .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
      .map((key) => [key, before[key] ?? null]),
  );
  const notes = notesOf(old);
  const note = { at: at.toISOString(), by, was };
  const corrections = Object.keys(was).length > 0 ? [...notes, note] : notes;
  return corrections.length > 0 ? { ...after, corrections } : after;
}

/** The corrections of a deal, the oldest first. */
export function correctionsOf(line: DealLine): Correction[] {
  let after = contentOf(line);
  const corrections = notesOf(line)
    .toReversed()
    .map((note): Correction => {
      const before = Object.fromEntries(
        Object.entries({ ...after, ...note.was }).filter(([, value]) => value !== null),
      );
      const [was, is] = [isRemoved(before), isRemoved(after)];
      const changes = was === is ? changesBetween(before, after) : [];
      after = before;
      return {
        at: new Date(note.at),
        by: note.by,
        kind: was === is ? 'changed' : is ? 'removed' : 'restored',
        changes,
      };
    });
  return corrections.toReversed();
}

function changesBetween(before: Json, after: Json): Change[] {
  const [old, now] = [textsOf(before), textsOf(after)];
  return keysOf(old, now)
    .map((name) => ({ name, from: old[name] ?? null, to: now[name] ?? null }))
    .filter(({ from, to }) => from !== to);
}

const asTable = (value: unknown): Json => (value !== null && typeof value === 'object' ? (value as Json) : {});
const signed = (points: unknown): string => signedNumber(Number(points));

/** Everything that a deal says, as names and texts. */
function textsOf(line: Json): Readonly<Record<string, string>> {
  const texts = (key: string, name: (key: string) => string, text: (value: unknown) => string): [string, string][] =>
    Object.entries(asTable(line[key])).map(([part, value]) => [name(part), text(value)]);
  const same = (name: string): string => name;
  return Object.fromEntries([
    ...texts('players', same, (hand) => handText(asTable(hand))),
    ...texts('points', same, signed),
    ...texts('pairs', same, signed),
    ...texts('rules', same, String),
    ...texts('stakes', (pair) => `× ${pair}`, String),
  ]);
}

/** A hand as people type it: `QhQd7c/8c8dTsTh2c/AhAcAd9d9h@14`. */
function handText(hand: Json): string {
  if (hand['surrender'] === true) return 'surrender';
  if ('natural' in hand) return `natural:${hand['natural']}`;
  const { cards, in_row: inRow } = asTable(hand['fantasyland']);
  const fantasyland = cards === undefined ? '' : `@${cards}${Number(inRow ?? 1) > 1 ? `:${inRow}` : ''}`;
  const declared = Array.isArray(hand['declared']) ? `!${hand['declared'].join(',')}` : '';
  return ROWS.map((row) => hand[row] ?? '').join('/') + fantasyland + declared;
}
