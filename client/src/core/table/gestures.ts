// What the person's hands do to the placement: taps, drags and keys, in the words of `Placing`.

import type { RowName } from '../../wire/types';
import { ROWS } from '../shared/cards';
import { canPut, rowOf } from './placement';
import { prefs } from '../shared/prefs.svelte';
import type { TableState } from './table.svelte';

const isRow = (zone: string | null): zone is RowName => ROWS.some((row) => row === zone);

/** A tap on a card of this street: lift it, take it back, or let the lifted one take its place. */
export function tapCard(table: TableState, card: string): void {
  const { placing } = table;
  const now = placing.active?.now;
  if (now === undefined) return;
  const row = rowOf(now, card);
  const away = now.aside.includes(card);
  if (row === null && !away) return placing.lift(card);
  if (placing.lifted === null || placing.lifted === card) return placing.takeBack(card, true);
  if (row !== null && canPut(now, placing.lifted, row)) return placing.put(placing.lifted, row);
  placing.exchange(placing.lifted, card);
}

/** A tap on a row, the discard slot or the tray. */
export function tapZone(table: TableState, zone: string | null): void {
  const { placing } = table;
  if (isRow(zone)) placing.putReady(zone);
  else if (zone === 'discard' && placing.lifted !== null) placing.setAside(placing.lifted);
  else if (zone === 'tray') placing.letGo();
}

/** A dragged card let go. */
export function drop(table: TableState, card: string, zone: string | null, onto: string | null): void {
  const { placing } = table;
  const now = placing.active?.now;
  if (now === undefined) return;
  if (zone === 'discard') return placing.setAside(card);
  if (zone === 'tray' || zone === null) return placing.takeBack(card, false);
  if (!isRow(zone) || rowOf(now, card) === zone) return placing.letGo();
  if (canPut(now, card, zone)) placing.put(card, zone);
  else if (onto !== null && rowOf(now, onto) === zone) placing.exchange(card, onto);
  else placing.letGo();
}

const KEY_ROWS: Readonly<Record<string, RowName>> = { q: 'front', w: 'middle', e: 'back' };

/** Keys: 1–9 and 0 lift a card, q w e place it, Backspace undoes, Enter is Ready, Escape lets go. */
export function pressKey(table: TableState, event: KeyboardEvent): void {
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (event.ctrlKey || event.metaKey || event.altKey || target?.closest('input, textarea, select, dialog, [popover]')) return;
  const { placing } = table;
  const laying = placing.active;
  if (laying === null) return;
  const row = KEY_ROWS[event.key.toLowerCase()];
  const onButton = target?.closest('button, a') ?? null;
  if (/^[0-9]$/.test(event.key)) {
    const at = event.key === '0' ? 9 : Number(event.key) - 1;
    const cards = laying.now.cards.length > 5 ? placing.tray(prefs.sorting) : laying.now.cards;
    const card = cards[at];
    if (card === undefined) return;
    if (placing.tray(prefs.sorting).includes(card)) placing.lift(card);
    else placing.takeBack(card, true);
  } else if (row !== undefined) {
    const focused = target?.closest<HTMLElement>('[data-mine]')?.dataset['mine'];
    if (placing.lifted === null && focused !== undefined) placing.put(focused, row);
    else placing.putReady(row);
  } else if (event.key === 'Backspace') {
    placing.undo();
  } else if (event.key === 'Escape') {
    placing.letGo();
  } else if (event.key === 'Enter' && onButton === null) {
    void table.ready();
  } else {
    return;
  }
  event.preventDefault();
}
