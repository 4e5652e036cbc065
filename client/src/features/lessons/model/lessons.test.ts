import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { filled, formDesks, formOf, mine, place, playHere } from '../../../../testing/solo';
import { prefs } from '../../../shared/prefs.svelte';
import { describeRow } from '../../../cards/handNames';
import { LessonChecker, positionOf } from './checker';
import { LessonState, lessonsDone } from './lesson.svelte';
import { GAMES, LESSONS, type Step } from './lessons';

const [FRONT_FIRST, BACK_FIRST] = [
  [0, 1, 2],
  [2, 1, 0],
];

beforeEach(() => {
  playHere();
  prefs.set({ motion: false }); // the bots answer at once
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function begun(number: number): Promise<LessonState> {
  const lesson = new LessonState(formDesks, number);
  onTestFinished(() => lesson.close());
  await vi.waitFor(() => expect(lesson.judge ?? lesson.problem).not.toBeNull());
  expect(lesson.problem).toBeNull();
  expect(lesson.at).toBe(0);
  return lesson;
}

const told = (lesson: LessonState): Promise<{ right: boolean; why: string }> =>
  vi.waitFor(
    () => {
      if (lesson.told === null) throw new Error('not yet');
      expect(lesson.told.why, 'an answer has no reason').not.toBe('');
      return lesson.told;
    },
    { interval: 1 },
  );

/** Lay the cards of a step's position: "Qs" of the back, and so on. */
async function laid(
  lesson: LessonState,
  front: string,
  middle: string,
  back: string,
): Promise<{ right: boolean; why: string }> {
  await mine(() => lesson.house);
  place(
    lesson.house as never,
    [front, middle, back].map((row) => row.match(/.{2}/g) ?? []),
  );
  return await told(lesson);
}

/** Play the step's deal, high cards first into the rows in an order. */
async function played(lesson: LessonState, order: readonly number[]): Promise<{ right: boolean; why: string }> {
  for (let version = -1; ;) {
    const state = await mine(() => lesson.house, version);
    if (state.scored !== null) return await told(lesson);
    version = state.version;
    place(lesson.house as never, filled(state, order));
  }
}

/** Do the lesson's last step until it was wrong and right, and nothing but a legal board was right. */
async function lastStep(lesson: LessonState): Promise<void> {
  const { number } = lesson;
  expect(lesson.last).toBe(true);
  for (let wrong = 0, good = false, tries = 0; ; tries += 1) {
    expect(tries, 'no deal came out').toBeLessThan(60);
    const { right, why } = await played(lesson, wrong === 0 ? FRONT_FIRST : BACK_FIRST);
    const state = lesson.house?.state;
    const hand = state?.scored?.hands[state.hands.findIndex(({ seat }) => seat === 0)];
    const board = hand?.cards.map((row) => row.map((card) => state?.form.deck[card]).join('')).join('/') ?? '';
    const judge = await LessonChecker.of(state?.form as never);
    expect(right).toBe(!judge.fouls(board));
    expect(why).toContain(String(Math.abs(state?.points[0] ?? 0)));
    expect(state?.over).toBe(true);
    if (right && wrong > 0) {
      expect(lessonsDone()).toContain(number);
      lesson.next();
      expect(lesson.last).toBe(true);
      return;
    }
    good ||= right;
    expect(lessonsDone().includes(number)).toBe(good);
    if (!right) wrong += 1;
    lesson.again();
    await vi.waitFor(() => expect(lesson.told).toBeNull());
  }
}

const step = <Kind extends Step['kind']>(lesson: LessonState, kind: Kind): Step & { kind: Kind } => {
  expect(lesson.step.kind).toBe(kind);
  return lesson.step as Step & { kind: Kind };
};

describe('lesson 1, rows', () => {
  test('a legal board is right, its rows have their names, and the deal is one deal', async () => {
    const lesson = await begun(1);
    const { right, why } = await laid(lesson, '7c', '9h2d', 'Qs');
    expect(right).toBe(true);
    expect(why).not.toBe('');
    const { scored, form, hands } = lesson.house?.state ?? {};
    const mineAt = hands?.findIndex(({ seat }) => seat === 0) ?? -1;
    const hand = scored?.hands[mineAt];
    const names = hand?.cards.map((row, at) =>
      describeRow(
        hand,
        at,
        row.map((card) => form?.deck[card] ?? ''),
        false,
      ),
    );
    expect(names).toEqual(['Pair 55', 'Three of a kind 999', 'Three of a kind QQQ']);
    lesson.next();
    await lastStep(lesson);
  });

  test('a foul is wrong, and can be tried again', async () => {
    const lesson = await begun(1);
    // Two pairs below a pair of nines would need the queen elsewhere: the middle loses its order.
    const { right } = await laid(lesson, '7c', 'Qs9h', '2d');
    expect(right).toBe(false);
    lesson.again();
    await vi.waitFor(() => expect(lesson.told).toBeNull());
    expect((await laid(lesson, '7c', '9h2d', 'Qs')).right).toBe(true);
  });
});

describe('lesson 2, fouls', () => {
  test('a board is picked; a foul that is placed is wrong', async () => {
    const lesson = await begun(2);
    step(lesson, 'pick');
    lesson.answer(false, 'no');
    expect(lesson.told).toEqual({ right: false, why: 'no' });
    lesson.answer(true, 'yes');
    lesson.next();
    expect(lesson.at).toBe(1);
    expect(lesson.told).toBeNull();
    step(lesson, 'place');
    expect((await laid(lesson, '', 'Kc', '8s')).right).toBe(false);
    lesson.again();
    await vi.waitFor(() => expect(lesson.told).toBeNull());
    expect((await laid(lesson, '', '9h', '8s')).right).toBe(true);
    lesson.next();
    await lastStep(lesson);
  });
});

describe('lesson 3, royalties', () => {
  test('a board is picked, royalties are counted, a deal is played', async () => {
    const lesson = await begun(3);
    step(lesson, 'pick');
    lesson.answer(true, 'yes');
    lesson.next();
    step(lesson, 'count');
    lesson.answer(true, 'yes');
    lesson.next();
    await lastStep(lesson);
  });
});

describe('lesson 4, fantasyland', () => {
  test('only queens in front bring one, which is played in the same match; only a legal one is right', async () => {
    const lesson = await begun(4);
    step(lesson, 'place');
    expect((await laid(lesson, '6s', '9c', '')).right).toBe(false);
    lesson.again();
    await vi.waitFor(() => expect(lesson.told).toBeNull());
    expect((await laid(lesson, 'Qd', '6s', '')).why).toContain('14');
    expect(lesson.told?.right).toBe(true);
    lesson.next();
    await vi.waitFor(() => expect(lesson.at).toBe(1));
    step(lesson, 'fantasyland');
    expect(lesson.told).toBeNull();
    const state = await mine(() => lesson.house);
    expect(state.asked?.cards).toHaveLength(14);
    expect((await played(lesson, FRONT_FIRST)).right).toBe(false);
    expect(lessonsDone()).toEqual([]);
    // Again: back to the street that earns it.
    lesson.again();
    expect(lesson.at).toBe(0);
    await vi.waitFor(() => expect(lesson.told).toBeNull());
    expect((await laid(lesson, 'Qd', '6s', '')).right).toBe(true);
  });
});

describe('lesson 5, what to throw away', () => {
  test('only the most royalties within reach are right', async () => {
    const lesson = await begun(5);
    const place5 = step(lesson, 'place');
    const judge = await LessonChecker.of(formOf('pineapple'));
    expect(judge.best(positionOf(place5.position))).toBeGreaterThan(0);
    expect((await laid(lesson, '', 'Jc', 'Qs')).right).toBe(false);
    lesson.again();
    await vi.waitFor(() => expect(lesson.told).toBeNull());
    expect((await laid(lesson, '', 'Jc', 'Ah')).right).toBe(true);
    lesson.next();
    await lastStep(lesson);
  });
});

describe('lesson 6, who pays whom', () => {
  test('two counts, then a deal', async () => {
    const lesson = await begun(6);
    step(lesson, 'count');
    lesson.answer(true, 'yes');
    lesson.next();
    step(lesson, 'count');
    lesson.answer(true, 'yes');
    lesson.next();
    await lastStep(lesson);
  });
});

test('the lessons’ own boards and positions are whole, and their games are known', () => {
  expect(LESSONS).toHaveLength(6);
  for (const { steps } of LESSONS) {
    for (const one of steps) {
      if ('boards' in one)
        for (const board of one.boards) expect(board.split('/').map((row) => row.length / 2)).toEqual([3, 5, 5]);
      if ('position' in one) expect(positionOf(one.position).hands).toHaveLength(2);
    }
  }
  expect(new Set(GAMES)).toEqual(new Set(['turbo', 'pineapple']));
  expect(() => positionOf('nothing')).toThrow();
});

test('what this device has done is remembered, and what is kept wrong is nothing', async () => {
  localStorage.setItem('triptych.lessons', '[1, "x", 3]');
  expect(lessonsDone()).toEqual([1, 3]);
  localStorage.setItem('triptych.lessons', '{}');
  expect(lessonsDone()).toEqual([]);
});

test('a lesson without a server says so', async () => {
  const lesson = new LessonState({ analysisForm: () => Promise.reject(new Error('away')) } as never, 1);
  await vi.waitFor(() => expect(lesson.problem).toContain('away'));
});
