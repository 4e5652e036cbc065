// Bands and streets in words.

import { m } from '../../../shared/i18n.svelte';
import type { AnalysisSetup } from '../../../api/generated/types';
import type { Grade } from './grades.svelte';

export const bandName = (band: Grade): string =>
  ({
    best: m.review_band_best,
    good: m.review_band_good,
    inaccuracy: m.review_band_inaccuracy,
    mistake: m.review_band_mistake,
    blunder: m.review_band_blunder,
  })[band]();

/** "Street 3"; 0 is a whole fantasyland. */
export const streetName = (street: number): string =>
  street === 0 ? m.review_land() : m.review_street({ n: street });

/** The same in a deal; a closed one has no streets. */
export const momentName = ({ closed }: AnalysisSetup, street: number): string =>
  closed === null ? streetName(street) : m.review_setting();
