// What has just happened at the table that is worth a sound: the difference of two views. Pure.

import type { TableView } from '../../../api/generated/types';

export type TableEvent = 'deal' | 'turn' | 'time' | 'foul' | 'fantasyland';

/** What is asked of the viewer, each question once. */
const taskKeys = (view: TableView): string[] =>
  (view.deal?.tasks ?? []).map((task) => `${view.deal?.number ?? 0}.${task.hand}.${task.kind}.${task.street}`);

const dealNumber = (view: TableView): number => (view.phase === 'playing' ? (view.deal?.number ?? 0) : 0);

/** The events between two views of one table, in the order of their sounds; each at most once. */
export function tableEvents(before: TableView, after: TableView): TableEvent[] {
  const events: TableEvent[] = [];
  const settled = after.sheet !== null && after.sheet.deal !== before.sheet?.deal ? after.sheet : null;
  if (settled?.hands.some((hand) => hand.status === 'foul')) events.push('foul');
  if (settled?.hands.some((hand) => hand.fantasyland > 0)) events.push('fantasyland');
  if (dealNumber(after) !== 0 && dealNumber(after) !== dealNumber(before)) events.push('deal');
  const old = taskKeys(before);
  if (taskKeys(after).some((key) => !old.includes(key))) events.push('turn');
  return events;
}

const WARNS = 10_000;

/** When the viewer's own time is running out (ms of the server's clock); null while no clock of theirs runs. */
export function timeRunningOut(view: TableView): number | null {
  const clock = view.clocks.find((other) => other.seat === view.you);
  if (clock === undefined || view.paused !== null || view.phase !== 'playing') return null;
  return clock.bank_ends - Math.min(WARNS, (clock.bank_ends - clock.started) / 2);
}
