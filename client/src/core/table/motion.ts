// Animation is the difference of two states: look before a redraw, look after it, and let what moved slide.
//
// A card's element names the card (`data-card`), a slot's element whether it shows a back (`data-slot`,
// `data-down`), and `data-origin` marks where a seat's new cards come from (`data-from` on the card).

import { ROWS } from '../shared/cards';

const SLIDE = 180;
const TURN = 420;
const ROW_AFTER_ROW = 520;
const DEALT_AFTER = 45;
const EASE = 'cubic-bezier(.2,.8,.2,1)';

export interface Picture {
  readonly cards: ReadonlyMap<string, DOMRect>;
  readonly down: ReadonlySet<string>;
  readonly origins: ReadonlyMap<string, DOMRect>;
}

export const NOTHING: Picture = { cards: new Map(), down: new Set(), origins: new Map() };

const running = new WeakMap<Element, Animation>();

const all = (root: HTMLElement, name: string): HTMLElement[] => [...root.querySelectorAll<HTMLElement>(`[data-${name}]`)];

export function look(root: HTMLElement): Picture {
  return {
    cards: new Map(all(root, 'card').map((element) => [element.dataset['card'] ?? '', element.getBoundingClientRect()])),
    down: new Set(all(root, 'down').map((element) => element.dataset['slot'] ?? '')),
    origins: new Map(all(root, 'origin').map((element) => [element.dataset['origin'] ?? '', element.getBoundingClientRect()])),
  };
}

/** Let every card of `root` slide from where it was to where it is, and turned cards turn, row after row. */
export function play(root: HTMLElement, before: Picture): void {
  const turned = all(root, 'slot').filter((slot) => before.down.has(slot.dataset['slot'] ?? '') && slot.dataset['down'] === undefined);
  const cards = all(root, 'card').filter((element) => !turned.some((slot) => slot.contains(element)));
  // First all that is written, then all that is read, then all that is written again: the browser lays out once.
  for (const element of cards) running.get(element)?.cancel();
  const places = cards.map((element) => element.getBoundingClientRect());
  let dealt = 0;
  const above: HTMLElement[] = [];
  cards.forEach((element, i) => {
    const from = before.cards.get(element.dataset['card'] ?? '');
    const origin = before.origins.get(element.dataset['from'] ?? '');
    const now = places[i] as DOMRect;
    const old = from ?? origin;
    if (old !== undefined && slide(element, old, now, from === undefined ? DEALT_AFTER * dealt++ : 0)) above.push(element);
  });
  for (const element of above) element.style.zIndex = '5';
  // All at once when the last one lies: each change is a frame.
  if (above.length > 0) setTimeout(() => above.forEach((element) => element.style.removeProperty('z-index')), SLIDE + DEALT_AFTER * dealt);
  for (const slot of turned) turn(slot);
}

function slide(element: HTMLElement, old: DOMRect, now: DOMRect, delay: number): boolean {
  const dx = old.left + old.width / 2 - now.left - now.width / 2;
  const dy = old.top + old.height / 2 - now.top - now.height / 2;
  const scale = now.width > 0 ? old.width / now.width : 1;
  if (Math.abs(dx) < 1 && Math.abs(dy) < 1 && Math.abs(scale - 1) < 0.02) return false;
  // The transform alone moves without the page being drawn; what lies above what is no part of it.
  const from = { transform: `translate(${dx}px, ${dy}px) scale(${scale})` };
  const sliding = element.animate([from, { transform: 'none' }], { duration: SLIDE, delay, easing: EASE, fill: 'backwards' });
  running.set(element, sliding);
  return true;
}

/** A slot turns over: its `::after` is the back that is seen until the edge; the row's name comes when it lies. */
function turn(slot: HTMLElement): void {
  const at = slot.dataset['slot']?.split('.')[1];
  const row = ROWS.findIndex((one) => one === at);
  const timing = { duration: TURN, delay: Math.max(row, 0) * ROW_AFTER_ROW, fill: 'backwards' } as const;
  const flat = { transform: 'perspective(600px) rotateY(0deg)' };
  slot.animate([flat, { transform: 'perspective(600px) rotateY(90deg)' }, flat], { ...timing, easing: 'ease-in-out' });
  slot.animate([{ opacity: 1 }, { opacity: 1, offset: 0.5 }, { opacity: 0, offset: 0.5 }, { opacity: 0 }], { ...timing, pseudoElement: '::after' });
  const words = slot.closest('.row')?.querySelector('.words');
  words?.animate([{ opacity: 0 }, { opacity: 1 }], { ...timing, delay: timing.delay + TURN });
}
