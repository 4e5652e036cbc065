import { readFileSync } from 'node:fs';
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ToolsApi } from '../../../api/http';
import type { PuzzleCollection } from '../../../api/generated/types';
import { readPosition } from '../../analyse/model/position';
import { toAnalysisLine, matchesPlacement, puzzleFromMistake, readPuzzles, setUpOf, type Puzzle } from './puzzle';
import { reschedule, schedule } from './schedule';

const PUZZLES = readPuzzles(
  readFileSync('../weights/src/triptych_weights/pineapple.puzzles.jsonl', 'utf8').split('\n').slice(0, 40).join('\n'),
);
const DAY = 86_400_000;
const FIRST_DAY = Date.UTC(2030, 2, 1, 20);
const COLLECTION = { file: '/puzzles/pineapple', rules: { preset: 'pineapple' } } as unknown as PuzzleCollection;

const tools = (puzzles: readonly Puzzle[] = PUZZLES): ToolsApi =>
  ({
    puzzles: () => Promise.resolve([COLLECTION]),
    puzzleFile: () => Promise.resolve(puzzles.map((puzzle) => JSON.stringify(puzzle)).join('\n')),
  }) as unknown as ToolsApi;

let Practice: (typeof import('./practice.svelte'))['Practice'];
let progress: (typeof import('./progress.svelte'))['progress'];
type Page = InstanceType<typeof Practice>;

/** A page that is opened anew: what it knows is what was kept. */
async function opened(from: ToolsApi = tools()): Promise<Page> {
  vi.resetModules();
  ({ Practice } = await import('./practice.svelte'));
  ({ progress } = await import('./progress.svelte'));
  const { language } = await import('../../../shared/i18n.svelte');
  await language.choose('en');
  await language.complete();
  const page = new Practice(from);
  await vi.waitFor(() => expect(page.puzzles ?? page.problem).not.toBeNull());
  flushSync();
  return page;
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: FIRST_DAY }));
afterEach(() => void vi.useRealTimers());

const current = (page: Page): Puzzle => {
  if (page.puzzle === null) throw new Error('no puzzle');
  return page.puzzle;
};

/** Place the cards as one of the choices has them. */
function place(page: Page, which: number): void {
  const line = toAnalysisLine(current(page).choices[which] as never, which);
  (['front', 'middle', 'back'] as const).forEach((row, at) =>
    line.rows[at]?.forEach((card) => page.placing.put(card, row)),
  );
  page.answer();
}

function solve(page: Page, right: boolean): string {
  const puzzle = current(page);
  place(page, right ? 0 : puzzle.tempting);
  expect(page.done).toMatchObject({ right, shown: false, which: right ? 0 : puzzle.tempting });
  page.next();
  expect(page.done).toBeNull();
  return puzzle.id;
}

describe('puzzles', () => {
  test('every one of them can be read, and its best comes first', () => {
    expect(PUZZLES).toHaveLength(40);
    for (const puzzle of PUZZLES) {
      const setUp = setUpOf(puzzle);
      expect(setUp?.hands[setUp.me]?.drawn).toHaveLength(
        toAnalysisLine(puzzle.choices[0] as never, 0).rows.flat().length +
          toAnalysisLine(puzzle.choices[0] as never, 0).thrown.length,
      );
      expect(puzzle.tempting).toBeGreaterThan(0);
      const worth = puzzle.choices.map(([, value]) => value);
      expect(worth).toEqual(worth.toSorted((a, b) => b - a));
    }
  });

  test('the order of cards within a row does not count', () => {
    const line = toAnalysisLine(['QhQd/Ac/ -7c', 1, 0, 0, 0, 0, 0, 0, 0], 0);
    expect(line.thrown).toEqual(['7c']);
    expect(matchesPlacement(line, [['Qd', 'Qh'], ['Ac'], []])).toBe(true);
    expect(matchesPlacement(line, [['Qd'], ['Ac', 'Qh'], []])).toBe(false);
  });

  test('ten positions over two days: what was missed comes back, the longest wait first', async () => {
    let page = await opened();
    expect(progress.rating).toBe(1500);
    const solved = [solve(page, true), solve(page, true)];
    expect(progress.rating).toBeGreaterThan(1500);
    const missed = [solve(page, false), solve(page, false), solve(page, false)];
    expect(new Set([...solved, ...missed]).size).toBe(5);
    expect(progress.due(Date.now())).toEqual([]);
    vi.setSystemTime(FIRST_DAY + DAY + 300_000);
    page = await opened();
    expect(progress.due(Date.now()).map(({ puzzle }) => puzzle.id)).toEqual(missed);
    const again = missed.map((id) => solve(page, id !== missed[0]));
    expect(again).toEqual(missed);
    const fresh = [solve(page, true), solve(page, true)];
    expect([...solved, ...missed].some((id) => fresh.includes(id))).toBe(false);
    page.take('mistakes');
    expect(page.puzzle).toBeNull();
    // What was missed again comes before what was found.
    const due = progress.again.toSorted((a, b) => a.due - b.due);
    expect(due[0]?.puzzle.id).toBe(missed[0]);
    expect(due[0]?.due).toBeLessThan(due[1]?.due ?? 0);
    expect(new Set(due.map(({ puzzle }) => puzzle.id))).toEqual(new Set(missed));
  });

  test('the next one is the nearest to one’s rating', async () => {
    const page = await opened();
    const near = (puzzle: Puzzle): number => Math.abs((puzzle.rating ?? 0) - 1500);
    expect(near(current(page))).toBe(Math.min(...PUZZLES.map(near)));
  });

  test('a theme shows its puzzles alone', async () => {
    const page = await opened();
    const theme = PUZZLES.flatMap(({ themes }) => themes)[0] ?? '';
    page.about(theme);
    expect(current(page).themes).toContain(theme);
    expect(page.fresh.every(({ themes }) => themes.includes(theme))).toBe(true);
    page.about('nothing');
    expect(page.puzzle).toBeNull();
  });

  test('nothing is judged before all is placed, nor twice; who gives up has missed it', async () => {
    const page = await opened();
    page.answer();
    expect(page.done).toBeNull();
    page.giveUp();
    expect(page.done).toMatchObject({ shown: true, right: false, which: null });
    const { rating } = progress;
    expect(rating).toBeLessThan(1500);
    page.giveUp();
    expect(progress.rating).toBe(rating);
  });

  test('what is none of the measured placements is wrong', async () => {
    const whole = PUZZLES.find(({ choices }) => choices.length > 3) as Puzzle;
    const page = await opened(tools([{ ...whole, choices: whole.choices.slice(0, 2), tempting: 1 }]));
    const other = toAnalysisLine(whole.choices[3] as never, 3);
    (['front', 'middle', 'back'] as const).forEach((row, at) =>
      other.rows[at]?.forEach((card) => page.placing.put(card, row)),
    );
    page.answer();
    expect(page.done).toMatchObject({ which: null, right: false });
  });

  test('what cannot be fetched is said', async () => {
    const page = await opened({
      puzzles: () => Promise.resolve([COLLECTION]),
      puzzleFile: () => Promise.reject(new Error('away')),
    } as unknown as ToolsApi);
    expect(page.problem).not.toBeNull();
    expect(page.puzzle).toBeNull();
  });

  test('another game is remembered, by its rules', async () => {
    const turbo = { file: '/puzzles/turbo', rules: { preset: 'turbo' } } as unknown as PuzzleCollection;
    const both = { ...tools(), puzzles: () => Promise.resolve([COLLECTION, turbo]) } as unknown as ToolsApi;
    const page = await opened(both);
    expect(page.chosen).toBe(COLLECTION.file);
    await page.choose(turbo.file);
    expect((await opened(both)).chosen).toBe(turbo.file);
    // Its file has another name when there are more puzzles.
    const renamed = {
      ...both,
      puzzles: () => Promise.resolve([COLLECTION, { ...turbo, file: '/puzzles/turbo2' }]),
    } as unknown as ToolsApi;
    expect((await opened(renamed)).chosen).toBe('/puzzles/turbo2');
  });
});

describe('mistakes of one’s own', () => {
  const setUp = readPosition('*QhQd6c/9s9d4h2c/8c8dAcAd +9h8sKc | 7h5d2d/TsTd4d3d2h/JcJdJsKh5h');
  const line = (text: string, value: number, which: number) =>
    toAnalysisLine([text, value, 0.1, 0, 0, 0, 0, 0, 0], which);
  const lines = Array.from({ length: 10 }, (_, at) => line(`/9h/${at}s -Kc`, 5 - at, at));

  test('hold the best placements and the one that was taken', () => {
    if (setUp === null) throw new Error('no position');
    const puzzle = puzzleFromMistake({ preset: 'pineapple' }, setUp, lines, lines[9] as never);
    expect(puzzle.choices).toHaveLength(9);
    expect(puzzle.tempting).toBe(8);
    expect(puzzle.rating).toBeNull();
    expect(puzzleFromMistake({ preset: 'pineapple' }, setUp, lines, lines[2] as never).tempting).toBe(2);
  });

  test('can be tried at once, are kept once, and can be forgotten', async () => {
    await opened();
    const puzzle = { ...(PUZZLES[0] as Puzzle), id: 'mine', rating: null };
    progress.addMistake(puzzle, FIRST_DAY);
    progress.addMistake(puzzle, FIRST_DAY + 5);
    expect(progress.due(FIRST_DAY)).toHaveLength(1);
    const before = progress.rating;
    progress.attempted(puzzle, true, FIRST_DAY);
    expect(progress.rating).toBe(before);
    expect(progress.due(FIRST_DAY)).toEqual([]);
    progress.drop('mine');
    expect(progress.again).toEqual([]);
  });
});

test('what is found again and again comes at ever longer distances, a miss brings it back soon', () => {
  const puzzle = PUZZLES[0] as Puzzle;
  let scheduled = schedule(puzzle, FIRST_DAY);
  const waits: number[] = [];
  let now = FIRST_DAY;
  for (let tries = 0; tries < 4; tries += 1) {
    scheduled = reschedule(JSON.parse(JSON.stringify(scheduled)) as typeof scheduled, puzzle, true, now);
    waits.push(scheduled.due - now);
    now = scheduled.due;
  }
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  expect(waits[0]).toBeGreaterThanOrEqual(DAY);
  expect(reschedule(scheduled, puzzle, false, now).due - now).toBeLessThan(waits[3] ?? 0);
  expect(scheduled.own).toBe(true);
});
