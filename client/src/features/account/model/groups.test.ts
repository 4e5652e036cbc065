import { describe, expect, test } from 'vitest';
import { costliest, groupReviews, luckAndPlay, unreviewedFilter } from './groups';
import { EDGE, runningSums, scaleOf, stepAt } from '../../../shared/plot';
import { saveReviews, loadReviews, type RatedDeal } from './reviewedDeals';

const deal = (more: Partial<RatedDeal> = {}): RatedDeal => ({
  table: 't',
  name: 'Friday',
  deal: 1,
  match: 1,
  at: Date.UTC(2030, 2, 1),
  title: 'Pineapple',
  levels: {},
  made: [
    { street: 1, loss: 0.5, isRated: true },
    { street: 2, loss: 0, isRated: true },
  ],
  ...more,
});

describe('reviewed deals', () => {
  test('are kept and read again, the newest first, and what was not written here is left out', () => {
    const beside = {
      played: { fouled: true, royalties: 0, fantasyland: false },
      strong: { fouled: false, royalties: 9, fantasyland: true },
    };
    expect(
      saveReviews([
        deal({ deal: 1 }),
        deal({ deal: 2, at: Date.UTC(2030, 2, 2), beside }),
        deal({ deal: 3, at: 0, beside: null }),
      ]),
    ).toBe(true);
    expect(loadReviews()).toEqual([
      deal({ deal: 2, at: Date.UTC(2030, 2, 2), beside }),
      deal({ deal: 1 }),
      deal({ deal: 3, at: 0, beside: null }),
    ]);
    localStorage.setItem(
      'triptych.rated',
      JSON.stringify([null, 3, { table: 't' }, { ...deal(), made: [[1, 0.25, 1], 'x', [1]], beside: [1, 2] }]),
    );
    expect(loadReviews()).toEqual([deal({ made: [{ street: 1, loss: 0.25, isRated: true }] })]);
    localStorage.setItem('triptych.rated', '{}');
    expect(loadReviews()).toEqual([]);
  });

  test('are taken apart by street, game, match and week', () => {
    const deals = [deal(), deal({ deal: 2, title: 'Turbo', match: 2 }), deal({ deal: 3, at: Date.UTC(2030, 2, 20) })];
    expect(groupReviews(deals, 'all').map(({ rate }) => rate.decisions)).toEqual([6]);
    expect(groupReviews(deals, 'street').map(({ name, rate }) => [name, rate.decisions])).toEqual([
      ['1', 3],
      ['2', 3],
    ]);
    expect(groupReviews(deals, 'game').map(({ name }) => name)).toEqual(['Pineapple', 'Turbo']);
    expect(groupReviews(deals, 'match').map(({ name }) => name)).toEqual(['Friday, 1', 'Friday, 2']);
    expect(groupReviews(deals, 'week')).toHaveLength(2);
    expect(groupReviews([deal({ made: [] })], 'game')).toEqual([]);
  });

  test('luck and play are the result together', () => {
    const deals = [
      deal({ share: { result: 6, lost: 1.5 } }),
      deal({ deal: 2, share: { result: -10, lost: 2.25 } }),
      deal({ deal: 3 }),
    ];
    const sums = luckAndPlay(deals);
    expect(sums).toEqual({ deals: 2, result: -4, luck: -0.25, play: -3.75 });
    expect(sums.luck + sums.play).toBe(sums.result);
    saveReviews(deals);
    expect(luckAndPlay(loadReviews())).toEqual(sums);
  });

  test('the costliest placements come first, and what lost nothing never', () => {
    const decisions = [0.5, 0, 3, -0.2].map((loss, at) => ({ street: at + 1, loss, isRated: true }));
    const costly = costliest([deal(), deal({ deal: 2, made: decisions })], 2);
    expect(costly.map(({ deal: { deal: number }, street, lost }) => [number, street, lost])).toEqual([
      [2, 3, 3],
      [1, 1, 0.5],
    ]);
    expect(costliest([deal({ deal: 2, made: decisions })], 9)).toHaveLength(2);
  });

  test('a deal that is not among them is unknown', () => {
    const unknown = unreviewedFilter([deal()]);
    expect([unknown('t', 1), unknown('t', 2), unknown('u', 1)]).toEqual([false, true, true]);
  });
});

describe('a plot', () => {
  test('zero is always on it, and values lie between its edges', () => {
    const scale = scaleOf([3, -1, 5], 300, 100);
    expect([scale.least, scale.most]).toEqual([-1, 5]);
    expect(scale.y(5)).toBe(EDGE.top);
    expect(scale.y(-1)).toBe(100 - EDGE.bottom);
    expect(scaleOf([2, 4], 300, 100).least).toBe(0);
    expect(scaleOf([], 300, 100)).toMatchObject({ least: 0, most: 0 });
  });

  test('a place of the drawing is a step, never beyond the ends', () => {
    const scale = scaleOf([3, -1, 5], 300, 100);
    expect([0, 1, 2].map((step) => stepAt(scale, scale.x(step), 3))).toEqual([0, 1, 2]);
    expect([stepAt(scale, -50, 3), stepAt(scale, 900, 3)]).toEqual([0, 2]);
  });

  test('sums so far', () => {
    expect(runningSums([1, -3, 5])).toEqual([1, -2, 3]);
  });
});
