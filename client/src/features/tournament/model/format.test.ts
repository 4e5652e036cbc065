import { expect, test, vi } from 'vitest';
import type { TournamentItem, TournamentView } from '../../../api/generated/types';
import { begins, levelText, listed, tournamentStatus, wonBy } from './format';

const cup = (more: Partial<TournamentItem>): TournamentItem =>
  ({
    phase: 'open',
    players: 3,
    most: 8,
    left: 2,
    starts_at: null,
    winners: [],
    ...more,
  }) as unknown as TournamentItem;

test('how a tournament stands: who comes, who is left, who has won', () => {
  expect(tournamentStatus(cup({}))).toMatch(/3.*8.* · /);
  expect(tournamentStatus(cup({ phase: 'running' }))).toMatch(/2.*3/);
  expect(tournamentStatus(cup({ phase: 'over', winners: ['Ann'] }))).toContain('Ann');
  expect(tournamentStatus(cup({ phase: 'cancelled' }))).not.toContain('3');
});

test('several share the first place', () => {
  expect(listed(['Ann', 'Bob', 'Cem'])).toBe('Ann, Bob, and Cem');
  expect(wonBy(['Ann', 'Bob'])).toContain('Ann and Bob');
  expect(wonBy(['Ann'])).toContain('Ann');
});

test('it begins when it is full, or at its time, with the day where that is another one', () => {
  vi.useFakeTimers({ now: new Date(2030, 2, 1, 12) });
  expect(begins(new Date(2030, 2, 1, 20, 5).getTime())).toMatch(/8:05/);
  expect(begins(new Date(2030, 2, 2, 20, 5).getTime())).toMatch(/Mar 2.*8:05/);
  expect(begins(null)).toMatch(/full/i);
  vi.useRealTimers();
});

test('the level, and what ends it', () => {
  const at = (level: Partial<TournamentView['level']>, more: Partial<TournamentView> = {}): string =>
    levelText({
      rest_ends: null,
      rest_due: false,
      level: { number: 2, chips: 5, next_chips: null, next_at: null, deals_left: null, ...level },
      ...more,
    } as unknown as TournamentView);
  expect(at({})).toMatch(/2.*5/);
  expect(at({ next_chips: 20, deals_left: 3 })).toMatch(/20.*3/);
  expect(at({ next_chips: 20, next_at: Date.now() + 60_000 })).toMatch(/20/);
  expect(at({}, { rest_due: true })).toMatch(/break/i);
  expect(at({}, { rest_ends: Date.now() + 60_000 })).toMatch(/break/i);
});
