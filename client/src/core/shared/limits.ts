// What a number field takes, in words. Pure but for the language.

import { m } from './language.svelte';

/** `high` null: there is no most; `whole`: no fractions. */
export const limitsText = (low: number, high: number | null, whole = true): string =>
  high === null ? m.number_whole_least({ low }) : whole ? m.number_whole_between({ low, high }) : m.number_between({ low, high });
