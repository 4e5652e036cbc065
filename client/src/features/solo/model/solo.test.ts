import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { MemoryDatabase } from '../../../../testing/database';
import { filled, formDesks, formOf, mine, place, playHere } from '../../../../testing/solo';
import type { Api, ToolsApi } from '../../../api/http';
import { prefs } from '../../../shared/prefs.svelte';
import { readSolo } from './link';
import { SoloPageState } from './solo.svelte';

const POSITION = '*QhQd6c/9s9d4h2c/8c8dAcAd_!9h8sKc~7h5d2d/TsTd4d3d2h/JcJdJsKh5h';
const api = { presets: () => Promise.resolve([]) } as unknown as Api;

beforeEach(() => {
  playHere();
  prefs.set({ motion: false });
  vi.stubGlobal('indexedDB', new MemoryDatabase());
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function opened(fragment = '', tools: ToolsApi = formDesks): Promise<SoloPageState> {
  const page = new SoloPageState(api, tools, 'pineapple', fragment);
  onTestFinished(() => page.close());
  await vi.waitFor(() =>
    expect(page.stage === 'playing' || (page.stage === 'setup' && (page.form ?? page.problem) !== null)).toBe(true),
  );
  return page;
}

describe('the address of a match on one’s own device', () => {
  test('is a position and rules, either of them missing', () => {
    expect(readSolo('turbo', '')).toEqual({ rules: { preset: 'turbo' }, position: null, broken: false });
    expect(readSolo(null, `#${POSITION}&scoring.rows=two_four`)).toMatchObject({
      rules: { preset: 'pineapple', 'scoring.rows': 'two_four' },
      broken: false,
      position: { me: 0 },
    });
    expect(readSolo('turbo', '#nonsense')).toMatchObject({ position: null, broken: true });
  });
});

describe('the page of a match on one’s own device', () => {
  test('sets one up, remembers the levels, and goes on with it after a reload', async () => {
    const page = await opened();
    expect([page.stage, page.levels, page.maxOpponents]).toEqual(['setup', ['medium'], 2]);
    page.choose(['fast', 'novice']);
    await page.start();
    const state = await mine(() => page.server);
    expect(state.levels).toEqual(['fast', 'novice']);
    place(page.server, filled(state, [2, 1, 0]));
    const then = await mine(() => page.server, state.version);
    const again = await opened();
    expect([again.stage, again.title]).toEqual(['playing', 'Pineapple']);
    expect((await mine(() => again.server)).asked?.cards).toEqual(then.asked?.cards);
    // Given up for a new one: the levels are still there.
    await again.restart();
    expect([again.stage, again.levels, again.match]).toEqual(['setup', ['fast', 'novice'], 2]);
  });

  test('kept levels that are none make way for one that is', async () => {
    localStorage.setItem('triptych.solo.levels', '["grandmaster"]');
    expect((await opened()).levels).toEqual(['medium']);
  });

  test('begins at a position, with as many opponents as lie there', async () => {
    const page = await opened(`#${POSITION}`);
    page.choose(['fast', 'fast']);
    await page.start();
    const state = await mine(() => page.server);
    expect(state.levels).toEqual(['fast']);
    expect(state.asked?.cards.map((card) => state.form.deck[card])).toEqual(['9h', '8s', 'Kc']);
  });

  test.each([
    ['#nonsense', formDesks],
    ['#*Qh/9s/8c_!9h8sKc~7h/Ts/Jc', formDesks],
    ['', { analysisForm: () => Promise.resolve({ ...formOf('pineapple'), player: null }) } as unknown as ToolsApi],
    ['', { analysisForm: () => Promise.reject(new Error('away')) } as unknown as ToolsApi],
  ])('says what cannot be played: %s', async (fragment, tools) => {
    const page = await opened(fragment, tools);
    expect(page.problem).toMatch(/./);
    expect(page.form).toBeNull();
    await page.start();
    expect(page.stage).toBe('setup');
  });
});
