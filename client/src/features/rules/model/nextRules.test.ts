import { flushSync } from 'svelte';
import { describe, expect, test, vi } from 'vitest';
import { OPTIONS, VALUES } from '../../../../testing/rules';
import type { Api, ToolsApi } from '../../../api/http';
import type { EditedRules } from '../../../api/generated/types';
import { customRules } from './customRules.svelte';
import { NextRules } from './nextRules.svelte';

const edited = (
  values: Readonly<Record<string, unknown>>,
  overrides: Readonly<Record<string, unknown>> = {},
  changes: EditedRules['changes'] = [],
): EditedRules =>
  ({
    title: String(values['title']),
    preset_title: '',
    values: { 'stake.unit': 'point', ...VALUES, ...values },
    overrides,
    changes,
    problems: [],
    sections: [],
    toml: '',
    preset: 'pineapple',
  }) as unknown as EditedRules;

const TABLE = edited(
  { title: 'Pineapple', 'stake.point': 0.5, 'stake.unit': 'EUR', 'clock.seconds': 45, 'seats.max': 2 },
  { 'stake.point': 0.5, 'stake.unit': 'EUR', 'clock.seconds': 45, 'seats.max': 2 },
  [{ key: 'seats.max', now: 2, before: 3 }],
);
const TURBO = edited({ title: 'Turbo' });

async function opened(desk: Partial<ToolsApi> = {}): Promise<NextRules> {
  const api = { rules: () => Promise.resolve({ coming: '', toml: 'x' }) } as unknown as Api;
  const tools = {
    options: () => Promise.resolve(OPTIONS),
    readRules: () => Promise.resolve(TABLE),
    editRules: () => Promise.resolve(TURBO),
    ...desk,
  } as unknown as ToolsApi;
  const next = new NextRules(api, tools, 'friday');
  await vi.waitFor(() => expect(next.ready || next.problem !== null).toBe(true));
  flushSync();
  return next;
}

describe('the rules of the next match', () => {
  test('are at first those in force: nothing is asked', async () => {
    const next = await opened();
    expect([next.point, next.unit, next.seconds]).toEqual([0.5, 'EUR', 45]);
    expect(next.rules).toEqual({});
    expect(next.changes).toEqual([]);
  });

  test('only what is typed is laid over them, and said before and after', async () => {
    const next = await opened();
    next.point = 2;
    next.seconds = 60;
    expect(next.rules).toEqual({ 'stake.point': 2, 'clock.seconds': 60 });
    expect(next.changes.map(({ key, before, now }) => [key, before, now])).toEqual([
      ['stake.point', '0.50 EUR', '2 EUR'],
      ['clock.seconds', '45', '60'],
    ]);
    next.point = null;
    next.unit = '  ';
    next.seconds = null;
    expect(next.rules).toEqual({});
  });

  test('another game keeps the table’s price and time, and says what of its own rules goes', async () => {
    const next = await opened();
    await next.choose('turbo');
    expect([next.point, next.unit, next.seconds]).toEqual([0.5, 'EUR', 45]);
    expect(next.rules).toEqual({ preset: 'turbo', 'stake.point': 0.5, 'stake.unit': 'EUR', 'clock.seconds': 45 });
    expect(next.changes.map(({ key, before, now }) => [key, before, now])).toEqual([['game', 'Pineapple', 'Turbo']]);
    expect(next.dropped.map(({ key, before, now }) => [key, before, now])).toEqual([['seats.max', '2', '3']]);
    await next.choose('');
    expect([next.rules, next.dropped]).toEqual([{}, []]);
  });

  test('a game with a price of its own brings it', async () => {
    const next = await opened({
      editRules: () => Promise.resolve(edited({ 'stake.point': 5 }, { 'stake.point': 5 })),
    });
    await next.choose('dear');
    expect([next.point, next.unit]).toEqual([5, 'EUR']);
  });

  test('rules of one’s own are asked for by what they change', async () => {
    customRules.save('Sunday', 'turbo', { 'seats.max': 2 });
    const spec = vi.fn(() => Promise.resolve(TURBO));
    const next = await opened({ editRules: spec as never });
    await next.choose(customRules.all[0]?.id ?? '');
    expect(spec).toHaveBeenCalledWith({ preset: 'turbo', 'seats.max': 2 });
    customRules.remove(customRules.all[0]?.id ?? '');
    expect(customRules.all).toEqual([]);
  });

  test('what cannot be had is said', async () => {
    const next = await opened({ readRules: () => Promise.reject(new Error('away')) });
    expect(next.problem).not.toBeNull();
    const gone = await opened({ editRules: () => Promise.reject(new Error('away')) });
    await gone.choose('turbo');
    expect([gone.problem !== null, gone.ready]).toEqual([true, false]);
  });
});

describe('rules of one’s own', () => {
  test('the same title takes the place of the old ones; what was taken out is brought back', () => {
    customRules.save('Sunday', 'turbo', {});
    customRules.save('Monday', 'turbo', {});
    customRules.save('Sunday', 'pineapple', { 'seats.max': 2 });
    expect(customRules.all.map(({ title, preset }) => [title, preset])).toEqual([
      ['Sunday', 'pineapple'],
      ['Monday', 'turbo'],
    ]);
    const [sunday] = customRules.all;
    if (sunday === undefined) throw new Error('nothing is kept');
    customRules.remove(sunday.id);
    expect(customRules.find(sunday.id)).toBeUndefined();
    customRules.restore(sunday);
    expect(customRules.find(sunday.id)).toEqual(sunday);
    for (const { id } of customRules.all) customRules.remove(id);
  });
});
