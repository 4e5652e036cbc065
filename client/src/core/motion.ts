// Animation is the difference of two states: look before a redraw, look after it, and let what moved slide.
//
// A card's element says who it is (`data-card`), a slot's element whether it shows a back (`data-slot`,
// `data-down`), and `data-origin` marks where a seat's new cards come from (`data-from` on the card).

const SLIDE = 180;
const TURN = 420;
const ROW_AFTER_ROW = 520;
const EASE = 'cubic-bezier(.2,.8,.2,1)';
const ROW_ORDER = ['front', 'middle', 'back'];

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
  for (const element of all(root, 'card')) slide(element, before);
  for (const element of all(root, 'slot')) {
    const slot = element.dataset['slot'] ?? '';
    if (before.down.has(slot) && element.dataset['down'] === undefined) turn(element, slot);
  }
}

function slide(element: HTMLElement, before: Picture): void {
  const old = before.cards.get(element.dataset['card'] ?? '') ?? before.origins.get(element.dataset['from'] ?? '');
  if (old === undefined) return;
  running.get(element)?.cancel();
  const now = element.getBoundingClientRect();
  const dx = old.left - now.left;
  const dy = old.top - now.top;
  const scale = now.width > 0 ? old.width / now.width : 1;
  if (Math.abs(dx) < 1 && Math.abs(dy) < 1 && Math.abs(scale - 1) < 0.02) return;
  const from = { transform: `translate(${dx}px, ${dy}px) scale(${scale})`, transformOrigin: '0 0', zIndex: 5 };
  const to = { transform: 'none', transformOrigin: '0 0', zIndex: 5 };
  running.set(element, element.animate([from, to], { duration: SLIDE, easing: EASE }));
}

function turn(element: HTMLElement, slot: string): void {
  const row = ROW_ORDER.indexOf(slot.split('.')[1] ?? '');
  const edge = { transform: 'perspective(600px) rotateY(90deg)' };
  const flat = { transform: 'perspective(600px) rotateY(0deg)' };
  element.animate([edge, flat], { duration: TURN, delay: Math.max(row, 0) * ROW_AFTER_ROW, easing: EASE, fill: 'backwards' });
}
