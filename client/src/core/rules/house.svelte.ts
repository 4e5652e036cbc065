// House rules that this browser keeps. They are the person's own until sent as a link or a file.

import type { Overrides } from './link';

export interface HouseRules {
  readonly id: string;
  readonly title: string;
  readonly preset: string;
  readonly overrides: Overrides;
}

const KEY = 'triptych.house';

function read(): HouseRules[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(found) ? (found as HouseRules[]) : [];
  } catch {
    return [];
  }
}

const kept = $state<{ all: readonly HouseRules[] }>({ all: read() });

/** Whether it was really written: a browser may store nothing. */
function write(all: readonly HouseRules[]): boolean {
  kept.all = all;
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
    return true;
  } catch {
    return false;
  }
}

export const house = {
  get all(): readonly HouseRules[] {
    return kept.all;
  },
  find(id: string): HouseRules | undefined {
    return kept.all.find((one) => one.id === id);
  },
  /** Keep rules under their title; the same title again takes the place of the old ones. */
  save(title: string, preset: string, overrides: Overrides): boolean {
    const old = kept.all.find((one) => one.title === title);
    const rules = { id: old?.id ?? crypto.randomUUID(), title, preset, overrides };
    return write([rules, ...kept.all.filter((one) => one !== old)]);
  },
  remove(id: string): void {
    write(kept.all.filter((one) => one.id !== id));
  },
  restore(rules: HouseRules): void {
    write([rules, ...kept.all]);
  },
};
