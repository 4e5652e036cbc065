import { expect, test } from 'vitest';
import type { RulesView } from '../../../api/generated/types';
import { ASK_BEFORE, asksForTime } from './readingPause';

const NOW = 1_000_000;
const view = (next_at: number | null, clocked = false, may: readonly string[] = ['wait']) => ({
  next_at,
  may,
  rules: { clocked } as unknown as RulesView,
});

test('more time is asked for shortly before the next deal, while something is read', () => {
  expect(asksForTime(view(NOW + ASK_BEFORE), true, NOW)).toBe(true);
  expect(asksForTime(view(NOW + ASK_BEFORE + 1), true, NOW)).toBe(false);
  expect(asksForTime(view(NOW + 1), false, NOW)).toBe(false);
});

test('not by the clock, not where no deal comes, not where it may not be asked', () => {
  expect(asksForTime(view(NOW, true), true, NOW)).toBe(false);
  expect(asksForTime(view(null), true, NOW)).toBe(false);
  expect(asksForTime(view(NOW, false, []), true, NOW)).toBe(false);
});
