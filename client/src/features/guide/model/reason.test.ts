import { readFileSync } from 'node:fs';
import { env } from 'node:process';
import { describe, expect, test } from 'vitest';
import { reasonText } from './reasonText';
import type { AnalysisLine, Parts } from '../../analyse/model/analysis.svelte';
import { chances, reasonFor, runnerUp, SAME_POINTS } from './reason';

const PAIRS = env['TRIPTYCH_PAIRS'] ?? '';
const PARTS = ['rows', 'royalties', 'fantasyland', 'fouls'] as const;
const DECK = ['2c', '3d', '4h', 'Qs', 'Qh'];

/** Numbers that look random and are the same each time. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function lineOf(random: () => number, which: number): AnalysisLine {
  const parts = (size: number): Parts =>
    Object.fromEntries(PARTS.map((part) => [part, (random() - 0.5) * size])) as unknown as Parts;
  const [own, opponents] = [parts(6), parts(3)];
  const net = Object.fromEntries(PARTS.map((part) => [part, own[part] - opponents[part]])) as unknown as Parts;
  const rows: string[][] = [[], [], []];
  for (const card of DECK) rows[Math.floor(random() * 3)]?.push(card);
  const value = net.rows + net.royalties + net.fantasyland + net.fouls;
  return {
    which,
    rows,
    thrown: [],
    value,
    error: 0.05,
    rollouts: 4000,
    parts: net,
    sides: { own, opponents },
    foul: random(),
    enters: random(),
    close: false,
  };
}

/** Every part of what the best has more, worked out here once more. */
function partsOf(best: AnalysisLine, other: AnalysisLine): { part: string; side: string; points: number }[] {
  const [a, b] = [best.sides, other.sides];
  if (a === undefined || b === undefined) return [];
  const sided = PARTS.slice(1).flatMap((part) => [
    { part, side: 'own', points: a.own[part] - b.own[part] },
    { part, side: 'opponents', points: b.opponents[part] - a.opponents[part] },
  ]);
  return [{ part: 'rows', side: 'both', points: best.parts.rows - other.parts.rows }, ...sided];
}

/** Checks what a sentence names against all parts; false where no sentence is said. */
function namesTheLargest(best: AnalysisLine, other: AnalysisLine): boolean {
  const reason = reasonFor(best, other);
  if (reason === null) return false;
  const all = partsOf(best, other).toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points));
  const named = [...reason.gains, ...reason.costs];
  const largest = (parts: readonly { points: number }[]): number =>
    Math.max(...parts.map(({ points }) => Math.abs(points)));
  expect(largest(named)).toBeCloseTo(Math.abs(all[0]?.points ?? 0), 9);
  expect(reason.gains[0]?.points).toBeCloseTo(Math.max(...all.map(({ points }) => points)), 9);
  for (const { part, side, points } of named)
    expect(all.find((difference) => difference.part === part && difference.side === side)?.points).toBeCloseTo(
      points,
      9,
    );
  // The cards lie in that row of the best placement, and elsewhere in the other.
  const at = ['front', 'middle', 'back'].indexOf(reason.row);
  for (const card of reason.cards) {
    expect(best.rows[at]).toContain(card);
    expect(other.rows[at]).not.toContain(card);
  }
  return true;
}

describe('why the best is better', () => {
  test('over 2,000 sentences the part named first is the largest gain, and the largest of all is named', () => {
    const random = chance(7);
    let count = 0;
    while (count < 2000) {
      const lines = [lineOf(random, 0), lineOf(random, 1)].toSorted((a, b) => b.value - a.value) as [
        AnalysisLine,
        AnalysisLine,
      ];
      if (runnerUp(lines) !== null && namesTheLargest(...lines)) count += 1;
    }
  });

  // `python -m bench.guide` measures the positions, and reads the number of sentences here.
  if (PAIRS !== '')
    test('positions of played deals: the part named is the largest', () => {
      const pairs = JSON.parse(readFileSync(PAIRS, 'utf8')) as [AnalysisLine, AnalysisLine][];
      const explained = pairs.filter((lines) => namesTheLargest(...lines));
      for (const lines of explained) {
        const reason = reasonFor(...lines);
        if (reason !== null) expect(reasonText(reason, ...lines).join('')).toMatch(/\w/);
      }
      console.log(`sentences: ${explained.length} of ${pairs.length} positions, each names the largest part`);
    });

  test('a chance is said only where it tells what the points tell', () => {
    const random = chance(9);
    for (let i = 0; i < 500; i += 1) {
      const [best, other] = [lineOf(random, 0), lineOf(random, 1)];
      for (const part of reasonFor(best, other)?.gains ?? []) {
        const shares = chances(part, best, other);
        if (shares === null) continue;
        expect(part.side).toBe('own');
        expect(part.part === 'fouls' ? shares.best < shares.other : shares.best > shares.other).toBe(true);
      }
    }
  });

  test('one sentence, with the cards apart', () => {
    const parts = (royalties: number, fantasyland: number, fouls: number): Parts => ({
      rows: 0,
      royalties,
      fantasyland,
      fouls,
    });
    const zero = parts(0, 0, 0);
    const at = (rows: string[][], own: Parts, foul: number, enters: number): AnalysisLine => ({
      which: 0,
      rows,
      thrown: [],
      value: own.royalties + own.fantasyland + own.fouls,
      error: 0,
      rollouts: 1,
      parts: own,
      sides: { own, opponents: zero },
      foul,
      enters,
      close: false,
    });
    const best = at([['Qs', 'Qh'], [], ['2c']], parts(0.8, 2, -1), 0.29, 0.31);
    const other = at([[], [], ['Qs', 'Qh', '2c']], parts(0, 0.5, -0.5), 0.2, 0.12);
    const reason = reasonFor(best, other);
    expect(reason).toMatchObject({ row: 'front', cards: ['Qs', 'Qh'] });
    expect(reason && reasonText(reason, best, other).join('QQ')).toBe(
      'QQ in front is better for fantasyland (31%, not 12%) and your royalties, but worse for avoiding a foul (29% risk, not 20%).',
    );
    expect(reason && reasonText(reason, best, other, true).join('QQ')).toBe(
      'QQ in front is better for fantasyland (31%, not 12%), but worse for avoiding a foul (29% risk, not 20%).',
    );
  });

  test('what is equally good is compared with nothing', () => {
    const random = chance(3);
    const best = lineOf(random, 0);
    expect(runnerUp([])).toBeNull();
    expect(runnerUp([best])).toBeNull();
    const near = { ...best, which: 1, value: best.value - SAME_POINTS / 2 };
    expect(runnerUp([best, near])).toBeNull();
    const far = { ...best, which: 2, value: best.value - SAME_POINTS };
    expect(runnerUp([best, near, far])).toBe(far);
  });
});
