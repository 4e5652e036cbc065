// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { at, draw, press, seen } from '../../../../testing/drawn';
import { formOf, playHere } from '../../../../testing/solo';
import { choices, LessonChecker } from '../model/checker';
import type { LessonState } from '../model/lesson.svelte';
import { LESSONS, type Step } from '../model/lessons';
import Count from './Count.svelte';
import Pick from './Pick.svelte';

let judge: LessonChecker;
let answers: { right: boolean; why: string }[] = [];
const lessonOf = (boards: readonly string[] | 'own' = []): LessonState =>
  ({
    verdict: null,
    boards,
    answer: (right: boolean, why: string) => answers.push({ right, why }),
  }) as unknown as LessonState;

beforeEach(async () => {
  playHere();
  answers = [];
  judge = await LessonChecker.of(formOf('pineapple'));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const step = <Kind extends Step['kind']>(
  number: number,
  which: number,
  kind: Kind,
): Extract<Step, { kind: Kind }> => {
  const step = LESSONS[number - 1]?.steps[which];
  expect(step?.kind).toBe(kind);
  return step as Extract<Step, { kind: Kind }>;
};

test.each([
  [2, 'the second board fouls', [false, true, false]],
  [3, 'the third board earns most', [false, false, true]],
] as const)('lesson %i: %s', (number, _, right) => {
  draw(Pick, { step: step(number, 0, 'pick'), judge, lesson: lessonOf() });
  right.forEach((_, which) => press(`pick-${which}`));
  expect(answers.map((answer) => answer.right)).toEqual(right);
  expect(answers.every(({ why }) => why !== '')).toBe(true);
  expect(at('pick-2').getAttribute('aria-pressed')).toBe('true');
});

test.each([
  [3, 1, 9],
  [6, 0, 2],
  [6, 1, 19],
] as const)('lesson %i, step %i: only %i is right of all that can be chosen', (number, which, truth) => {
  const of = step(number, which, 'count');
  draw(Count, { step: of, judge, lesson: lessonOf(of.boards) });
  for (const choice of choices(truth)) {
    answers = [];
    press(`count-${choice}`);
    expect(answers).toEqual([
      { right: choice === truth, why: expect.stringMatching(new RegExp(`\\b${truth} in all`)) },
    ]);
  }
  expect(seen(`count-${truth + 100}`)).toBeNull();
});

test('a scoop and royalties are said row by row', () => {
  const of = step(6, 1, 'count');
  draw(Count, { step: of, judge, lesson: lessonOf(of.boards) });
  press('count-19');
  expect(answers[0]?.why).toMatch(/front \+1, middle \+1, back \+1, .*\+3, .*\+13/i);
});

test('choices hold the truth, what is near it and its opposite, in order', () => {
  expect(choices(9)).toEqual([-9, 6, 8, 9, 11]);
  expect(choices(0)).toEqual([-3, -1, 0, 2]);
});
