// At a table without a clock nothing is dealt while something lies open to be read. Pure.

import type { TableView } from '../../../api/generated/types';

/** Milliseconds before the next deal at which more time is asked for. */
export const ASK_BEFORE = 5_000;

/** Whether the table is to be asked for more time now. `reads`: a sheet, earlier deals or rules lie open. */
export const asksForTime = (
  view: Pick<TableView, 'next_at' | 'may' | 'rules'>,
  reads: boolean,
  now: number,
): boolean =>
  reads &&
  view.rules.clocked === false &&
  view.next_at !== null &&
  view.next_at - now <= ASK_BEFORE &&
  view.may.includes('wait');
