import { expect, test } from 'vitest';
import { deal, sheet, task, view } from '../../../../testing/table';
import type { ClockView } from '../../../api/generated/types';
import { tableEvents, timeRunningOut } from './soundEvents';

const waiting = view({ phase: 'waiting' });
const FIVE = 'Ah Ks Kd 9c 5d';
const dealt = view({ deal: deal(1, []) });
const yourTurn = view({ deal: deal(1, [task(FIVE)]), yours: true });

test('a deal that begins, and a turn in it, are heard once each', () => {
  expect(tableEvents(waiting, dealt)).toEqual(['deal']);
  expect(tableEvents(waiting, yourTurn)).toEqual(['deal', 'turn']);
  expect(tableEvents(dealt, yourTurn)).toEqual(['turn']);
  expect(tableEvents(yourTurn, yourTurn)).toEqual([]);
  expect(tableEvents(yourTurn, { ...yourTurn, v: 2, prompt: 'Still your turn' })).toEqual([]);
  expect(tableEvents(yourTurn, dealt)).toEqual([]);
});

test('each street is a turn, and so is a question after the last one', () => {
  expect(tableEvents(yourTurn, view({ deal: deal(1, [task('2c 3c 4c')]) }))).toEqual(['turn']);
  expect(tableEvents(yourTurn, view({ deal: deal(1, [task('', { kind: 'announce' })]) }))).toEqual(['turn']);
  // A second board of one's own is another question.
  expect(tableEvents(yourTurn, view({ deal: deal(1, [task(FIVE), task(FIVE, { hand: 1 })]) }))).toEqual(['turn']);
});

test('a foul and a fantasyland are heard when the deal is settled, and not again', () => {
  const landed = view({ phase: 'showdown', sheet: sheet(1, { fantasyland: 14 }, {}) });
  const fouled = view({ phase: 'showdown', sheet: sheet(2, {}, { status: 'foul' }) });
  const both = view({ phase: 'showdown', sheet: sheet(3, { fantasyland: 15 }, { status: 'foul' }) });
  expect(tableEvents(yourTurn, landed)).toEqual(['fantasyland']);
  expect(tableEvents(landed, landed)).toEqual([]);
  expect(tableEvents(landed, fouled)).toEqual(['foul']);
  expect(tableEvents(yourTurn, both)).toEqual(['foul', 'fantasyland']);
  expect(tableEvents(yourTurn, view({ phase: 'showdown', sheet: sheet(4, {}, {}) }))).toEqual([]);
  // The sheet of the deal before still lies there when the next one begins.
  expect(tableEvents(both, view({ deal: deal(4, []), sheet: both.sheet }))).toEqual(['deal']);
});

test('a table that is looked at while nobody plays is silent', () => {
  expect(
    tableEvents(waiting, view({ phase: 'waiting', talk: [{ at: 1, who: 'Bob', text: 'hello', seat: 1 }] })),
  ).toEqual([]);
});

const clock = (seat: number, started: number, ends: number): ClockView => ({
  hand: 0,
  seat,
  started,
  street_ends: ends,
  bank_ends: ends,
});

test('time runs out ten seconds before the end, or at half of a shorter time', () => {
  expect(timeRunningOut(view({ clocks: [clock(0, 1_000, 61_000)] }))).toBe(51_000);
  expect(timeRunningOut(view({ clocks: [clock(0, 0, 8_000)] }))).toBe(4_000);
});

test('only the viewer’s own clock warns, while it runs', () => {
  expect(timeRunningOut(view())).toBeNull();
  expect(timeRunningOut(view({ clocks: [clock(1, 0, 60_000)] }))).toBeNull();
  expect(timeRunningOut(view({ clocks: [clock(0, 0, 60_000)], phase: 'showdown' }))).toBeNull();
  expect(
    timeRunningOut({ ...view({ clocks: [clock(0, 0, 60_000)] }), paused: 5 } as unknown as ReturnType<typeof view>),
  ).toBeNull();
});
