import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MemoryDatabase } from '../../../../testing/database';
import { filled, formOf, playHere } from '../../../../testing/solo';
import { SoloThread } from './thread';
import type { SoloResponse, Setup, State } from './types';
import { ROWS } from '../../../cards/rows';

beforeEach(() => {
  playHere();
  vi.stubGlobal('indexedDB', new MemoryDatabase());
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const setup = (more: Partial<Setup> = {}): Setup => ({
  form: formOf('pineapple'),
  levels: ['medium'],
  seed: '0123456789abcdef',
  ...more,
});

/** A page before a match of its own. */
class Page {
  readonly said: SoloResponse[] = [];
  private readonly thread = new SoloThread((response) => this.said.push(response));

  open(key: string, begin: Setup | null): this {
    this.thread.handle({ kind: 'open', key, setup: begin, still: true });
    return this;
  }
  get state(): State {
    const last = this.said.findLast((response) => response.kind === 'state');
    if (last?.kind !== 'state') throw new Error('no state yet');
    return last.state;
  }
  async turn(after = -1): Promise<State> {
    return await vi.waitFor(
      () => {
        const { state } = this;
        if (state.version <= after || (state.asked === null && state.scored === null)) throw new Error('not yet');
        return state;
      },
      { interval: 1 },
    );
  }
  send(kind: 'arrange' | 'place', rows: readonly (readonly string[])[]): void {
    const { deck } = this.state.form;
    this.thread.handle({ kind, id: kind, rows: rows.map((row) => row.map((card) => deck.indexOf(card))) });
  }
  next(): void {
    this.thread.handle({ kind: 'next', id: 'next' });
  }
  async deal(): Promise<State> {
    let state = await this.turn();
    while (state.scored === null) {
      this.send('place', filled(state, [2, 1, 0]));
      state = await this.turn(state.version);
    }
    return state;
  }
}

const texts = (state: State, cards: readonly number[] = []): (string | undefined)[] =>
  cards.map((card) => state.form.deck[card]);
const own = (state: State): State['hands'][number] | undefined => state.hands.find(({ seat }) => seat === 0);

describe('a match on one’s own device', () => {
  test('a street is laid, confirmed and answered by the bots', async () => {
    const page = new Page().open('a', setup());
    const state = await page.turn();
    expect(state.asked?.cards).toHaveLength(5);
    const rows = filled(state, [2, 1, 0]);
    page.send('arrange', rows);
    await vi.waitFor(() => expect(own(page.state)?.rows[2]?.pending).toHaveLength(5));
    page.send('place', rows);
    const then = await page.turn(page.state.version);
    expect(texts(then, own(then)?.rows[2]?.cards).toSorted()).toEqual(rows[2]?.toSorted());
    expect(then.asked?.cards).toHaveLength(3);
    expect(then.asked?.discard).toBe(1);
    expect(page.said.filter(({ kind }) => kind === 'done')).toHaveLength(2);
  });

  test('what a bot draws and throws away is no part of what the page is told', async () => {
    const page = new Page().open('a', setup());
    let state = await page.turn();
    while (state.scored === null) {
      for (const hand of state.hands.filter(({ seat }) => seat !== 0)) {
        expect(hand.draws).toEqual([]);
        expect(hand.discards).toEqual([]);
      }
      page.send('place', filled(state, [2, 1, 0]));
      state = await page.turn(state.version);
    }
  });

  test('what is not a legal street is refused, and changes nothing', async () => {
    const page = new Page().open('a', setup());
    const state = await page.turn();
    page.send('place', [[], [], []]);
    await vi.waitFor(() => expect(page.said.at(-1)?.kind).toBe('refused'));
    expect(page.state.asked?.cards).toEqual(state.asked?.cards);
  });

  test('a reload in the middle goes on with the same cards, and a scored deal still lies open', async () => {
    const page = new Page().open('a', setup());
    const first = await page.turn();
    page.send('place', filled(first, [2, 1, 0]));
    const second = await page.turn(first.version);
    const again = await new Page().open('a', null).turn();
    expect(texts(again, again.asked?.cards)).toEqual(texts(second, second.asked?.cards));
    expect(own(again)?.rows.map(({ cards }) => cards)).toEqual(own(second)?.rows.map(({ cards }) => cards));
    const scored = await page.deal();
    const open = await new Page().open('a', null).turn();
    expect(open.scored).toEqual(scored.scored);
    expect(open.totals).toEqual(scored.totals);
    page.next();
    await vi.waitFor(() => expect(page.state.scored).toBeNull());
    expect((await new Page().open('a', null).turn()).scored).toBeNull();
  });

  test('nothing is kept under another key', async () => {
    const page = new Page().open('b', null);
    await vi.waitFor(() => expect(page.said).toEqual([{ kind: 'nothing' }]));
  });

  test('points add up to nothing between the seats, deal after deal, and other cards come', async () => {
    const page = new Page().open('a', setup({ levels: ['medium', 'fast'] }));
    const dealt: string[] = [];
    for (let deals = 0; deals < 4; deals += 1) {
      const before = await page.turn();
      dealt.push(texts(before, before.asked?.cards).join());
      const state = await page.deal();
      expect(state.points.reduce((sum, points) => sum + points, 0)).toBe(0);
      expect(state.totals.reduce((sum, points) => sum + points, 0)).toBe(0);
      expect(state.over).toBe(false);
      page.next();
      await vi.waitFor(() => expect(page.state.scored).toBeNull());
    }
    expect(new Set(dealt).size).toBe(4);
  });

  test('the same seed deals the same cards; turned, from the other seat', async () => {
    const first = await new Page().open('a', setup({ games: 1 })).turn();
    const same = await new Page().open('b', setup({ games: 1 })).turn();
    expect(same.asked?.cards).toEqual(first.asked?.cards);
    const turned = await new Page().open('c', setup({ games: 1, turned: 1 })).turn();
    expect(turned.asked?.cards).not.toEqual(first.asked?.cards);
  });

  test('a single deal is over after it', async () => {
    const state = await new Page().open('a', setup({ oneDeal: true })).deal();
    expect([state.over, state.oneDeal]).toEqual([true, true]);
  });

  test('how I placed is told with the scored deal, street by street', async () => {
    const state = await new Page().open('a', setup()).deal();
    expect(state.placed).toHaveLength(5);
    expect(state.placed.map(({ rows }) => rows.flat().length)).toEqual([5, 2, 2, 2, 2]);
    expect(state.placed.slice(1).every(({ discards }) => discards.length === 1)).toBe(true);
    // What the opponent threw away lies unseen there.
    const last = state.placed.at(-1)?.setUp;
    const other = last?.hands[1 - (last?.me ?? 0)];
    expect(new Set(other?.discards)).toEqual(new Set(['??']));
  });

  test('rules of which nothing was learned are said', async () => {
    const page = new Page().open('a', setup({ form: { ...formOf('pineapple'), player: null } }));
    await vi.waitFor(() =>
      expect(page.said).toEqual([{ kind: 'failed', why: 'nothing was learned for these rules' }]),
    );
  });

  test('rows are whole at the end', async () => {
    const state = await new Page().open('a', setup()).deal();
    expect(state.scored?.hands.map(({ cards }) => cards.map((row) => row.length))).toEqual([
      [3, 5, 5],
      [3, 5, 5],
    ]);
    expect(ROWS).toHaveLength(3);
  });
});
