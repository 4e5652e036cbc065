import { expect, test } from 'vitest';
import type { AnalysisLine } from './analysis.svelte';
import { mergeNearEqual, saferThanBest } from './nearEqual';

const line = (which: number, value: number, foul = 0.1, enters = 0.2): AnalysisLine => ({
  which,
  rows: [],
  thrown: [],
  value,
  error: 0.1,
  rollouts: 2200,
  parts: { rows: 0, royalties: 0, fantasyland: 0, fouls: 0 },
  foul,
  enters,
  close: false,
});
const groups = (lines: readonly AnalysisLine[], keep: readonly number[] = []): readonly (readonly number[])[] =>
  mergeNearEqual(lines, ({ which }) => keep.includes(which)).map((group) => [group.line.which, group.others]);

test('placements that are worth as much at the same risk are one', () => {
  expect(groups([line(0, 5), line(1, 4.99), line(2, 4.985), line(3, 4.9)])).toEqual([
    [0, 2],
    [3, 0],
  ]);
  expect(mergeNearEqual([line(0, 5), line(1, 4.99), line(2, 4.985)], () => false)[0]?.within).toBeCloseTo(0.015);
});

test('what was played stays, and so does another risk', () => {
  expect(groups([line(0, 5), line(1, 4.99), line(2, 4.99)], [2])).toEqual([
    [0, 1],
    [2, 0],
  ]);
  expect(groups([line(0, 5), line(1, 4.99, 0.3), line(2, 4.99, 0.1, 0.5)])).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
  ]);
});

test('a safer placement is named when it costs little', () => {
  const risky = line(0, 10.85, 0.64);
  expect(saferThanBest([risky, line(1, 10.67, 0.3)])?.which).toBe(1);
  expect(saferThanBest([risky, line(1, 10.67, 0.6)])).toBeNull();
  expect(saferThanBest([risky, line(1, 10.2, 0.1)])).toBeNull();
  expect(saferThanBest([])).toBeNull();
});
