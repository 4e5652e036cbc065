// The rows of a board, for whoever has no words: workers too.

import type { RowName } from '../../wire/types';

export const ROWS = ['front', 'middle', 'back'] as const satisfies readonly RowName[];
export const SLOTS: Readonly<Record<RowName, number>> = { front: 3, middle: 5, back: 5 };

/** A card that lies face down. */
export const HIDDEN = '??';
