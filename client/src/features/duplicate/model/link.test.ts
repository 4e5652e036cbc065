import { describe, expect, test } from 'vitest';
import { abovePar, meanWithInterval, comparePlayers, total } from './compare';
import { duplicatePath, MAX_NAME_LENGTH, mergeResults, readDuplicate, type Match, type Result } from './link';

const MATCH: Match = {
  rules: { preset: 'pineapple', 'scoring.rows': 'two_four' },
  seed: '0123456789abcdef',
  deals: 3,
  level: 'medium',
};
const ann: Result = { name: 'Ann', seat: 0, points: [5, -3, 0] };
const bob: Result = { name: 'Bob & Söhne:1', seat: 1, points: [-1, 2, 8] };
const fragment = (path: string): string => path.slice(path.indexOf('#'));

describe('a duplicate match as an address', () => {
  test('is read as it is written, names and rules too', () => {
    const path = duplicatePath(MATCH, [ann, bob]);
    expect(path.startsWith('/duplicate/pineapple#seed=0123456789abcdef&deals=3&level=medium&played=')).toBe(true);
    expect(readDuplicate('pineapple', fragment(path))).toEqual({
      rules: MATCH.rules,
      match: MATCH,
      results: [ann, bob],
      broken: false,
    });
  });

  test('names rules alone where no match was begun', () => {
    expect(readDuplicate('turbo', '#scoring.rows=two_four')).toEqual({
      rules: { preset: 'turbo', 'scoring.rows': 'two_four' },
      match: null,
      results: [],
      broken: false,
    });
    expect(readDuplicate(null, '').rules.preset).toBe('pineapple');
  });

  test.each(['seed=0123', 'deals=0', 'deals=101', 'deals=2.5', 'level=easy'])('with %s it is broken', (wrong) => {
    const [key = ''] = wrong.split('=');
    const parts = ['seed=0123456789abcdef', 'deals=3', 'level=medium'].map((part) =>
      part.startsWith(`${key}=`) ? wrong : part,
    );
    expect(readDuplicate('pineapple', parts.join('&'))).toMatchObject({ match: null, broken: true });
  });

  test.each([
    'played=Ann:2:5,-3,0',
    'played=Ann:0:5,-3',
    'played=Ann:0:5,-3,x',
    'played=%E0%A4%A:0:1,2,3',
    'played=Ann',
  ])('a result that cannot be read, %s, leaves the others', (wrong) => {
    const read = readDuplicate('pineapple', `${fragment(duplicatePath(MATCH, [ann]))}&${wrong}`);
    expect(read).toMatchObject({ results: [ann], broken: true, match: MATCH });
  });

  test('each result stands once, a long name is cut', () => {
    expect(mergeResults([ann, bob, { ...ann }, { ...ann, points: [5, -3, 1] }])).toHaveLength(3);
    const long = readDuplicate('pineapple', fragment(duplicatePath(MATCH, [{ ...ann, name: 'x'.repeat(40) }])));
    expect(long.results[0]?.name).toHaveLength(MAX_NAME_LENGTH);
  });
});

describe('results of the same decks', () => {
  test('who had the same cards is compared deal by deal', () => {
    const [pair] = comparePlayers([ann, { ...bob, seat: 0 }], []);
    expect(pair).toMatchObject({ first: 0, second: 1, ahead: [6, -5, -8] });
    expect(pair?.sum.mean).toBeCloseTo(-7 / 3);
  });

  test('who had the others’ cards is compared by points above par, once that is known', () => {
    expect(comparePlayers([ann, bob], [])).toEqual([]);
    expect(comparePlayers([ann, bob], [1, 2])).toEqual([]);
    const par = [1, 2, 3];
    expect(abovePar(ann, par)).toEqual([4, -5, -3]);
    expect(abovePar(bob, par)).toEqual([0, 4, 11]);
    expect(comparePlayers([ann, bob], par)[0]?.ahead).toEqual([4, -9, -14]);
  });

  test('a mean has its interval, one deal has none', () => {
    expect(meanWithInterval([4])).toEqual({ mean: 4, half: null });
    // 1, 2, 3: standard error 1/√3, Student's t of 2 degrees 4.303.
    expect(meanWithInterval([1, 2, 3]).half).toBeCloseTo(4.303 / Math.sqrt(3), 2);
    expect(total([1, -3, 5])).toBe(3);
  });
});
