// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../api/http';
import type { Replay } from '../../../api/generated/types';
import { ReplayState } from './replay.svelte';

const REPLAY = { frames: [0, 1, 2, 3].map((at) => ({ at })) } as unknown as Replay;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function opened(step = 0): Promise<ReplayState> {
  const state = new ReplayState(step);
  await state.load(() => Promise.resolve(REPLAY));
  return state;
}

const press = (
  state: ReplayState,
  key: string,
  more: KeyboardEventInit = {},
  target: Element | null = null,
): boolean => {
  const event = new KeyboardEvent('keydown', { key, cancelable: true, bubbles: true, ...more });
  target?.dispatchEvent(event);
  state.key(event);
  return event.defaultPrevented;
};

test('begins at the step of its address, never beyond the last', async () => {
  expect((await opened(2)).at).toBe(2);
  expect((await opened(9)).at).toBe(3);
});

test('plays on by itself to the end, and from the beginning once more', async () => {
  const state = await opened();
  state.toggle();
  vi.advanceTimersByTime(1_400);
  expect([state.at, state.playing]).toEqual([1, true]);
  state.step(-1);
  expect([state.at, state.playing]).toEqual([0, false]);
  state.toggle();
  vi.advanceTimersByTime(10_000);
  expect([state.at, state.playing, state.ended]).toEqual([3, false, true]);
  state.toggle();
  expect([state.at, state.playing]).toEqual([0, true]);
  state.close();
  vi.advanceTimersByTime(10_000);
  expect(state.at).toBe(0);
});

test('arrows step, Home and End jump, the space bar plays; other keys and fields are left alone', async () => {
  const state = await opened();
  expect(press(state, 'ArrowRight')).toBe(true);
  expect(state.at).toBe(1);
  press(state, 'End');
  expect(state.at).toBe(3);
  press(state, 'ArrowLeft');
  press(state, 'Home');
  expect(state.at).toBe(0);
  press(state, ' ');
  expect(state.playing).toBe(true);
  press(state, ' ');
  expect(state.playing).toBe(false);
  expect(press(state, 'x')).toBe(false);
  expect(press(state, 'ArrowRight', { ctrlKey: true })).toBe(false);
  document.body.innerHTML = '<input id="i" /><button id="b"></button>';
  expect(press(state, 'ArrowRight', {}, document.querySelector('#i'))).toBe(false);
  expect(press(state, ' ', {}, document.querySelector('#b'))).toBe(false);
  expect(state.at).toBe(0);
});

test('what cannot be read is said, in a text with its place', async () => {
  const state = new ReplayState();
  const refused = (): Promise<Replay> =>
    Promise.reject(new ApiError({ code: 'x', message: 'no card', path: '$.deals[0]' }));
  await state.load(refused);
  expect(state.problem).toBe('no card');
  await state.load(refused, true);
  expect(state.problem).toBe('deals[0]: no card');
  expect(state.frame).toBeNull();
  await state.load(() => Promise.resolve(REPLAY));
  expect(state.problem).toBeNull();
  expect(state.frame).toEqual({ at: 0 });
});
