// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { deal, Line, task, view } from '../../../../testing/table';
import type { TableView } from '../../../api/generated/types';
import { prefs } from '../../../shared/prefs.svelte';
import { isTableShortcut, numberedCards, pressKey } from './keys';
import { drop, tapCard, tapZone } from './gestures';
import { discarded } from './placement';
import { TableState } from './tableState.svelte';

const FIVE = 'Ah Ks Kd 9c 5d';
const THIRTEEN = 'Ah Ac Ks Qd Jh Td 9c 8s 7h 5d 4c 3s 2h';
const dealt = (text: string, more: Partial<TableView> = {}): TableView =>
  view({ deal: deal(1, [task(text)]), yours: true, ...more });

beforeEach(() => {
  vi.useFakeTimers();
  prefs.set({ sorting: 'rank', sound: true });
});
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

function seated(now: TableView): { table: TableState; line: Line; press: (...keys: string[]) => boolean } {
  const line = new Line();
  const table = new TableState('friday', line.connect);
  onTestFinished(() => table.close());
  line.open();
  line.show(now);
  return { table, line, press: (...keys) => keys.map((key) => pressKey(table, event(key))).every(Boolean) };
}

const event = (key: string, more: KeyboardEventInit = {}): KeyboardEvent =>
  new KeyboardEvent('keydown', { key, bubbles: true, ...more });
const layout = (table: TableState): unknown => table.placing.active?.now.layout;

describe('keys in a street', () => {
  test('numbers lift, letters place, Backspace takes back, Enter confirms', async () => {
    const { table, line, press } = seated(dealt(FIVE));
    expect(press('1', 'q', '1', 'w', '1', 'e')).toBe(true);
    expect(layout(table)).toEqual({ front: ['Ah'], middle: ['Ks'], back: ['Kd'] });
    press('Backspace');
    expect(layout(table)).toEqual({ front: ['Ah'], middle: ['Ks'], back: [] });
    press('1', 'e', '1', 'e', '1', 'e');
    expect(table.placing.isComplete).toBe(true);
    press('Enter');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(line.asked.at(-1)).toEqual({
      do: 'place',
      hand: 0,
      layout: { front: ['Ah'], middle: ['Ks'], back: ['Kd', '9c', '5d'] },
    });
  });

  test('Enter does nothing before all is placed', async () => {
    const { line, press } = seated(dealt(FIVE));
    press('1', 'q', 'Enter');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(line.asked.map((request) => (request as { do: string }).do)).toEqual(['arrange']);
  });

  test('a certain foul is asked about first, and placed anyway', async () => {
    const { table, line, press } = seated(dealt(FIVE));
    press('1', 'q', '1', 'w', '1', 'e', '1', 'e', '1', 'e');
    const now = layout(table) as TableView['deal'];
    line.show(dealt(FIVE, { v: 2, deal: deal(1, [task(FIVE, { layout: now as never, legal: false })]) }));
    press('Enter');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(table.confirmingFoul).toBe(true);
    expect(line.asked.filter((request) => (request as { do: string }).do === 'place')).toEqual([]);
    await table.placeAnyway();
    expect(table.confirmingFoul).toBe(false);
    expect(line.asked.at(-1)).toMatchObject({ do: 'place' });
  });

  test('a number with Shift held counts by its key, and a card that lies is lifted off its row', () => {
    const { table } = seated(dealt(FIVE));
    pressKey(table, event('#', { code: 'Digit3', shiftKey: true }));
    expect(table.placing.lifted).toBe('Kd');
    pressKey(table, event('E', { shiftKey: true }));
    expect(layout(table)).toEqual({ front: [], middle: [], back: ['Kd'] });
    expect(numberedCards(table)).toEqual(['Ah', 'Ks', '9c', '5d', 'Kd']);
    pressKey(table, event('5'));
    expect(layout(table)).toEqual({ front: [], middle: [], back: [] });
    expect(table.placing.lifted).toBe('Kd');
  });

  test('the last card left goes without being lifted, Escape lets go, arrows go round', () => {
    const { table, press } = seated(dealt(FIVE));
    press('ArrowRight');
    expect(table.placing.lifted).toBe('Ah');
    press('ArrowRight', 'ArrowRight');
    expect(table.placing.lifted).toBe('Kd');
    press('ArrowLeft');
    expect(table.placing.lifted).toBe('Ks');
    press('Escape');
    expect(table.placing.lifted).toBeNull();
    press('ArrowLeft');
    expect(table.placing.lifted).toBe('5d');
    press('e', '1', 'e', '1', 'e', '1', 'e');
    press('w');
    expect(layout(table)).toEqual({ front: [], middle: ['9c'], back: ['5d', 'Ah', 'Ks', 'Kd'] });
  });

  test('a card is discarded by its key and taken back', () => {
    const { table, press } = seated(dealt('Qh 6s 5c'));
    const now = (): NonNullable<typeof table.placing.active>['now'] => table.placing.active?.now as never;
    press('2', 'd');
    expect(discarded(now())).toEqual(['6s']);
    press('3', 'e', '1', 'w');
    expect(layout(table)).toEqual({ front: [], middle: ['Qh'], back: ['6s'] });
    expect(discarded(now())).toEqual(['5c']);
    expect(pressKey(table, event('d'))).toBe(false);
  });

  test('a key that is for nothing is left to the browser', () => {
    const { press } = seated(dealt(FIVE));
    for (const key of ['x', 'Tab', '9', 's', 'r']) expect(press(key), key).toBe(false);
  });

  test('a natural is claimed by its key', () => {
    const { line, press } = seated(view({ deal: deal(1, [task(THIRTEEN, { natural: 'dragon' })]) }));
    press('n');
    expect(line.asked).toEqual([{ do: 'natural', hand: 0 }]);
  });
});

describe('thirteen cards', () => {
  test('lie in a fan, sorted by rank or by suit', () => {
    const { table, press } = seated(dealt(THIRTEEN));
    const byRank = numberedCards(table);
    expect(byRank.slice(0, 3)).toEqual(['Ah', 'Ac', 'Ks']);
    press('r');
    expect(prefs.sorting).toBe('suit');
    expect(numberedCards(table).slice(0, 3)).toEqual(['Ks', '8s', '3s']);
    press('r');
    expect(numberedCards(table)).toEqual(byRank);
  });

  test('numbers count along what is left; rows are swapped', () => {
    const { table, press } = seated(dealt(THIRTEEN));
    for (const row of ['e', 'w']) for (let n = 0; n < 5; n += 1) press('1', row);
    const before = layout(table);
    expect(before).toEqual({
      front: [],
      middle: ['Td', '9c', '8s', '7h', '5d'],
      back: ['Ah', 'Ac', 'Ks', 'Qd', 'Jh'],
    });
    press('s');
    expect(layout(table)).toEqual({
      front: [],
      middle: ['Ah', 'Ac', 'Ks', 'Qd', 'Jh'],
      back: ['Td', '9c', '8s', '7h', '5d'],
    });
    press('Backspace');
    expect(layout(table)).toEqual(before);
    expect(press('a')).toBe(false);
  });

  test('0 is the tenth card', () => {
    const { table, press } = seated(dealt(THIRTEEN));
    press('0');
    expect(table.placing.lifted).toBe('5d');
  });
});

describe('keys between streets', () => {
  test('Enter begins the next deal, once', () => {
    const me = { seat: 0, player: 'ann', ready: false } as TableView['seats'][number];
    const { line, press } = seated(view({ phase: 'showdown', may: ['ready'], seats: [me] }));
    press('Enter');
    expect(line.asked).toEqual([{ do: 'ready' }]);
    line.show(view({ v: 2, phase: 'showdown', may: ['ready'], seats: [{ ...me, ready: true }] }));
    expect(press('Enter')).toBe(false);
  });

  test('p and u answer whether to play, and other keys do not', () => {
    const { line, press } = seated(view({ deal: deal(1, [task('', { kind: 'announce', hand: 1 })]) }));
    expect(press('x')).toBe(false);
    press('p');
    press('u');
    expect(line.asked).toEqual([
      { do: 'announce', hand: 1, play: true },
      { do: 'announce', hand: 1, play: false },
    ]);
  });

  test('m switches the sound', () => {
    const { press } = seated(view());
    press('m');
    expect(prefs.sound).toBe(false);
    press('m');
    expect(prefs.sound).toBe(true);
  });
});

describe('what is the table’s', () => {
  const keyAt = (html: string, selector: string, more: KeyboardEventInit = {}): KeyboardEvent => {
    document.body.innerHTML = html;
    const pressed = event('e', more);
    document.querySelector(selector)?.dispatchEvent(pressed);
    return pressed;
  };

  test.each(['input', 'textarea', 'select'])('letters that are written into a %s move no card', (name) => {
    expect(isTableShortcut(keyAt(`<${name} id="x"></${name}>`, '#x'))).toBe(false);
  });

  test('nothing is placed behind a dialog, nor by a shortcut of the browser', () => {
    expect(isTableShortcut(keyAt('<dialog open><button id="x"></button></dialog>', '#x'))).toBe(false);
    expect(isTableShortcut(keyAt('<dialog open></dialog><main id="x"></main>', '#x'))).toBe(false);
    expect(isTableShortcut(keyAt('<main id="x"></main>', '#x', { ctrlKey: true }))).toBe(false);
    expect(isTableShortcut(keyAt('<main id="x"></main>', '#x', { metaKey: true }))).toBe(false);
    expect(isTableShortcut(keyAt('<main id="x"></main>', '#x'))).toBe(true);
  });

  test('a focused button is pressed by its own keys; a focused card goes to a row', () => {
    const { table } = seated(dealt(FIVE));
    document.body.innerHTML = '<button id="x" data-mine="9c"></button>';
    const at = (key: string): KeyboardEvent => {
      const pressed = event(key);
      document.querySelector('#x')?.dispatchEvent(pressed);
      return pressed;
    };
    expect(pressKey(table, at('Enter'))).toBe(false);
    pressKey(table, at('q'));
    expect(layout(table)).toEqual({ front: ['9c'], middle: [], back: [] });
  });
});

describe('taps and drags', () => {
  test('a tap lifts, places, takes back and lifts again', () => {
    const { table } = seated(dealt(FIVE));
    tapCard(table, 'Ah');
    tapZone(table, 'front');
    expect(layout(table)).toEqual({ front: ['Ah'], middle: [], back: [] });
    tapCard(table, 'Ah');
    expect(table.placing.lifted).toBe('Ah');
    tapZone(table, 'tray');
    expect(table.placing.lifted).toBeNull();
    expect(layout(table)).toEqual({ front: [], middle: [], back: [] });
  });

  test('a full row takes no more: the lifted card takes the place of the one that is tapped', () => {
    const { table } = seated(dealt(FIVE));
    for (const card of ['Ah', 'Ks', 'Kd']) table.placing.put(card, 'front');
    tapCard(table, '9c');
    expect(table.placing.canPut('front')).toBe(false);
    expect(table.placing.canPut('back')).toBe(true);
    tapZone(table, 'front');
    expect(table.placing.lifted).toBeNull();
    tapCard(table, '9c');
    tapCard(table, 'Ks');
    expect(layout(table)).toEqual({ front: ['Ah', '9c', 'Kd'], middle: [], back: [] });
  });

  test('a dragged card lies where it is let go, and beside every row it is back in the tray', () => {
    const { table } = seated(dealt(FIVE));
    drop(table, 'Ah', 'front', null);
    drop(table, 'Ah', 'back', null);
    expect(layout(table)).toEqual({ front: [], middle: [], back: ['Ah'] });
    drop(table, 'Ah', 'back', null);
    drop(table, 'Ah', null, null);
    expect(layout(table)).toEqual({ front: [], middle: [], back: [] });
    for (const card of ['Ah', 'Ks', 'Kd']) drop(table, card, 'front', null);
    drop(table, '9c', 'front', 'Ks');
    expect(layout(table)).toEqual({ front: ['Ah', '9c', 'Kd'], middle: [], back: [] });
    drop(table, '5d', 'front', null);
    expect(layout(table)).toEqual({ front: ['Ah', '9c', 'Kd'], middle: [], back: [] });
  });
});
