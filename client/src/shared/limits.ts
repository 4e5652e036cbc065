// What a number field takes, in words. Pure but for the language.

import { m } from './i18n.svelte';

/** `high` null: there is no most; `whole`: no fractions; `above`: `low` itself is too little. */
export const limitsText = (low: number, high: number | null, whole = true, above = false): string =>
  above && high !== null
    ? m.number_above({ low, high })
    : high === null
      ? m.number_whole_least({ low })
      : whole
        ? m.number_whole_between({ low, high })
        : m.number_between({ low, high });
