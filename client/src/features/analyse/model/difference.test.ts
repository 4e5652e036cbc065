import { expect, test } from 'vitest';
import { largestDifferences } from './difference';
import type { AnalysisLine, Parts } from './analysis.svelte';

const parts = (rows: number, royalties: number, fantasyland: number, fouls: number): Parts => ({
  rows,
  royalties,
  fantasyland,
  fouls,
});
const ZERO = parts(0, 0, 0, 0);
const line = (net: Parts, sides?: AnalysisLine['sides']): AnalysisLine => ({
  which: 0,
  rows: [],
  thrown: [],
  value: 0,
  error: 0,
  rollouts: 1,
  parts: net,
  ...(sides && { sides }),
  foul: 0,
  enters: 0,
  close: false,
});

/** The parts are the own ones less the opponents'. */
const sided = (own: Parts, opponents: Parts): AnalysisLine =>
  line(
    parts(
      own.rows - opponents.rows,
      own.royalties - opponents.royalties,
      own.fantasyland - opponents.fantasyland,
      own.fouls - opponents.fouls,
    ),
    { own, opponents },
  );

test('what a hand brings itself stands apart from what its opponents bring, in points that it receives', () => {
  const best = sided(parts(3, 9, 2, -0.5), parts(2, 4, 1, -1));
  const other = sided(parts(2.8, 2.9, 2, -0.7), parts(2, 4, 3, -2.2));
  const differences = largestDifferences(best, other).map(({ part, side, points }) => [
    part,
    side,
    Number(points.toFixed(2)),
  ]);
  expect(differences).toEqual([
    ['royalties', 'own', -6.1],
    ['fantasyland', 'opponents', -2],
    ['fouls', 'opponents', 1.2],
  ]);
});

test('two sides that cancel each other are told all the same', () => {
  const differences = largestDifferences(sided(ZERO, ZERO), sided(parts(0, 1, 0, 0), parts(0, 1, 0, 0)));
  expect(differences.map(({ side, points }) => [side, points])).toEqual([
    ['own', 1],
    ['opponents', -1],
  ]);
});

test('rows have no sides', () => {
  const differences = largestDifferences(
    sided(parts(2, 0, 0, 0), parts(1, 0, 0, 0)),
    sided(parts(1, 0, 0, 0), parts(2, 0, 0, 0)),
  );
  expect(differences).toEqual([{ part: 'rows', side: 'both', points: -2 }]);
});

test('where the sides of one of them are not known, as of puzzles, the parts are told as they are', () => {
  const best = line(parts(1, 2, 0, 0));
  const differences = largestDifferences(best, sided(parts(1, 5, 0, 0), parts(0, 4, 0, 0)));
  expect(differences).toEqual([{ part: 'royalties', side: 'both', points: -1 }]);
});

test('what is small beside the largest part is not named, and nothing is named of equal placements', () => {
  const differences = largestDifferences(line(ZERO), line(parts(-10, 1.4, -1.6, 0)));
  expect(differences.map(({ part }) => part)).toEqual(['rows', 'fantasyland']);
  expect(largestDifferences(line(ZERO), line(ZERO))).toEqual([]);
});
