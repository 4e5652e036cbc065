// The cards of one street while they are being laid out. Pure: every operation returns a new placement, or the
// same one when there is nothing to do. Counts only; whether a row is legal is the server's word.

import type { Layout, FreeSlots, RowName, Task } from '../../../api/generated/types';
import { ROWS } from '../../../cards/cards';

export interface Placement {
  readonly cards: readonly string[];
  readonly place: number;
  readonly discard: number;
  readonly open: FreeSlots;
  readonly layout: Layout;
  /** Cards put on the discard slot by hand; the rest follows by itself. */
  readonly aside: readonly string[];
}

export function startPlacement(task: Task): Placement {
  const { cards, place, discard, open, layout } = task;
  return { cards, place, discard, open, layout, aside: [] };
}

export const sameLayout = (a: Layout, b: Layout): boolean =>
  ROWS.every((row) => a[row].length === b[row].length && a[row].every((card, i) => card === b[row][i]));

export const rowOf = (p: Placement, card: string): RowName | null =>
  ROWS.find((row) => p.layout[row].includes(card)) ?? null;

export const placed = (p: Placement): number => ROWS.reduce((sum, row) => sum + p.layout[row].length, 0);

export const isComplete = (p: Placement): boolean => placed(p) === p.place;

/** Free slots left in a row. */
export const room = (p: Placement, row: RowName): number => p.open[row] - p.layout[row].length;

/** What lies on the discard slot: put there by hand, or left over when everything else is placed. */
export function discarded(p: Placement): string[] {
  if (p.discard === 0) return [];
  if (!isComplete(p)) return [...p.aside];
  return p.cards.filter((card) => rowOf(p, card) === null);
}

/** What still lies in the tray. */
export function inTray(p: Placement): string[] {
  const away = discarded(p);
  return p.cards.filter((card) => rowOf(p, card) === null && !away.includes(card));
}

function without(layout: Layout, card: string): Layout {
  const drop = (cards: readonly string[]): readonly string[] => cards.filter((other) => other !== card);
  return { front: drop(layout.front), middle: drop(layout.middle), back: drop(layout.back) };
}

/** Whether a card of this street may go to the row now: there is a slot, and not too many cards are placed. */
export function canPut(p: Placement, card: string, row: RowName): boolean {
  if (!p.cards.includes(card) || rowOf(p, card) === row || room(p, row) <= 0) return false;
  return rowOf(p, card) !== null || placed(p) < p.place;
}

export function put(p: Placement, card: string, row: RowName): Placement {
  if (!canPut(p, card, row)) return p;
  const rest = without(p.layout, card);
  const layout = { ...rest, [row]: [...rest[row], card] };
  return { ...p, layout, aside: p.aside.filter((other) => other !== card) };
}

export function takeBack(p: Placement, card: string): Placement {
  if (rowOf(p, card) === null && !p.aside.includes(card)) return p;
  return { ...p, layout: without(p.layout, card), aside: p.aside.filter((other) => other !== card) };
}

/** Two cards of this street change places: both in rows, or one in a row and one in the tray. */
export function exchange(p: Placement, a: string, b: string): Placement {
  const swap = (cards: readonly string[]): readonly string[] =>
    cards.map((card) => (card === a ? b : card === b ? a : card));
  const { front, middle, back } = p.layout;
  const layout = { front: swap(front), middle: swap(middle), back: swap(back) };
  return { ...p, layout, aside: swap(p.aside) };
}

/** Put a card on the discard slot by hand; the last one put there makes way when the slot is full. */
export function setAside(p: Placement, card: string): Placement {
  if (p.discard === 0 || !p.cards.includes(card) || p.aside.includes(card)) return p;
  const remaining = p.aside.slice(0, p.discard - 1);
  return { ...p, layout: without(p.layout, card), aside: [...remaining, card] };
}

export const canSwapRows = (p: Placement, a: RowName, b: RowName): boolean =>
  p.layout[a].length + p.layout[b].length > 0 && p.layout[a].length <= p.open[b] && p.layout[b].length <= p.open[a];

export function swapRows(p: Placement, a: RowName, b: RowName): Placement {
  if (!canSwapRows(p, a, b)) return p;
  return { ...p, layout: { ...p.layout, [a]: p.layout[b], [b]: p.layout[a] } };
}

/** The street's cards laid as somebody proposes; what is proposed for none of these cards changes nothing. */
export function lay(p: Placement, layout: Layout): Placement {
  const cards = ROWS.flatMap((row) => [...layout[row]]);
  const fits =
    cards.every((card) => p.cards.includes(card)) && ROWS.every((row) => layout[row].length <= p.open[row]);
  return fits && cards.length <= p.place && !sameLayout(p.layout, layout) ? { ...p, layout, aside: [] } : p;
}

export function clear(p: Placement): Placement {
  return { ...p, layout: { front: [], middle: [], back: [] }, aside: [] };
}
