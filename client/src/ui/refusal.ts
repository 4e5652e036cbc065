// What a dialog was refused, shared with the fields inside it.

import { getContext, setContext } from 'svelte';

import type { WireError } from '../api/generated/types';

const KEY = Symbol('refusal');

export interface RefusalState {
  error: WireError | null;
  /** The paths of the fields that show their own refusals. */
  readonly paths: Set<string>;
}

export const noRefusal = (): RefusalState => ({ error: null, paths: new Set() });
export const shareRefusal = (state: RefusalState): RefusalState => setContext(KEY, state);
/** Null outside dialogs. */
export const sharedRefusal = (): RefusalState | null => getContext<RefusalState | undefined>(KEY) ?? null;

/** Whether a refusal is about this field, or a part of what it holds: `$.rules.seats.max` is about `$.rules`. */
const isAbout = (error: WireError, path: string): boolean =>
  error.path === path || error.path.startsWith(`${path}.`) || error.path.startsWith(`${path}[`);

/** The field that shows a refusal: the one that its path names most closely; null when none does. */
export const fieldOf = ({ error, paths }: RefusalState): string | null =>
  error === null
    ? null
    : ([...paths].filter((path) => isAbout(error, path)).sort((a, b) => b.length - a.length)[0] ?? null);
