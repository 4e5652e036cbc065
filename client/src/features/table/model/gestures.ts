// Taps and drags, as calls of `PendingPlacements`.

import type { RowName } from '../../../api/generated/types';
import { ROWS } from '../../../cards/cards';
import { canPut, rowOf } from './placement';
import type { PendingPlacements } from './pendingPlacement.svelte';

/** Where cards are placed: a table, or a puzzle. */
export interface Laid {
  readonly placing: PendingPlacements;
}

const isRow = (zone: string | null): zone is RowName => ROWS.some((row) => row === zone);

/** A tap on a card of this street: lift it, take it back, or let the lifted one take its place. */
export function tapCard(table: Laid, card: string): void {
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
export function tapZone(table: Laid, zone: string | null): void {
  const { placing } = table;
  if (isRow(zone)) placing.putReady(zone);
  else if (zone === 'discard' && placing.lifted !== null) placing.setAside(placing.lifted);
  else if (zone === 'tray') placing.release();
}

/** A dragged card let go. */
export function drop(table: Laid, card: string, zone: string | null, onto: string | null): void {
  const { placing } = table;
  const now = placing.active?.now;
  if (now === undefined) return;
  if (zone === 'discard') return placing.setAside(card);
  if (zone === 'tray' || zone === null) return placing.takeBack(card, false);
  if (!isRow(zone) || rowOf(now, card) === zone) return placing.release();
  if (canPut(now, card, zone)) placing.put(card, zone);
  else if (onto !== null && rowOf(now, onto) === zone) placing.exchange(card, onto);
  else placing.release();
}
