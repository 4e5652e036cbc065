import { flushSync } from 'svelte';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { sheet } from '../../../../testing/table';
import { ApiError, type DealLine, type ToolsApi } from '../../../api/http';
import type { ScoredSession, ScorerSetup, ScoreSheet } from '../../../api/generated/types';
import { correctionsOf } from './corrections';
import { readBoard, type DraftHand } from './hand';
import { readLines, writeLines } from './line';
import { ScorerState } from './scorer.svelte';

const BOARDS = {
  Ann: 'QhQd7c/8c8dTsTh2c/AhAcAd9d9h',
  Bob: 'KsJs5d/2d3c4c6c7d/2h6h9cTd3h',
  Cem: '5h5s4d/7h7s6d6s3d/JdJhJc4h4s',
};
const DECK = ['h', 'd', 'c', 's'].flatMap((suit) => [...'23456789TJQKA'].map((rank) => rank + suit));

/** The room's scorer: refuses a card in two places, and pays the first player a point a deal. */
class Desk {
  lines: DealLine[] = [];
  forms: Record<string, Partial<ScorerSetup>> = {};
  refuses: string[] = [];

  readonly tools = {
    scoreForm: ({ preset }: { preset: string }) =>
      this.refuses.includes(preset)
        ? Promise.reject(new ApiError({ code: 'rules.preset', message: `unknown preset '${preset}'`, path: '$' }))
        : Promise.resolve({
            boards: 1,
            players_max: 4,
            declare: false,
            deck: DECK,
            own: null,
            point: 1,
            unit: 'point',
            surrender: 3,
            ...this.forms[preset],
          } as unknown as ScorerSetup),
    scoreDeal: (line: DealLine, number: number) => this.scored(line, number),
    scoreSession: (lines: readonly DealLine[]) => {
      this.lines = [...lines];
      return Promise.resolve({ deals: [], tallies: [] } as unknown as ScoredSession);
    },
  } as unknown as ToolsApi;

  private scored(line: DealLine, number: number): Promise<ScoreSheet> {
    const players = Object.entries(line['players'] as Record<string, Record<string, string>>);
    const placed = new Set<string>();
    for (const [name, rows] of players) {
      for (const [row, cards] of Object.entries(rows)) {
        for (const card of String(cards).match(/[2-9TJQKA][shdc]/g) ?? []) {
          if (placed.has(card))
            return Promise.reject(
              new ApiError({
                code: 'card.twice',
                message: `${card} is in two places`,
                path: `$.players.${name}.${row}[0]`,
              }),
            );
          placed.add(card);
        }
      }
    }
    const fantasyland = JSON.stringify(line).includes('QhQd') ? 14 : 0;
    return Promise.resolve(
      sheet(number, ...players.map((_, at) => ({ fantasyland: at === 0 ? fantasyland : 0, points: 0 }))),
    );
  }
}

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});

const settled = async (): Promise<void> => {
  await vi.waitFor(() => Promise.resolve());
  await new Promise((resolve) => setTimeout(resolve, 5));
  flushSync();
};

async function opened(): Promise<ScorerState> {
  const scorer = new ScorerState(desk.tools);
  await settled();
  return scorer;
}

function handOf(scorer: ScorerState, at: number): DraftHand {
  const hand = scorer.hands[at];
  if (hand === undefined) throw new Error(`no hand ${at}`);
  return hand;
}

const surrendered = (scorer: ScorerState): DraftHand => ({ ...handOf(scorer, 1), mode: 'surrender' });
const type = (scorer: ScorerState, hand: number, text: string): void =>
  scorer.setHand(hand, { ...handOf(scorer, hand), rows: readBoard(text) });

async function added(scorer: ScorerState, ...boards: readonly string[]): Promise<void> {
  boards.forEach((text, hand) => type(scorer, hand, text));
  await settled();
  scorer.add();
  await settled();
}

describe('who plays what', () => {
  test('players come, go and are told apart; each pair has its stake', async () => {
    const scorer = await opened();
    expect(scorer.players).toEqual(['Ann', 'Bob']);
    scorer.addPlayer();
    scorer.addPlayer();
    scorer.addPlayer();
    expect(scorer.players).toEqual(['Ann', 'Bob', 'Cem', 'Dee', 'Player 5']);
    scorer.removePlayer(4);
    scorer.rename(2, 'Bob');
    expect(scorer.players).toEqual(['Ann', 'Bob', 'Bob 2', 'Dee']);
    expect(scorer.pairs.map(({ key }) => key)).toEqual([
      'Ann-Bob',
      'Ann-Bob 2',
      'Ann-Dee',
      'Bob-Bob 2',
      'Bob-Dee',
      'Bob 2-Dee',
    ]);
    scorer.setStake('Ann-Bob', 10);
    expect(scorer.stakes).toEqual({ 'Ann-Bob': 10 });
  });

  test('rules say how many boards, players and jokers there are', async () => {
    desk.forms = {
      criss_cross: { boards: 2, players_max: 2 },
      joker: { deck: [...DECK, 'X1', 'X2'] },
      declared: { declare: true },
    };
    const scorer = await opened();
    scorer.addPlayer();
    await scorer.setRules({ preset: 'criss_cross' });
    expect(scorer.hands.map(({ name, owner }) => [name, owner])).toEqual([
      ['Ann 1', 'Ann'],
      ['Ann 2', 'Ann'],
      ['Bob 1', 'Bob'],
      ['Bob 2', 'Bob'],
    ]);
    await scorer.setRules({ preset: 'joker' });
    expect(scorer.form?.deck.slice(-2)).toEqual(['X1', 'X2']);
    expect(scorer.hands).toHaveLength(2);
    await scorer.setRules({ preset: 'declared' });
    expect(scorer.declare).toBe(true);
  });

  test('rules that cannot be read are said, and those before stay', async () => {
    desk.refuses = ['nothing'];
    const scorer = await opened();
    await scorer.setRules({ preset: 'turbo' });
    await scorer.setRules({ preset: 'nothing' });
    expect(scorer.refused).toBe("unknown preset 'nothing'");
    expect(scorer.rules).toEqual({ preset: 'turbo' });
    await scorer.setRules({ preset: 'turbo' });
    expect(scorer.refused).toBeNull();
  });

  test('kept rules that are gone make way for the first ones', async () => {
    desk.refuses = ['gone'];
    localStorage.setItem('triptych.evening', JSON.stringify({ rules: { preset: 'gone' } }));
    const scorer = await opened();
    await settled();
    expect(scorer.rules).toEqual({ preset: 'closed_1_6' });
    expect(scorer.form).not.toBeNull();
  });
});

describe('boards', () => {
  test('cards are tapped one after the other, into the next place, and none twice', async () => {
    const scorer = await opened();
    for (const card of ['Qh', 'Qd', '7c']) scorer.put(card);
    expect(scorer.at).toEqual({ hand: 0, row: 'middle' });
    scorer.put('Qh');
    expect(scorer.used).toEqual(['Qh', 'Qd', '7c']);
    for (const card of ['8c', '8d', 'Ts', 'Th', '2c', 'Ah', 'Ac', 'Ad', '9d', '9h']) scorer.put(card);
    expect(scorer.at).toEqual({ hand: 1, row: 'front' });
    scorer.takeBack(0, 'Ah');
    expect(scorer.at).toEqual({ hand: 0, row: 'back' });
    expect(scorer.used).not.toContain('Ah');
    scorer.put('Ah');
    expect(scorer.at).toEqual({ hand: 1, row: 'front' });
  });

  test('a row that is chosen is filled first', async () => {
    const scorer = await opened();
    scorer.choose(1, 'back');
    scorer.put('Ah');
    expect(scorer.hands[1]?.rows.back).toEqual(['Ah']);
    expect(scorer.at).toEqual({ hand: 1, row: 'back' });
  });

  test('a surrender is complete at once', async () => {
    const scorer = await opened();
    type(scorer, 0, BOARDS.Ann);
    scorer.setHand(1, surrendered(scorer));
    await settled();
    expect(scorer.complete).toBe(true);
    expect(scorer.sheet).not.toBeNull();
  });

  test('what is wrong is said beside the board that it is about', async () => {
    const scorer = await opened();
    type(scorer, 0, BOARDS.Ann);
    type(scorer, 1, BOARDS.Cem.replace('5h5s4d', 'Qh5s4d'));
    await settled();
    expect(scorer.sheet).toBeNull();
    expect(scorer.problemOf(handOf(scorer, 1))).toBe('Qh is in two places');
    expect(scorer.problemOf(handOf(scorer, 0))).toBeNull();
    type(scorer, 1, BOARDS.Cem);
    await settled();
    expect(scorer.problem).toBeNull();
    expect(scorer.sheet).not.toBeNull();
  });
});

describe('a session', () => {
  test('a deal is added, and who reached fantasyland is noted for the next', async () => {
    const scorer = await opened();
    await added(scorer, BOARDS.Ann, BOARDS.Bob);
    expect(scorer.deals).toHaveLength(1);
    expect(scorer.used).toEqual([]);
    expect(scorer.hands.map(({ fantasyland, inRow }) => [fantasyland, inRow])).toEqual([
      [14, 1],
      [0, 1],
    ]);
    await added(scorer, BOARDS.Ann, BOARDS.Bob);
    expect(scorer.hands[0]?.inRow).toBe(2);
    expect(desk.lines).toHaveLength(2);
  });

  test('nothing is added before the boards are complete', async () => {
    const scorer = await opened();
    type(scorer, 0, BOARDS.Ann);
    scorer.add();
    expect(scorer.deals).toEqual([]);
  });

  test('a deal is changed, taken out and brought back; all of it stays over a reload, with what was there', async () => {
    const scorer = await opened();
    await added(scorer, BOARDS.Ann, BOARDS.Cem);
    await added(scorer, BOARDS.Ann, BOARDS.Cem);
    await scorer.edit(0);
    expect(scorer.editing).toBe(0);
    expect(scorer.hands[1]?.rows).toEqual(readBoard(BOARDS.Cem));
    scorer.setHand(1, surrendered(scorer));
    await settled();
    // Who corrects is asked once.
    scorer.asAuthor(() => scorer.add());
    expect(scorer.editing).toBe(0);
    scorer.sign('Cem');
    await settled();
    expect(scorer.editing).toBeNull();
    expect(scorer.deals.map((line) => JSON.stringify(line).includes('surrender'))).toEqual([true, false]);
    const again = await opened();
    expect(again.deals).toEqual(scorer.deals);
    again.asAuthor(() => again.remove(1));
    await settled();
    expect(desk.lines.map((line) => line['removed'] ?? false)).toEqual([false, true]);
    again.asAuthor(() => again.restore(1));
    await settled();
    expect(desk.lines.map((line) => line['removed'] ?? false)).toEqual([false, false]);
    expect(desk.lines.map((line) => 'corrections' in line)).toEqual([false, false]);
    expect(
      again.deals.map((line) => correctionsOf(line).map(({ by, kind, changes }) => [by, kind, changes])),
    ).toEqual([
      [['Cem', 'changed', [{ name: 'Bob', from: BOARDS.Cem, to: 'surrender' }]]],
      [
        ['Cem', 'removed', []],
        ['Cem', 'restored', []],
      ],
    ]);
  });

  test('deals are entered by points too, which sum to 0, and mixed with boards', async () => {
    const scorer = await opened();
    scorer.addPlayer();
    scorer.setEntry('points');
    scorer.setPoints('Ann', 12, false);
    scorer.setPoints('Bob', 5, true);
    scorer.addPoints();
    expect([scorer.pointsComplete, scorer.deals]).toEqual([false, []]);
    scorer.setPoints('Cem', 6, true);
    expect(scorer.excess).toBe(1);
    scorer.addPoints();
    expect(scorer.deals).toEqual([]);
    scorer.setPoints('Cem', 7, true);
    scorer.addPoints();
    scorer.setEntry('pairs');
    scorer.setStake('Ann-Bob', 10);
    for (const [key, points] of Object.entries({ 'Ann-Bob': 1, 'Ann-Cem': 3, 'Bob-Cem': 0 }))
      scorer.setPoints(key, points, key === 'Ann-Cem');
    scorer.addPoints();
    scorer.setEntry('cards');
    await added(scorer, BOARDS.Ann, BOARDS.Bob, BOARDS.Cem);
    const order = ['Ann', 'Bob', 'Cem'];
    const rules = { preset: 'closed_1_6' };
    expect(desk.lines.slice(0, 2)).toEqual([
      { rules, points: { Ann: 12, Bob: -5, Cem: -7 }, order },
      { rules, pairs: { 'Ann-Bob': 1, 'Ann-Cem': -3, 'Bob-Cem': 0 }, stakes: { 'Ann-Bob': 10 }, order },
    ]);
    expect(desk.lines).toHaveLength(3);
    scorer.sign('Bob');
    await scorer.edit(1);
    expect([scorer.entry, scorer.points]).toEqual(['pairs', { 'Ann-Bob': 1, 'Ann-Cem': -3, 'Bob-Cem': 0 }]);
    scorer.setPoints('Bob-Cem', 2, false);
    scorer.addPoints();
    expect(correctionsOf(scorer.deals[1] ?? {})[0]?.changes).toEqual([{ name: 'Bob-Cem', from: '0', to: '+2' }]);
    await scorer.open(readLines(writeLines(scorer.deals.slice(0, 2))));
    expect([scorer.players, scorer.entry, scorer.hands.length]).toEqual([order, 'pairs', 3]);
  });

  test('editing ends without a change, and with the deal that is edited', async () => {
    const scorer = await opened();
    await added(scorer, BOARDS.Ann, BOARDS.Cem);
    await scorer.edit(0);
    scorer.stopEditing();
    expect([scorer.editing, scorer.used]).toEqual([null, []]);
    await scorer.edit(0);
    scorer.remove(0);
    expect(scorer.editing).toBeNull();
    await scorer.edit(7);
    expect(scorer.editing).toBeNull();
  });

  test('is saved as lines, and read again by another device', async () => {
    const scorer = await opened();
    scorer.setStake('Ann-Bob', 10);
    await added(scorer, BOARDS.Ann, BOARDS.Bob);
    const text = writeLines(scorer.deals);
    expect((JSON.parse(text) as { stakes: unknown }).stakes).toEqual({ 'Ann-Bob': 10 });
    localStorage.clear();
    const other = await opened();
    await other.open(readLines(text));
    expect(other.deals).toEqual(scorer.deals);
    expect(other.stakes).toEqual({ 'Ann-Bob': 10 });
    other.newSession();
    expect([other.deals, other.session, other.used]).toEqual([[], null, []]);
  });
});
