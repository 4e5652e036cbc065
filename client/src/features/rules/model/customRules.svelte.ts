// House rules that this browser keeps. They are the person's own until sent as a link or a file.

import { freshId } from '../../../shared/id';
import { save, load } from '../../../shared/storage';
import type { Overrides } from './link';

export interface CustomRules {
  readonly id: string;
  readonly title: string;
  readonly preset: string;
  readonly overrides: Overrides;
}

const KEY = 'triptych.rules_input';

function read(): CustomRules[] {
  const stored = load(KEY);
  return Array.isArray(stored) ? (stored as CustomRules[]) : [];
}

const store = $state<{ all: readonly CustomRules[] }>({ all: read() });

/** Whether it was really written: a browser may store nothing. */
function write(all: readonly CustomRules[]): boolean {
  store.all = all;
  return save(KEY, all);
}

export const customRules = {
  get all(): readonly CustomRules[] {
    return store.all;
  },
  find(id: string): CustomRules | undefined {
    return store.all.find((rules) => rules.id === id);
  },
  /** Keep rules under their title; the same title again takes the place of the old ones. */
  save(title: string, preset: string, overrides: Overrides): boolean {
    const old = store.all.find((other) => other.title === title);
    const rules = { id: old?.id ?? freshId(), title, preset, overrides };
    return write([rules, ...store.all.filter((other) => other !== old)]);
  },
  remove(id: string): void {
    write(store.all.filter((rules) => rules.id !== id));
  },
  restore(rules: CustomRules): void {
    write([rules, ...store.all]);
  },
};
