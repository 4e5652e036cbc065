// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { cardKeyInput } from './cardInput';

test('rank, then suit, anywhere on a page but in a field or a dialog', () => {
  const [put, takeBack] = [vi.fn(), vi.fn()];
  const type = cardKeyInput(put, takeBack);
  const press = (key: string, more: KeyboardEventInit = {}, within = '<main id="x"></main>'): boolean => {
    document.body.innerHTML = within;
    const event = new KeyboardEvent('keydown', { key, cancelable: true, bubbles: true, ...more });
    document.querySelector('#x')?.dispatchEvent(event);
    type(event);
    return event.defaultPrevented;
  };
  expect([press('q'), press('h'), press('T'), press('C')]).toEqual([true, true, true, true]);
  expect(put.mock.calls).toEqual([['Qh'], ['Tc']]);
  // A suit without a rank, a key between the two, a shortcut, a field: no card.
  for (const key of ['h', 'k', 'x', 'h']) press(key);
  press('k', { ctrlKey: true });
  press('h');
  for (const field of [
    '<input id="x" />',
    '<dialog open><p id="x"></p></dialog>',
    '<div popover><p id="x"></p></div>',
  ])
    expect([press('a', {}, field), press('s', {}, field)]).toEqual([false, false]);
  expect(put).toHaveBeenCalledTimes(2);
  press('Backspace');
  expect(takeBack).toHaveBeenCalledOnce();
});
