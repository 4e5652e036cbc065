import { describe, expect, test } from 'vitest';
import { cards, NOTHING, task } from '../../../../testing/table';
import {
  canPut,
  canSwapRows,
  clear,
  discarded,
  exchange,
  inTray,
  isComplete,
  lay,
  put,
  room,
  rowOf,
  setAside,
  startPlacement,
  swapRows,
  takeBack,
} from './placement';

const first = startPlacement(task('Ah Ks Kd 9c 5d'));
const third = startPlacement(task('Qh 6s 5c', { open: { front: 1, middle: 3, back: 2 } }));

describe('cards on their way to the rows', () => {
  test('a card goes to a row with room, once', () => {
    const now = put(first, 'Ah', 'front');
    expect(now.layout).toEqual({ ...NOTHING, front: ['Ah'] });
    expect(rowOf(now, 'Ah')).toBe('front');
    expect(put(now, 'Ah', 'front')).toBe(now);
    expect(put(now, 'Qc', 'back')).toBe(now);
    expect(put(now, 'Ah', 'back').layout).toEqual({ ...NOTHING, back: ['Ah'] });
  });

  test('a full row takes no more, and no more cards are placed than are asked for', () => {
    const full = put(put(put(first, 'Ah', 'front'), 'Ks', 'front'), 'Kd', 'front');
    expect(room(full, 'front')).toBe(0);
    expect(canPut(full, '9c', 'front')).toBe(false);
    const two = put(put(third, 'Qh', 'front'), '6s', 'back');
    expect(isComplete(two)).toBe(true);
    expect(canPut(two, '5c', 'middle')).toBe(false);
    expect(canPut(two, 'Qh', 'middle')).toBe(true);
  });

  test('what is left over when all is placed is discarded by itself', () => {
    const first = put(third, 'Qh', 'front');
    expect(discarded(first)).toEqual([]);
    expect(inTray(first)).toEqual(['6s', '5c']);
    const second = put(first, '6s', 'back');
    expect(discarded(second)).toEqual(['5c']);
    expect(inTray(second)).toEqual([]);
  });

  test('a card is discarded by hand, taken back and replaced by another', () => {
    const away = setAside(third, '6s');
    expect(discarded(away)).toEqual(['6s']);
    expect(inTray(away)).toEqual(['Qh', '5c']);
    expect(setAside(away, '6s')).toBe(away);
    expect(discarded(setAside(away, '5c'))).toEqual(['5c']);
    expect(discarded(takeBack(away, '6s'))).toEqual([]);
    expect(put(away, '6s', 'back').aside).toEqual([]);
    expect(setAside(first, 'Ah')).toBe(first);
  });

  test('cards change places, also with one in the tray', () => {
    const now = put(put(first, 'Ah', 'front'), 'Ks', 'back');
    expect(exchange(now, 'Ah', 'Ks').layout).toEqual({ front: ['Ks'], middle: [], back: ['Ah'] });
    expect(exchange(now, 'Ah', '9c').layout).toEqual({ front: ['9c'], middle: [], back: ['Ks'] });
  });

  test('rows are swapped where both fit', () => {
    const now = put(put(first, 'Ah', 'middle'), 'Ks', 'back');
    expect(swapRows(now, 'middle', 'back').layout).toEqual({ front: [], middle: ['Ks'], back: ['Ah'] });
    const four = ['Ah', 'Ks', 'Kd', '9c'].reduce((so, card) => put(so, card, 'back'), first);
    expect(canSwapRows(four, 'front', 'back')).toBe(false);
    expect(swapRows(four, 'front', 'back')).toBe(four);
    expect(canSwapRows(first, 'middle', 'back')).toBe(false);
  });

  test('a proposal is laid when it is of these cards and fits', () => {
    const layout = { front: ['9c'], middle: cards('Ks Kd'), back: cards('Ah 5d') };
    expect(lay(first, layout).layout).toEqual(layout);
    expect(lay(first, { ...layout, front: ['Qc'] })).toBe(first);
    expect(lay(third, { front: cards('Qh 6s'), middle: [], back: [] })).toBe(third);
    expect(lay(third, { front: [], middle: cards('Qh 6s 5c'), back: [] })).toBe(third);
    expect(clear(lay(first, layout)).layout).toEqual(NOTHING);
  });
});
