import { expect, test } from 'vitest';
import { MIN_DECISIONS, nearestLevel, rateOf, studentT, weekOf } from './rate';

const decision = (loss: number, isRated = true): { street: number; loss: number; isRated: boolean } => ({
  street: 1,
  loss,
  isRated,
});

test('points lost a counted decision, with an interval from two deals on', () => {
  expect(rateOf([])).toEqual({ lost: 0, half: null, decisions: 0, deals: 0 });
  expect(rateOf([[decision(1), decision(3), decision(9, false)], []])).toEqual({
    lost: 2,
    half: null,
    decisions: 2,
    deals: 1,
  });
  // Sums 4 and 0 of two each: lost 1, deviations +2 and −2, spread 8; Student's t of one degree.
  const rate = rateOf([
    [decision(1), decision(3)],
    [decision(0), decision(0)],
  ]);
  expect(rate).toMatchObject({ lost: 1, decisions: 4, deals: 2 });
  expect(rate.half).toBeCloseTo((12.7062 * Math.sqrt(2 * 8)) / 4);
});

test('Student’s t, by tables', () => {
  for (const [freedom, t] of [
    [1, 12.706],
    [2, 4.303],
    [5, 2.571],
    [10, 2.228],
    [30, 2.042],
    [1_000, 1.962],
  ] as const)
    expect(studentT(freedom)).toBeCloseTo(t, 2);
});

test('the level that loses as much is named, once there are decisions enough', () => {
  const levels = { strong: 0.04, medium: 0.16, novice: 1 };
  const rate = { lost: 0.09, half: null, decisions: MIN_DECISIONS, deals: 30 };
  expect(nearestLevel(levels, { ...rate, lost: 0.05 })).toBe('strong');
  expect(nearestLevel(levels, { ...rate, lost: 0.2 })).toBe('medium');
  expect(nearestLevel(levels, { ...rate, lost: 3 })).toBe('novice');
  expect(nearestLevel(levels, { ...rate, decisions: MIN_DECISIONS - 1 })).toBeNull();
  expect(nearestLevel({}, rate)).toBeNull();
});

test('weeks as ISO 8601 counts them', () => {
  const at = (year: number, month: number, day: number): number => new Date(year, month - 1, day, 12).getTime();
  expect([
    weekOf(at(2026, 11, 22)),
    weekOf(at(2026, 11, 23)),
    weekOf(at(2027, 1, 3)),
    weekOf(at(2027, 1, 4)),
    weekOf(at(2024, 12, 30)),
  ]).toEqual(['2026-W47', '2026-W48', '2026-W53', '2027-W01', '2025-W01']);
});
