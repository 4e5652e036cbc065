import { createHash } from 'node:crypto';
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { MemoryDatabase } from '../../../../testing/database';
import { filled, formDesks, IdleWorker, mine, place, playHere } from '../../../../testing/solo';
import { prefs } from '../../../shared/prefs.svelte';
import { Daily } from './daily.svelte';
import { dayOf, seedOf } from './deal';
import { COMPARISON_BOTS } from './botResults';

const DAY = Date.UTC(2030, 2, 1, 20);
const HOUR = 3_600_000;

beforeEach(() => {
  playHere();
  prefs.set({ motion: false });
  vi.stubGlobal('indexedDB', new MemoryDatabase());
  vi.useFakeTimers({ toFake: ['Date'], now: DAY });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function opened(): Daily {
  const daily = new Daily(formDesks);
  onTestFinished(() => daily.close());
  return daily;
}

/** Press Play, where nothing was dealt yet. */
async function begin(daily: Daily): Promise<void> {
  await vi.waitFor(() => expect(daily.stage).not.toBe('opening'));
  if (daily.stage === 'ready') await daily.start();
}

async function cards(daily: Daily): Promise<string[]> {
  await begin(daily);
  const { asked, form } = await mine(() => daily.house);
  return asked?.cards.map((card) => form.deck[card] ?? '') ?? [];
}

/** Place one street and wait for the next thing that is asked, or the end. */
async function street(daily: Daily): Promise<void> {
  const state = await mine(() => daily.house);
  place(daily.house, filled(state, [2, 1, 0]));
  await mine(() => daily.house, state.version);
}

async function toTheEnd(daily: Daily): Promise<void> {
  await begin(daily);
  while (daily.points === null) {
    const state = await mine(() => daily.house);
    if (state.scored !== null) daily.house.next();
    else place(daily.house, filled(state, [2, 1, 0]));
    await vi.waitFor(
      () => expect(daily.points !== null || (daily.house.state?.version ?? -1) > state.version).toBe(true),
      { interval: 1 },
    );
  }
}

test('a day’s cards follow from its date in Greenwich, by the seed that everybody can work out', async () => {
  expect(dayOf(DAY)).toBe('2030-03-01');
  expect(seedOf('2030-03-01')).toBe(createHash('sha256').update('triptych 2030-03-01').digest('hex').slice(0, 16));
  const first = await cards(opened());
  expect(first).toHaveLength(5);
  vi.setSystemTime(DAY + 3 * HOUR);
  localStorage.clear();
  vi.stubGlobal('indexedDB', new MemoryDatabase());
  expect(await cards(opened())).toEqual(first);
  vi.setSystemTime(DAY + 5 * HOUR);
  expect(await cards(opened())).not.toEqual(first);
});

test('no card is dealt before the player has read what the deal is', async () => {
  const daily = opened();
  await vi.waitFor(() => expect(daily.stage).toBe('ready'));
  expect(daily.house.state).toBeNull();
});

test('a deal begun before midnight is played on after a reload; finished, it makes way for the next day’s', async () => {
  const before = opened();
  const first = await cards(before);
  await street(before);
  vi.setSystemTime(DAY + 24 * HOUR);
  const again = opened();
  expect(again.day).toBe('2030-03-01');
  const state = await mine(() => again.house);
  const lying = state.hands
    .find(({ seat }) => seat === 0)
    ?.rows.flatMap(({ cards: row }) => row.map((card) => state.form.deck[card]));
  expect(lying?.toSorted()).toEqual(first.toSorted());
  await toTheEnd(again);
  const next = opened();
  expect(next.day).toBe('2030-03-02');
  expect(await cards(next)).not.toEqual(first);
});

test('a deal that was only looked at before midnight makes way for the new day’s', async () => {
  await cards(opened());
  vi.setSystemTime(DAY + 24 * HOUR);
  expect(opened().day).toBe('2030-03-02');
  // And nobody is led two days back.
  localStorage.setItem('triptych.daily.unfinished', '"2030-02-27"');
  expect(opened().day).toBe('2030-03-02');
});

test('nobody plays a day twice: its result stays', async () => {
  const daily = opened();
  await toTheEnd(daily);
  expect(daily.shows).toBe(true);
  expect(JSON.parse(localStorage.getItem('triptych.daily') ?? '{}')).toEqual({ '2030-03-01': daily.points });
  const again = opened();
  await vi.waitFor(() => expect(again.points).toBe(daily.points));
  expect(again.shows).toBe(true);
});

test('what others made of the cards is compared as it comes', async () => {
  const daily = opened();
  await toTheEnd(daily);
  const worker = IdleWorker.made.at(-1);
  expect(worker?.posted).toEqual([
    {
      key: 'daily 2030-03-01',
      setup: expect.objectContaining({ seed: seedOf('2030-03-01'), levels: ['medium'], games: 1 }),
    },
  ]);
  expect(daily.better).toBeNull();
  const points = daily.points ?? 0;
  const come = (level: string | null, points: number): void => {
    worker?.onmessage?.({ data: { level, points, streets: [] } });
    flushSync();
  };
  come(null, points);
  expect(daily.mine?.points).toBe(points);
  come('strong', points + 3);
  expect(daily.better).toBe(0);
  come('novice', points - 5);
  come('fast', points);
  come('strong', points + 7);
  expect(daily.better).toBe(1.5 / 4);
  expect(daily.best?.points).toBe(points + 7);
  expect(daily.whole).toBe(false);
  const most = COMPARISON_BOTS.reduce((sum, [, times]) => sum + times, 0);
  expect(most).toBe(15);
  for (let n = 4; n < most; n += 1) come('medium', points);
  expect(daily.whole).toBe(true);
  worker?.onerror?.({ message: 'no memory' });
  expect(daily.problem).toBe('no memory');
});

test('without a server, and nothing kept, the page says so', async () => {
  const daily = new Daily({ analysisForm: () => Promise.reject(new Error('away')) } as never);
  await begin(daily);
  expect(daily.stage).toBe('failed');
  expect(daily.problem).toContain('away');
  daily.close();
});
