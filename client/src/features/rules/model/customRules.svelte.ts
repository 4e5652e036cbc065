// House rules that this browser keeps. They are the person's own until sent as a link or a file.

import { freshId } from '../../../shared/id';
import { save, load } from '../../../shared/storage';
import type { Overrides } from './link';

export interface HouseRules {
  readonly id: string;
  readonly title: string;
  readonly preset: string;
  readonly overrides: Overrides;
}

const KEY = 'triptych.rules_input';

function read(): HouseRules[] {
  const found = load(KEY);
  return Array.isArray(found) ? (found as HouseRules[]) : [];
}

const shelf = $state<{ all: readonly HouseRules[] }>({ all: read() });

/** Whether it was really written: a browser may store nothing. */
function write(all: readonly HouseRules[]): boolean {
  shelf.all = all;
  return save(KEY, all);
}

export const house = {
  get all(): readonly HouseRules[] {
    return shelf.all;
  },
  find(id: string): HouseRules | undefined {
    return shelf.all.find((one) => one.id === id);
  },
  /** Keep rules under their title; the same title again takes the place of the old ones. */
  save(title: string, preset: string, overrides: Overrides): boolean {
    const old = shelf.all.find((one) => one.title === title);
    const rules = { id: old?.id ?? freshId(), title, preset, overrides };
    return write([rules, ...shelf.all.filter((one) => one !== old)]);
  },
  remove(id: string): void {
    write(shelf.all.filter((one) => one.id !== id));
  },
  restore(rules: HouseRules): void {
    write([rules, ...shelf.all]);
  },
};
