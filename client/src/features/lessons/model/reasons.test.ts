import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { formOf, playHere } from '../../../../testing/solo';
import { lowerFirst } from '../../../cards/handNames';
import { LessonChecker } from './checker';
import { foulReason, handsOf, orderReason } from './reasons';

let checker: LessonChecker;
beforeEach(async () => {
  playHere();
  checker = await LessonChecker.of(formOf('pineapple'));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test.each([
  ['QhQd7c/JsJd9c8h2c/AcAdTcTh3s', 'Front (pair of queens) beats middle (pair of jacks), so this board fouls.'],
  [
    '8h8d3c/KsKdJcJh4s/7c7d6h2s9d',
    'Middle (two pair, kings and jacks) beats back (pair of sevens), so this board fouls.',
  ],
])('a foul names both hands: %s', (board, why) => {
  const hand = checker.hand(board);
  expect(checker.fouls(board)).toBe(true);
  expect(foulReason(hand)).toBe(why);
});

test('a board in order has no reason to foul, and all its hands are named', () => {
  const hand = checker.hand('8h8d3c/KsKdJc9h4s/7c7d7h2s2d');
  expect(foulReason(hand)).toBe('');
  expect(handsOf(hand)[2]).toBe('Full house, sevens over deuces');
  for (const name of handsOf(hand)) expect(orderReason(hand)).toContain(lowerFirst(name));
});
