// What a number field takes, in words. Pure but for the language.

import { m } from './i18n.svelte';

/** `high` null: there is no most; `whole`: no fractions; `above`: `low` itself is too little. */
export const limitsText = (low: number, high: number | null, whole = true, above = false): string =>
  above && high !== null
    ? m.common_number_above({ low, high })
    : high === null
      ? m.common_number_whole_least({ low })
      : whole
        ? m.common_number_whole_range({ low, high })
        : m.common_number_range({ low, high });
