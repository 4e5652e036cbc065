// Commands without an answer yet. They outlive a reload of the page, which repeats them under the same id: nobody
// knows whether they were done.

import type { ClientMessage } from './generated/types';

export type Command = ClientMessage & { readonly t: 'do' };

interface StoredCommands {
  readonly at: number;
  readonly commands: readonly Command[];
}

// Older commands are no longer wanted.
const LASTS = 120_000;

const keyOf = (table: string): string => `triptych.unanswered.${table}`;

/** The commands that an earlier page of this tab left unanswered. */
export function loadPending(table: string): readonly Command[] {
  try {
    const stored = JSON.parse(sessionStorage.getItem(keyOf(table)) ?? 'null') as StoredCommands | null;
    return stored !== null && Date.now() - stored.at < LASTS ? stored.commands : [];
  } catch {
    return [];
  }
}

export function savePending(table: string, commands: readonly Command[]): void {
  try {
    if (commands.length === 0) sessionStorage.removeItem(keyOf(table));
    else sessionStorage.setItem(keyOf(table), JSON.stringify({ at: Date.now(), commands } satisfies StoredCommands));
  } catch {
    // A browser that stores nothing: then they last until the page is left.
  }
}
