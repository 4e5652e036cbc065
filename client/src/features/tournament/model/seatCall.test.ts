import { describe, expect, test } from 'vitest';
import type { TournamentView } from '../../../api/generated/types';
import { isDone, tableToGoTo } from './seatCall';

const view = (more: Partial<TournamentView>, you: Partial<TournamentView['you']> = {}): TournamentView =>
  ({
    phase: 'running',
    may: [],
    ...more,
    you: { player: 'ann', table: 'cup-1', place: 1, out: false, ...you },
  }) as unknown as TournamentView;

describe('a player of a tournament', () => {
  test('is taken to each new table once, and nowhere while there is none', () => {
    expect(tableToGoTo(view({}), '', null)).toBe('cup-1');
    expect(tableToGoTo(view({}), 'cup-1', null)).toBeNull();
    expect(tableToGoTo(view({}, { table: 'cup-2' }), 'cup-1', 'cup-1')).toBe('cup-2');
    expect(tableToGoTo(view({}), '', 'cup-1')).toBeNull();
    expect(tableToGoTo(view({}, { table: '' }), '', null)).toBeNull();
    expect(tableToGoTo(view({ phase: 'over' }), '', null)).toBeNull();
  });

  test('is followed until it is over for them', () => {
    expect(isDone(view({}))).toBe(false);
    expect(isDone(view({ phase: 'open' }))).toBe(false);
    expect(isDone(view({ phase: 'over' }))).toBe(true);
    expect(isDone(view({ phase: 'cancelled' }))).toBe(true);
    expect(isDone(view({}, { player: '' }))).toBe(true);
    expect(isDone(view({}, { out: true }))).toBe(true);
    expect(isDone(view({ may: ['register'] }, { out: true }))).toBe(false);
  });
});
