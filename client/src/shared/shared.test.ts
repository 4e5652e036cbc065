import { afterEach, describe, expect, test, vi } from 'vitest';
import { sheet, view } from '../../testing/table';
import { ApiError } from '../api/http';
import type { RulesView, ScoreSheet, SeatView } from '../api/generated/types';
import { cardName, sortCards, sortByCombination } from '../cards/cards';
import { atTime, dayOf } from './dates';
import { save, load } from './storage';
import { language, m, matchLanguage } from './i18n.svelte';
import { presetFacts } from './games';
import { LatestRequest, toApiError } from './latestRequest';
import { limitsText } from './limits';
import { notices } from './notices.svelte';
import { storedText } from '../cards/rows';
import {
  amountsText,
  gameName,
  handName,
  isTablePoints,
  money,
  noBuyInText,
  paidTo,
  priceOf,
  seatName,
  signedNumber,
  signedMoney,
  moneyText,
} from './format';

afterEach(() => void vi.useRealTimers());

test('a list says for how many players a game is', () => {
  const preset = { summary: 'one deal', seats_min: 2, seats_max: 4 } as Parameters<typeof presetFacts>[0];
  expect(presetFacts(preset)).toBe('2–4 players · one deal');
  expect(presetFacts({ ...preset, seats_max: 2 })).toBe('2 players · one deal');
});

describe('points and money', () => {
  test('points always have their sign', () => {
    expect([7, -3, 0].map(signedNumber)).toEqual(['+7', '−3', '0']);
    expect([3.5, -2, 0].map(signedMoney)).toEqual(['+3.50', '−2', '0']);
  });

  test('amounts have their unit, whole ones no decimals', () => {
    expect(money(3.5, 'EUR')).toBe('3.50 EUR');
    expect(money(1200, 'EUR')).toBe('1,200 EUR');
    expect(money(1, 'point')).toBe('1 point');
    expect(money(2, 'point')).toBe('2 points');
    expect(moneyText(-5, { point: 0.5, unit: 'EUR' })).toBe('−2.50 EUR');
    expect(moneyText(10, { point: 1, unit: 'point' })).toBe('10');
    expect(
      amountsText([
        { amount: -2.5, unit: 'EUR' },
        { amount: 30, unit: 'point' },
      ]),
    ).toBe('−2.50 EUR · 30 points');
    expect(amountsText([{ amount: 30, unit: 'point' }])).toBe('30');
  });

  test('a price is said where points are worth something', () => {
    const rules = view().rules;
    expect(priceOf(rules)).toBeNull();
    expect(priceOf({ ...rules, stake_point: 0.5, stake_unit: 'EUR' })).toEqual({ point: 0.5, unit: 'EUR' });
    expect(priceOf({ ...rules, stake_point: 2 })).toEqual({ point: 2, unit: 'point' });
    expect(gameName({ title: 'Turbo', worth: 0.5, unit: 'EUR' } as never)).toMatch(/^Turbo.*0\.50 EUR/);
    expect(gameName({ title: 'Turbo', worth: 0, unit: '' } as never)).toBe('Turbo');
    expect(noBuyInText({ purse: 'book' } as RulesView)).not.toBe(noBuyInText({ purse: 'stacks' } as RulesView));
  });

  test('what a hand was paid is the sum of what moved, without the noise of fractions', () => {
    const paid: ScoreSheet = {
      ...sheet(1, { points: 3 }, { points: -3 }, {}),
      pairs: [
        { a: 0, b: 1, points: 3, moved: { points: 0.1, why: '' } },
        { a: 2, b: 0, points: 1, moved: { points: -0.2, why: '' } },
      ],
    } as unknown as ScoreSheet;
    expect(paid.hands.map((hand) => paidTo(paid, hand))).toEqual([0.3, -0.1, -0.2]);
    const table = sheet(1, { points: 4 }, { points: 0 });
    expect(isTablePoints(table)).toBe(true);
    expect(isTablePoints(paid)).toBe(false);
    expect(table.hands.map((hand) => paidTo(table, hand))).toEqual([4, 0]);
  });
});

describe('names', () => {
  test('one’s own hand is You, two boards of one player are numbered', () => {
    const two = sheet(1, { seat: 0 }, { seat: 1 }, { seat: 1, player: 'Bob' });
    expect([0, 1, 2, 7].map((hand) => handName(two, hand, 0))).toEqual(['You', 'Bob 1', 'Bob 2', 'Board 8']);
  });

  test('an empty seat has its number', () => {
    const seats = [{ name: 'Ann' }, { name: '' }, { name: 'Cem' }] as SeatView[];
    const now = view({ seats, you: 0 });
    expect([0, 1, 2].map((seat) => seatName(now, seat))).toEqual(['You', 'Seat 2', 'Cem']);
  });

  test('a name from right to left is isolated in a sentence', () => {
    expect(m.cards_rank_of_suit({ rank: 'דנה', suit: 'x' })).toContain('\u2068דנה\u2069');
  });
});

describe('cards', () => {
  test.each([
    ['Ah', 'ace of hearts'],
    ['Tc', '10 of clubs'],
    ['2d', '2 of diamonds'],
    ['X1', 'joker'],
    ['??', 'face-down card'],
  ])('%s is the %s', (card, name) => {
    expect(cardName(card).toLowerCase()).toBe(name);
  });

  test('sort by rank or by suit, jokers first; a finished row by its combination', () => {
    expect(sortCards(['2c', 'Ah', 'X1', 'As', 'Kd'], 'rank')).toEqual(['X1', 'As', 'Ah', 'Kd', '2c']);
    expect(sortCards(['2c', 'Ah', 'X1', 'As', 'Kd'], 'suit')).toEqual(['X1', 'As', 'Ah', '2c', 'Kd']);
    expect(sortByCombination(['2c', 'Kd', '2h', 'As'])).toEqual(['2h', '2c', 'As', 'Kd']);
    expect(sortByCombination(['Jd', '9h', '9s', 'Jc', '9d'])).toEqual(['9s', '9h', '9d', 'Jc', 'Jd']);
    expect(sortByCombination(['Ah', '3c', '5d', '2s', '4s'])).toEqual(['5d', '4s', '3c', '2s', 'Ah']);
    expect(sortByCombination(['5d', 'X1', '9c'])).toEqual(['X1', '9c', '5d']);
  });

  test('are stored as people write them', () => {
    expect(storedText('10h qh Q♥ x1')).toBe('Th Qh Qh X1');
  });
});

test('limits are said whole, half, and above', () => {
  expect([limitsText(1, 20), limitsText(0, null), limitsText(0, 1, false), limitsText(0, 9, false, true)]).toEqual([
    'A whole number from 1 to 20',
    'A whole number, 0 or more',
    'A number from 0 to 1',
    'A number above 0, up to 9',
  ]);
});

describe('times', () => {
  test('today a time, on another day the day too, in another year the year', () => {
    vi.useFakeTimers({ now: new Date(2030, 2, 1, 12) });
    const today = ({ time }: { time: string }): string => time;
    const other = ({ day, time }: { day: string; time: string }): string => `${day} ${time}`;
    expect(atTime(new Date(2030, 2, 1, 20, 5).getTime(), today, other)).toMatch(/8:05/);
    expect(atTime(new Date(2030, 2, 2, 20, 5).getTime(), today, other)).toMatch(/^Sat, Mar 2 .*8:05/);
    expect(dayOf(new Date(2031, 0, 2).getTime())).toMatch(/2031/);
    expect(dayOf(new Date(2030, 0, 2).getTime())).not.toMatch(/2030/);
  });
});

describe('what this browser keeps', () => {
  test('is found again; what is unreadable is nothing, and a full browser says so', () => {
    expect(save('a', { b: [1] })).toBe(true);
    expect(load('a')).toEqual({ b: [1] });
    localStorage.setItem('a', '{');
    expect(load('a')).toBeNull();
    const full = vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
      throw new Error('full');
    });
    expect(save('a', 1)).toBe(false);
    full.mockRestore();
  });
});

describe('language', () => {
  test('the first of the browser’s that is ours', () => {
    expect(matchLanguage(['de-AT', 'zh-Hans-CN', 'fi'])).toBe('zh');
    expect(matchLanguage(['FI-fi'])).toBe('fi');
    expect(matchLanguage(['de'])).toBe('en');
    expect(matchLanguage(['constructor', '__proto__'])).toBe('en');
  });

  test('is chosen, remembered and said', async () => {
    await language.choose('fi');
    expect([language.code, language.tag, language.chosen, document.documentElement.lang]).toEqual([
      'fi',
      'fi',
      'fi',
      'fi',
    ]);
    expect(m.common_you()).toBe('Sinä');
    expect(load('triptych.language')).toBe('fi');
    await language.choose('en');
    expect(m.common_you()).toBe('You');
  });

  test('the lobby’s messages come first, a table’s and all of them when a page asks, then in each language', async () => {
    vi.resetModules();
    const { language, m } = await import('./i18n.svelte');
    await language.choose('fi');
    expect([m.common_you(), m.review_a_deal()]).toEqual(['Sinä', '']);
    await language.complete('table');
    expect([m.sheet_review(), m.review_a_deal()]).toEqual([expect.stringMatching(/./), '']);
    await Promise.all([language.complete(), language.choose('en'), language.complete('table')]);
    expect(m.review_a_deal()).toBe('Review a deal');
    await language.choose('fi');
    expect(m.review_a_deal()).not.toMatch(/^$|Review/);
    await language.choose('en');
  });
});

describe('the latest of several questions', () => {
  test('only its answer counts, and what is out of date is not asked at all', async () => {
    const latest = new LatestRequest();
    const requests: string[] = [];
    const ask = (name: string): Promise<unknown> =>
      latest.ask(() => {
        requests.push(name);
        return Promise.resolve(name);
      });
    const answers = await Promise.all([ask('a'), ask('b'), ask('c')]);
    expect(answers.at(-1)).toEqual({ ok: true, value: 'c' });
    expect(answers.slice(0, 2)).toEqual([null, null]);
    expect(requests).not.toContain('b');
  });

  test('what is refused is told, what nobody wants any more is not', async () => {
    const latest = new LatestRequest();
    const refused = new ApiError({ code: 'x', message: 'no', path: '$.a' });
    expect(await latest.ask(() => Promise.reject(refused))).toEqual({ ok: false, error: refused.error });
    const late = latest.ask(() => Promise.resolve(1));
    latest.forget();
    expect(await late).toBeNull();
    expect(toApiError(new Error('anything')).code).toBe('failed');
  });

  test('a busy server is asked again', async () => {
    vi.useFakeTimers();
    const latest = new LatestRequest();
    let tries = 0;
    const answer = latest.ask(() =>
      (tries += 1) < 3
        ? Promise.reject(new ApiError({ code: 'server.busy', message: 'wait', path: '$' }))
        : Promise.resolve('there'),
    );
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await answer).toEqual({ ok: true, value: 'there' });
    expect(tries).toBe(3);
  });
});

describe('short words at the foot of the page', () => {
  test('come, go by themselves, and are three at most', () => {
    vi.useFakeTimers();
    for (const text of ['one', 'two', 'three', 'four']) notices.say(text);
    expect(notices.all.map(({ text }) => text)).toEqual(['two', 'three', 'four']);
    notices.dismiss(notices.all[0]?.id ?? 0);
    expect(notices.all).toHaveLength(2);
    vi.advanceTimersByTime(5_000);
    expect(notices.all).toEqual([]);
  });

  test('what is refused stands in the dialog that lies open', () => {
    vi.useFakeTimers();
    const dialog = { refused: vi.fn(), said: vi.fn() };
    const close = notices.within(dialog);
    const error = { code: 'x', message: 'no', path: '$.name' };
    notices.refuse(error);
    notices.say('bad', 'bad');
    notices.say('fine');
    expect(dialog.refused.mock.calls).toEqual([[error], [{ code: '', message: 'bad', path: '$' }]]);
    expect(dialog.said.mock.calls).toEqual([['fine']]);
    close();
    notices.refuse(error);
    expect(notices.all.map(({ text, tone }) => [text, tone])).toEqual([
      ['fine', 'plain'],
      ['no', 'bad'],
    ]);
    vi.advanceTimersByTime(5_000);
  });
});
