// Positions that this browser keeps under names of one's own, the newest first.

import { freshId } from '../../../shared/id';
import { save, load } from '../../../shared/storage';
import type { StoredPosition } from './board.svelte';

export interface Saved extends StoredPosition {
  readonly id: string;
  readonly name: string;
}

const KEY = 'triptych.positions';

function read(value: unknown): Saved | null {
  const { id, name, rules, position } = (value ?? {}) as Partial<Record<keyof Saved, unknown>>;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof position !== 'string') return null;
  if (rules === null || typeof rules !== 'object' || typeof (rules as StoredPosition['rules']).preset !== 'string')
    return null;
  return { id, name, position, rules: rules as StoredPosition['rules'] };
}

const stored = load(KEY);
const store = $state<{ all: readonly Saved[] }>({
  all: Array.isArray(stored) ? stored.map(read).filter((position) => position !== null) : [],
});

/** Whether it was really written: a browser may store nothing. */
function write(all: readonly Saved[]): boolean {
  store.all = all;
  return save(KEY, all);
}

export const saved = {
  get all(): readonly Saved[] {
    return store.all;
  },
  add(name: string, { rules, position }: StoredPosition): boolean {
    return write([{ id: freshId(), name, rules, position }, ...store.all]);
  },
  rename(id: string, name: string): void {
    write(store.all.map((position) => (position.id === id ? { ...position, name } : position)));
  },
  remove(id: string): void {
    write(store.all.filter((position) => position.id !== id));
  },
  /** What was removed, back in its place. */
  restore(position: Saved, at: number): void {
    write(store.all.toSpliced(at, 0, position));
  },
};
