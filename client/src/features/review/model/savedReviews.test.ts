import { expect, test } from 'vitest';
import type { ReviewSetup } from '../../../api/generated/types';
import type { AnalysisLine } from '../../analyse/model/analysis.svelte';
import type { DecisionReview } from './decision';
import { packed, reviewArchive, unpacked, versionOf, type AccountReviews, type Found } from './savedReviews';

const line = (which: number): AnalysisLine => ({
  which,
  rows: [['Qc'], ['9h'], []],
  thrown: ['4s'],
  value: 10 - which,
  error: 0.2,
  rollouts: 2200,
  parts: { rows: 1, royalties: 2, fantasyland: 3, fouls: -1 },
  foul: 0.1,
  enters: 0.2,
  close: which < 2,
});

function decision(count: number, played: number): DecisionReview {
  const lines = Array.from({ length: count }, (_, which) => line(which));
  const [best, own] = [lines[0] as AnalysisLine, lines[played] as AnalysisLine];
  return {
    count,
    lines,
    best,
    played: own,
    lost: played,
    error: 0.1,
    exact: false,
    behind: played,
    close: false,
    counted: true,
  };
}

const FORM = { table: 'Friday', analysis: { weights: '/weights/1', closed: null } } as ReviewSetup;
const LATER = { ...FORM, analysis: { ...FORM.analysis, weights: '/weights/2' } };
const roundTrip = (reviews: Found): Found | null =>
  // As a server or another start of the browser gives it back.
  unpacked(JSON.parse(JSON.stringify(packed(FORM, reviews))) as ReturnType<typeof packed>);

test('a kept review has the best placements and the one that was played', () => {
  const reviews = roundTrip({ 3: decision(232, 100), 7: decision(2, 0) });
  expect(reviews?.[3]).toMatchObject({ count: 232, lost: 100, best: line(0), played: line(100) });
  expect(reviews?.[3]?.lines.map(({ which }) => which)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 100]);
  expect(reviews?.[7]?.lines).toHaveLength(2);
  // The page finds the played one among the lines.
  expect(reviews?.[7]?.played).toBe(reviews?.[7]?.lines[0]);
});

test('what was measured in another way is measured again', () => {
  const old = packed(FORM, { 0: decision(2, 1) });
  expect(versionOf(LATER)).not.toBe(old.version);
  expect(unpacked({ ...old, version: versionOf(LATER) })).toBeNull();
  expect(unpacked({ ...old, found: [{ ...(old.found[0] as (typeof old.found)[0]), played: 9 }] })).toBeNull();
  expect(unpacked(null)).toBeNull();
});

test('what an account keeps is there on another device; without a server there is nothing', async () => {
  const texts = new Map<string, string>();
  const api: AccountReviews = {
    me: () => Promise.reject(new Error('no database here')),
    savedReview: (table, deal) => Promise.resolve({ text: texts.get(`${table} ${deal}`) ?? '' }),
    saveReview: (table, deal, text) => {
      texts.set(`${table} ${deal}`, text);
      return Promise.resolve({ text });
    },
  };
  const review = packed(FORM, { 0: decision(2, 1) });
  expect(await reviewArchive(api, 't', 1).load()).toBeNull();
  await reviewArchive(api, 't', 1).save(review);
  expect(await reviewArchive(api, 't', 1).load()).toEqual(review);
  expect(await reviewArchive(api, 't', 2).load()).toBeNull();
  const away: AccountReviews = {
    ...api,
    savedReview: () => Promise.reject(new Error('away')),
    saveReview: () => Promise.reject(new Error('away')),
  };
  expect(await reviewArchive(away, 't', 1).load()).toBeNull();
  await reviewArchive(away, 't', 1).save(review);
});
