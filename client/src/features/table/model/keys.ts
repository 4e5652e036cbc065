// The keyboard at the table: every action of a deal has a key (Keys.svelte lists them).

import type { RowName, Task } from '../../../api/generated/types';
import { prefs } from '../../../shared/prefs.svelte';
import type { Laid } from './gestures';
import { canSwapRows } from './placement';
import { isFan, type PendingPlacement } from './pendingPlacement.svelte';
import type { TableState } from './tableState.svelte';

const ROW_KEYS: Readonly<Record<string, RowName>> = { q: 'front', w: 'middle', e: 'back' };
const SWAP_KEYS: Readonly<Record<string, readonly [RowName, RowName]>> = {
  a: ['front', 'middle'],
  s: ['middle', 'back'],
};

/** The cards in the order in which the number keys count them: the tray as it is shown, then a street's placed cards. */
export function numberedCards(table: Laid): readonly string[] {
  const laying = table.placing.active;
  if (laying === null || laying.sent) return [];
  const tray = table.placing.tray(prefs.sorting);
  return isFan(laying) ? tray : [...tray, ...laying.now.cards.filter((card) => !tray.includes(card))];
}

/** Whether the key is the table's: not while something is written, or while something lies over the table. */
export function isTableShortcut(event: KeyboardEvent): boolean {
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (event.ctrlKey || event.metaKey || event.altKey || target?.closest('input, textarea, select, dialog, [popover]'))
    return false;
  return document.querySelector('dialog[open]') === null;
}

/** Do what a key is for; answers whether it is for anything now. */
export function pressKey(table: TableState, event: KeyboardEvent): boolean {
  const target = event.target instanceof HTMLElement ? event.target : null;
  // A focused button is pressed by its own keys.
  if (event.key === 'Enter' && target?.closest('button, a, summary')) return false;
  const key = event.key.toLowerCase();
  if (key === 'm') {
    prefs.set({ sound: !prefs.sound });
    return true;
  }
  const laying = table.placing.active;
  if (laying !== null) return inStreet(table, laying, event, key, target);
  if (table.question !== null) return answered(table, table.question, key);
  if (key !== 'enter' || !table.may('ready') || table.me?.ready) return false;
  void table.do({ do: 'ready' });
  return true;
}

function answered(table: TableState, task: Task, key: string): boolean {
  if (task.kind !== 'announce' || (key !== 'p' && key !== 'u')) return false;
  void table.do({ do: 'announce', hand: task.hand, play: key === 'p' });
  return true;
}

function inStreet(
  table: TableState,
  laying: PendingPlacement,
  event: KeyboardEvent,
  key: string,
  target: HTMLElement | null,
): boolean {
  if (key === 'n' && table.task?.natural) void table.do({ do: 'natural', hand: laying.hand });
  else if (key === 'enter') void table.ready();
  else return placeByKey(table, laying, event, key, target);
  return true;
}

/** The keys that move cards, wherever they are placed. */
export function placeByKey(
  table: Laid,
  laying: PendingPlacement,
  event: KeyboardEvent,
  key: string,
  target: HTMLElement | null,
): boolean {
  const { placing } = table;
  const number = /^Digit(\d)$/.exec(event.code)?.[1] ?? (/^\d$/.test(key) ? key : null);
  const row = ROW_KEYS[key];
  const swap = SWAP_KEYS[key];
  if (number !== null) return liftNumber(table, number === '0' ? 9 : Number(number) - 1);
  if (key === 'arrowleft' || key === 'arrowright') return liftNext(table, key === 'arrowright' ? 1 : -1);
  if (row !== undefined) {
    const focused = target?.closest<HTMLElement>('[data-mine]')?.dataset['mine'];
    if (placing.lifted === null && focused !== undefined) placing.put(focused, row);
    else placing.putReady(row);
  } else if (swap !== undefined) {
    if (!isFan(laying) || !canSwapRows(laying.now, ...swap)) return false;
    placing.swapRows(...swap);
  } else if (key === 'd' && placing.lifted !== null) placing.setAside(placing.lifted);
  else if (key === 'r' && isFan(laying)) prefs.set({ sorting: prefs.sorting === 'rank' ? 'suit' : 'rank' });
  else if (key === 'backspace') placing.undo();
  else if (key === 'escape') placing.release();
  else return false;
  return true;
}

function liftNumber(table: Laid, at: number): boolean {
  const card = numberedCards(table)[at];
  if (card === undefined) return false;
  if (table.placing.tray(prefs.sorting).includes(card)) table.placing.lift(card);
  else table.placing.takeBack(card, true);
  return true;
}

function liftNext(table: Laid, step: 1 | -1): boolean {
  const { placing } = table;
  const cards = placing.tray(prefs.sorting);
  const at = placing.lifted === null ? -1 : cards.indexOf(placing.lifted);
  const next = cards.at(at < 0 ? (step > 0 ? 0 : -1) : (at + step) % cards.length);
  if (next !== undefined && next !== placing.lifted) placing.lift(next);
  return true;
}
