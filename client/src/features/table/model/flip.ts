// Animation is the difference of two states: look before a redraw, look after it, and let what moved slide.
//
// A card's element names the card (`data-card`), a slot's element whether it shows a back (`data-slot`,
// `data-down`), and `data-origin` marks where a seat's new cards come from (`data-from` on the card).

import { ROWS } from '../../../cards/cards';

const SLIDE = 180;
const TURN = 420;
const ROW_AFTER_ROW = 520;
const DEALT_AFTER = 45;
const EASE = 'cubic-bezier(.2,.8,.2,1)';

export interface LayoutSnapshot {
  readonly cards: ReadonlyMap<string, DOMRect>;
  readonly down: ReadonlySet<string>;
  readonly origins: ReadonlyMap<string, DOMRect>;
}

export const NOTHING: LayoutSnapshot = { cards: new Map(), down: new Set(), origins: new Map() };

const running = new WeakMap<Element, Animation>();

const all = (root: HTMLElement, name: string): HTMLElement[] => [
  ...root.querySelectorAll<HTMLElement>(`[data-${name}]`),
];

export function snapshot(root: HTMLElement): LayoutSnapshot {
  return {
    cards: new Map(
      all(root, 'card').map((element) => [element.dataset['card'] ?? '', element.getBoundingClientRect()]),
    ),
    down: new Set(all(root, 'down').map((element) => element.dataset['slot'] ?? '')),
    origins: new Map(
      all(root, 'origin').map((element) => [element.dataset['origin'] ?? '', element.getBoundingClientRect()]),
    ),
  };
}

/** Let every card of `root` slide from where it was to where it is, and turned cards turn, row after row. */
export function animate(root: HTMLElement, before: LayoutSnapshot): void {
  const turned = all(root, 'slot').filter(
    (slot) => before.down.has(slot.dataset['slot'] ?? '') && slot.dataset['down'] === undefined,
  );
  const cards = all(root, 'card').filter((element) => !turned.some((slot) => slot.contains(element)));
  // First all that is written, then all that is read, then all that is written again: the browser lays out once.
  for (const element of cards) running.get(element)?.cancel();
  const places = cards.map((element) => element.getBoundingClientRect());
  const slides: Slide[] = [];
  let dealt = 0;
  cards.forEach((element, i) => {
    const from = before.cards.get(element.dataset['card'] ?? '');
    const old = from ?? before.origins.get(element.dataset['from'] ?? '');
    const way = old === undefined ? null : wayOf(old, places[i] as DOMRect);
    if (way !== null) slides.push({ element, way, after: from === undefined ? DEALT_AFTER * dealt++ : 0 });
  });
  slide(slides);
  turn(turned);
}

interface Slide {
  readonly element: HTMLElement;
  /** The transform that puts the card back where it was. */
  readonly way: string;
  readonly after: number;
}

/** From `now` back to `old`; null when a card lies as it lay. */
function wayOf(old: DOMRect, now: DOMRect): string | null {
  const dx = old.left + old.width / 2 - now.left - now.width / 2;
  const dy = old.top + old.height / 2 - now.top - now.height / 2;
  const scale = now.width > 0 ? old.width / now.width : 1;
  if (Math.abs(dx) < 1 && Math.abs(dy) < 1 && Math.abs(scale - 1) < 0.02) return null;
  return `translate(${dx}px, ${dy}px) scale(${scale})`;
}

/**
 * All begin and end at once, and wait within their own time: each beginning and each end costs the page some frames.
 * The transform alone moves without the page being drawn; what lies above what is no part of it.
 */
function slide(slides: readonly Slide[]): void {
  const duration = SLIDE + Math.max(0, ...slides.map((slide) => slide.after));
  for (const { element, way, after } of slides) {
    const frames = [
      ...(after > 0 ? [{ transform: way, offset: 0 }] : []),
      { transform: way, offset: after / duration, easing: EASE },
      { transform: 'none', offset: (after + SLIDE) / duration },
      ...(after + SLIDE < duration ? [{ transform: 'none', offset: 1 }] : []),
    ];
    const sliding = element.animate(frames, { duration });
    running.set(element, sliding);
    // A slot that nothing in it can make larger is a layer of its own: then it lies above the others with its card.
    const raised = element.closest<HTMLElement>('[data-slot]') ?? element;
    raised.style.zIndex = '5';
    sliding.onfinish = sliding.oncancel = () => {
      if (running.get(element) !== sliding) return; // it slides on
      running.delete(element);
      raised.style.removeProperty('z-index');
    };
  }
}

/**
 * Slots turn over: a back that lies on each for that long turns away, then its card turns up; the row's name comes when both
 * are done. Not the slot with all in it: what moves within what moves is drawn with the page, in every frame. And no
 * pseudo-element: each one's animation works out the page's style at once, and it would lie on every slot for ever.
 */
function turn(slots: readonly HTMLElement[]): void {
  const duration = TURN + ROW_AFTER_ROW * (ROWS.length - 1) + TURN;
  const [flat, edge] = ['perspective(600px) rotateY(0deg)', 'perspective(600px) rotateY(90deg)'];
  const rows = new Map<Element, number>();
  for (const slot of slots) {
    const begins =
      ROW_AFTER_ROW *
      Math.max(
        0,
        ROWS.findIndex((row) => row === slot.dataset['slot']?.split('.')[1]),
      );
    const [from, half, to] = [begins / duration, (begins + TURN / 2) / duration, (begins + TURN) / duration];
    const back = document.createElement('span');
    back.className = 'turning';
    slot.append(back);
    const turning = back.animate(
      [
        { opacity: 1, transform: flat },
        { opacity: 1, transform: flat, offset: from, easing: 'ease-in' },
        { opacity: 1, transform: edge, offset: half },
        { opacity: 0, transform: edge, offset: half },
        { opacity: 0, transform: edge },
      ],
      { duration },
    );
    turning.onfinish = turning.oncancel = () => back.remove();
    slot.firstElementChild?.animate(
      [
        { transform: edge },
        { transform: edge, offset: half, easing: 'ease-out' },
        { transform: flat, offset: to },
        { transform: flat },
      ],
      { duration },
    );
    const words = slot.closest('.row')?.querySelector('.words');
    if (words != null && words.textContent.trim() !== '') rows.set(words, begins + TURN);
  }
  for (const [words, begins] of rows) {
    words.animate(
      [
        { opacity: 0 },
        { opacity: 0, offset: begins / duration },
        { opacity: 1, offset: (begins + TURN) / duration },
        { opacity: 1 },
      ],
      { duration },
    );
  }
}
