// Pointers on the board: a short press is a tap, a moved one drags the card. Works the same with mouse, pen and
// touch. The pages' buttons stay buttons: keyboard and screen reader reach them as clicks.

export interface DragEvents {
  /** A press without movement on a card, a row or the tray; `card` when it was on a card of this street. */
  tap(card: string | null, zone: string | null): void;
  /** A card has begun to move. */
  start(card: string): void;
  /** The zone under the moving card has changed. */
  over(zone: string | null): void;
  /** The card was let go over a zone; `onto` is another card of this street under the pointer. */
  drop(card: string, zone: string | null, onto: string | null): void;
  cancel(): void;
}

const FAR = 6;

interface Press {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly element: HTMLElement | null;
  readonly card: string | null;
  readonly zone: string | null;
  moving: boolean;
}

/** An attachment: listens on `root`, where cards have `data-mine` and places to drop have `data-zone`. */
export function drag(root: HTMLElement, events: DragEvents): () => void {
  let press: Press | null = null;

  const under = (x: number, y: number): { zone: string | null; onto: string | null } => {
    let zone: string | null = null;
    let onto: string | null = null;
    for (const element of document.elementsFromPoint(x, y)) {
      if (!(element instanceof HTMLElement) || element.closest('[data-mine]') === press?.element) continue;
      onto ??= element.closest<HTMLElement>('[data-mine]')?.dataset['mine'] ?? null;
      zone ??= element.closest<HTMLElement>('[data-zone]')?.dataset['zone'] ?? null;
    }
    return { zone, onto };
  };

  const down = (event: PointerEvent): void => {
    if (press !== null || event.button !== 0 || !(event.target instanceof Element)) return;
    const element = event.target.closest<HTMLElement>('[data-mine]');
    const zone = event.target.closest<HTMLElement>('[data-zone]')?.dataset['zone'] ?? null;
    if (element === null && (zone === null || event.target.closest('[data-plain]') !== null)) return;
    press = {
      id: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      element,
      card: element?.dataset['mine'] ?? null,
      zone,
      moving: false,
    };
  };

  const move = (event: PointerEvent): void => {
    if (press?.id !== event.pointerId || press.element === null || press.card === null) return;
    const dx = event.clientX - press.x;
    const dy = event.clientY - press.y;
    if (!press.moving) {
      if (Math.hypot(dx, dy) < FAR) return;
      press.moving = true;
      press.element.setPointerCapture(press.id);
      press.element.dataset['dragging'] = '';
      events.start(press.card);
    }
    press.element.style.transform = `translate(${dx}px, ${dy}px) scale(1.06)`;
    events.over(under(event.clientX, event.clientY).zone);
  };

  const up = (event: PointerEvent): void => {
    if (press?.id !== event.pointerId) return;
    const { card, zone, moving } = press;
    const target = moving ? under(event.clientX, event.clientY) : null;
    if (target !== null && card !== null) events.drop(card, target.zone, target.onto);
    else if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < FAR * 2) events.tap(card, zone);
    settle();
  };

  const cancel = (event: PointerEvent): void => {
    if (press?.id !== event.pointerId) return;
    settle();
    events.cancel();
  };

  const settle = (): void => {
    const element = press?.element;
    press = null;
    if (!element) return;
    // After the redraw, so that a dropped card slides from where it was let go.
    requestAnimationFrame(() => {
      element.style.transform = '';
      delete element.dataset['dragging'];
    });
  };

  // A press on a card must not take the keyboard's focus away from the table, but out of a text field: the keys that move
  // cards would be typed there.
  const keepFocus = (event: MouseEvent): void => {
    if (
      !(event.target instanceof Element) ||
      event.target.closest('[data-mine], [data-zone]') === null ||
      event.target.closest('[data-plain]') !== null
    )
      return;
    event.preventDefault();
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && focused.matches('input, textarea, select, [contenteditable]'))
      focused.blur();
  };

  root.addEventListener('pointerdown', down);
  root.addEventListener('mousedown', keepFocus);
  window.addEventListener('pointermove', move);
  window.addEventListener('pointerup', up);
  window.addEventListener('pointercancel', cancel);
  return () => {
    root.removeEventListener('pointerdown', down);
    root.removeEventListener('mousedown', keepFocus);
    window.removeEventListener('pointermove', move);
    window.removeEventListener('pointerup', up);
    window.removeEventListener('pointercancel', cancel);
  };
}
