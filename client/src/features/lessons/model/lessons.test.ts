import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { filled, formDesks, formOf, mine, place, playHere } from '../../../../testing/solo';
import { prefs } from '../../../shared/prefs.svelte';
import { describeRow } from '../../../cards/handNames';
import { LessonChecker, positionOf } from './checker';
import { LessonState, lessonsDone } from './lesson.svelte';
import { GAMES, LESSONS, type Step } from './lessons';
import { SoloGame } from '../../../engine/solo';

const [FRONT_FIRST, BACK_FIRST] = [
  [0, 1, 2],
  [2, 1, 0],
];

beforeEach(() => {
  playHere();
  localStorage.removeItem('triptych.lesson_steps');
  localStorage.removeItem('triptych.lessons');
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

const verdict = (lesson: LessonState): Promise<{ right: boolean; why: string }> =>
  vi.waitFor(
    () => {
      if (lesson.verdict === null) throw new Error('not yet');
      expect(lesson.verdict.why, 'an answer has no reason').not.toBe('');
      return lesson.verdict;
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
  return await verdict(lesson);
}

/** Play the step's deal, high cards first into the rows in an order. */
async function played(lesson: LessonState, order: readonly number[]): Promise<{ right: boolean; why: string }> {
  for (let version = -1; ;) {
    const state = await mine(() => lesson.house, version);
    if (state.scored !== null) return await verdict(lesson);
    version = state.version;
    place(lesson.house as never, filled(state, order));
  }
}

/**
 * Do the lesson's deal until it was wrong and right: nothing but a legal board is right, and `only` where more is
 * asked. Where the deal's score is asked for next, it is not told.
 */
async function dealStep(
  lesson: LessonState,
  only: (board: string, judge: LessonChecker) => boolean = () => true,
): Promise<void> {
  const { number, last } = lesson;
  step(lesson, 'deal');
  for (let wrong = 0, good = false, tries = 0; ; tries += 1) {
    expect(tries, 'no deal came out').toBeLessThan(60);
    const { right, why } = await played(lesson, wrong === 0 ? FRONT_FIRST : BACK_FIRST);
    const state = lesson.house?.state;
    const hand = state?.scored?.hands[state.hands.findIndex(({ seat }) => seat === 0)];
    const board = hand?.cards.map((row) => row.map((card) => state?.form.deck[card]).join('')).join('/') ?? '';
    const judge = await LessonChecker.of(state?.form as never);
    expect(right).toBe(!judge.fouls(board) && only(board, judge));
    expect(lesson.played[0]).toBe(board);
    expect(lesson.played).toHaveLength(2);
    if (last) expect(why).toContain(String(Math.abs(state?.points[0] ?? 0)));
    expect(state?.over).toBe(true);
    good ||= right && last;
    expect(lessonsDone().includes(number)).toBe(good);
    if (right && wrong > 0) {
      if (last) lesson.next();
      expect(lesson.last).toBe(last);
      return;
    }
    if (!right) wrong += 1;
    lesson.again();
    await vi.waitFor(() => expect(lesson.verdict).toBeNull());
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
    expect(names).toEqual(['Pair of fives', 'Three nines', 'Three queens']);
    lesson.next();
    await dealStep(lesson);
  });

  test('a foul is wrong, and can be tried again', async () => {
    const lesson = await begun(1);
    // Two pairs below a pair of nines would need the queen elsewhere: the middle loses its order.
    const { right } = await laid(lesson, '7c', 'Qs9h', '2d');
    expect(right).toBe(false);
    lesson.again();
    await vi.waitFor(() => expect(lesson.verdict).toBeNull());
    expect((await laid(lesson, '7c', '9h2d', 'Qs')).right).toBe(true);
  });
});

describe('lesson 2, fouls', () => {
  test('a board is picked; a foul that is placed is wrong', async () => {
    const lesson = await begun(2);
    step(lesson, 'pick');
    lesson.answer(false, 'no');
    expect(lesson.verdict).toMatchObject({ right: false, why: 'No' });
    lesson.answer(true, 'yes');
    lesson.next();
    expect(lesson.at).toBe(1);
    expect(lesson.verdict).toBeNull();
    step(lesson, 'place');
    expect((await laid(lesson, '', 'Kc', '8s')).right).toBe(false);
    lesson.again();
    await vi.waitFor(() => expect(lesson.verdict).toBeNull());
    expect((await laid(lesson, '', '9h', '8s')).right).toBe(true);
    lesson.next();
    await dealStep(lesson);
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
    await dealStep(lesson, (board, judge) => judge.royalties(board) > 0);
  });
});

describe('lesson 4, fantasyland', () => {
  test('only queens in front bring one, which is played in the same match; only a legal one is right', async () => {
    const lesson = await begun(4);
    step(lesson, 'place');
    expect((await laid(lesson, '6s', '9c', '')).right).toBe(false);
    lesson.again();
    await vi.waitFor(() => expect(lesson.verdict).toBeNull());
    expect((await laid(lesson, 'Qd', '6s', '')).why).toContain('14');
    expect(lesson.verdict?.right).toBe(true);
    lesson.next();
    await vi.waitFor(() => expect(lesson.at).toBe(1));
    step(lesson, 'fantasyland');
    expect(lesson.verdict).toBeNull();
    const state = await mine(() => lesson.house);
    expect(state.asked?.cards).toHaveLength(14);
    expect((await played(lesson, FRONT_FIRST)).right).toBe(false);
    expect(lessonsDone()).toEqual([]);
    // Again: back to the street that earns it.
    lesson.again();
    expect(lesson.at).toBe(0);
    await vi.waitFor(() => expect(lesson.verdict).toBeNull());
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
    await vi.waitFor(() => expect(lesson.verdict).toBeNull());
    expect((await laid(lesson, '', 'Jc', 'Ah')).right).toBe(true);
    lesson.next();
    await dealStep(lesson);
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
    await dealStep(lesson);
    lesson.next();
    step(lesson, 'count');
    expect(lesson.boards).toBe(lesson.played);
    expect(lessonsDone()).not.toContain(6);
    lesson.answer(true, 'yes');
    expect(lessonsDone()).toContain(6);
    // Begun again, its own deal comes first.
    localStorage.setItem('triptych.lesson_steps', '{"6": 3}');
    expect(new LessonState(formDesks, 6).at).toBe(2);
  });
});

describe('hints', () => {
  test.each([1, 2, 3, 4, 5, 6])('lesson %i: what they say or lay is right', async (number) => {
    const lesson = await begun(number);
    for (const { kind } of lesson.lesson.steps.slice(0, -1)) {
      const layout = await lesson.showHint();
      if (kind === 'pick' || kind === 'count') {
        expect(layout).toBeNull();
        expect(lesson.hint).not.toBe('');
        lesson.answer(true, 'yes');
      } else {
        await mine(() => lesson.house);
        place(lesson.house as never, [layout?.front ?? [], layout?.middle ?? [], layout?.back ?? []]);
        expect((await verdict(lesson)).right).toBe(true);
      }
      if (lesson.lesson.steps[lesson.at + 1]?.kind === 'deal') return;
      lesson.next();
      await vi.waitFor(() => expect(lesson.hinted).toBe(false));
    }
  });

  test('in a deal a bot says how to place the street', async () => {
    const lesson = await begun(1);
    await laid(lesson, '7c', '9h2d', 'Qs');
    lesson.next();
    const { asked } = await mine(() => lesson.house);
    vi.spyOn(SoloGame.prototype, 'choose').mockImplementation(() => [2, 1, 0, 2, 2]);
    const cards = asked?.cards.map((card) => formOf('turbo').deck[card] ?? '') ?? [];
    const layout = await lesson.showHint();
    expect(layout).toEqual({ front: [cards[2]], middle: [cards[1]], back: [cards[0], cards[3], cards[4]] });
  });
});

test('a lesson goes on where it was left, and begins anew when it is done', async () => {
  const lesson = await begun(3);
  lesson.answer(true, 'yes');
  lesson.next();
  expect(new LessonState(formDesks, 3).at).toBe(1);
  localStorage.setItem('triptych.lesson_steps', '{"3": 9}');
  expect(new LessonState(formDesks, 3).at).toBe(0);
});

test('the lessons’ own boards and positions are whole, and their games are known', () => {
  expect(LESSONS).toHaveLength(6);
  for (const { steps } of LESSONS) {
    for (const step of steps) {
      if ('boards' in step && step.boards !== 'own')
        for (const board of step.boards) expect(board.split('/').map((row) => row.length / 2)).toEqual([3, 5, 5]);
      if ('position' in step) expect(positionOf(step.position).hands).toHaveLength(2);
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
