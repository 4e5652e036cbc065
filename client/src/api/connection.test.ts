import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Line, view } from '../../testing/table';
import { TableConnection } from './connection';
import { proofOf, applyPatch } from './patch';
import type { TableView, ServerMessage, ClientMessage } from './generated/types';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** A page's link, and what it says of itself. */
function linked(line = new Line()): {
  link: TableConnection;
  line: Line;
  views: () => TableView[];
  states: boolean[];
} {
  const messages: ServerMessage[] = [];
  const states: boolean[] = [];
  const link = new TableConnection('friday', line.connect, {
    onStatus: (open) => states.push(open),
    received: (message) => messages.push(message),
  });
  onTestFinished(() => link.close());
  return {
    link,
    line,
    states,
    views: () => messages.flatMap((message) => (message.t === 'update' ? [message.view] : [])),
  };
}

const parts = (after: number, v: number, changed: readonly unknown[], proof?: number): ServerMessage => ({
  t: 'parts',
  table: 'friday',
  v,
  after,
  now: 0,
  parts: [...changed],
  ...(proof === undefined ? {} : { proof }),
});
const commands = (line: Line): (ClientMessage & { t: 'do' })[] => line.sent.filter((message) => message.t === 'do');

describe('a table that is told by its parts', () => {
  const whole = view({ v: 1 });

  test('is put together, and what did not change stays the very same object', () => {
    const { line, views } = linked();
    line.open();
    line.show(whole);
    const next = applyPatch(whole, { v: 2, now: 0, parts: ['rules.title', 'Turbo'] }, []);
    line.tell(parts(1, 2, ['rules.title', 'Turbo'], proofOf(next)));
    expect(views().at(-1)).toEqual({ ...whole, v: 2, rules: { ...whole.rules, title: 'Turbo' } });
    expect(views().at(-1)?.fair).toBe(whole.fair);
    expect(line.watches).toHaveLength(1);
  });

  test('asks for the whole once when something was missed, and not again before it comes', () => {
    const { line, views } = linked();
    line.open();
    line.show(whole);
    line.tell(parts(2, 3, []));
    line.tell(parts(3, 4, []));
    expect(line.watches).toHaveLength(2);
    expect(views()).toHaveLength(1);
    line.show(view({ v: 4 }));
    expect(views().at(-1)?.v).toBe(4);
  });

  test('asks for the whole when what it holds does not prove right', () => {
    const { line, views } = linked();
    line.open();
    line.show(whole);
    line.tell(parts(1, 2, [], proofOf({ ...whole, v: 2 }) ^ 1));
    expect(line.watches).toHaveLength(2);
    expect(views()).toHaveLength(1);
  });

  test('takes no parts of another table, and none before the whole', () => {
    const { line, views } = linked();
    line.open();
    line.tell(parts(0, 1, []));
    line.show(whole);
    line.tell({ ...parts(1, 2, []), table: 'another' } as ServerMessage);
    line.tell({ t: 'update', table: 'another', v: 9, now: 0, events: [], view: view({ v: 9, table: 'another' }) });
    line.tell(parts(1, 2, ['name', 'Another name']));
    expect(views().at(-1)).toMatchObject({ v: 2, name: 'Another name' });
    expect(line.watches).toHaveLength(1);
  });

  test('parts go to their place in lists too', () => {
    const talk = [
      { at: 0, who: 'Ann', text: 'one', seat: 0 },
      { at: 1, who: 'Bob', text: 'two', seat: 1 },
    ];
    const next = applyPatch(
      view({ talk }),
      { v: 1, now: 0, parts: ['talk.1.text', 'three', 'talk.0.seat', null] },
      [],
    );
    expect(next.talk).toEqual([
      { ...talk[0], seat: null },
      { ...talk[1], text: 'three' },
    ]);
  });

  test('a path that ends with a point has parts of its own, and lines of talk come at the end', () => {
    const ann = { at: 0, who: 'Ann', text: 'one', seat: 0 };
    const bob = { at: 1, who: 'Bob', text: 'two', seat: 1 };
    const cid = { at: 2, who: 'Cid', text: 'three', seat: null };
    const group = { v: 2, now: 0, parts: ['talk.0.', ['text', 'none', 'seat', null]] };
    const next = applyPatch(view({ talk: [ann, bob] }), group, []);
    expect(next).toEqual(view({ v: 2, talk: [{ ...ann, text: 'none', seat: null }, bob] }));
    const lines = { v: 3, now: 0, parts: ['talk.~', [0, 1], 'talk.+', [cid]] };
    expect(applyPatch(next, lines, []).talk).toEqual([bob, cid]);
  });

  test('a numbered path has a form in which its value is sent', () => {
    const paths = [
      ['clocks', [{ hand: 0, seat: 0, started: 1, street_ends: 1, bank_ends: 1 }]],
      ['next_at', 1],
      ['locked', 2],
      ['may.~', 0],
      ['talk.0.', 0],
      ['text', 3],
      ['who', 3],
    ] as const;
    const line = { at: 0, who: 'Ann', text: 'one', seat: 0 };
    const sent = [0, [[2, 1, 0, 30, 60]], 1, null, 2, 1, 3, [1, 1, 'wait', 'ready'], 4, [5, 'AhX1', 6, 2]];
    const before = view({ may: ['say', 'leave', 'sit_out'], talk: [line], next_at: 5 });
    expect(applyPatch(before, { v: 2, now: 1000, parts: sent }, paths)).toEqual({
      ...before,
      v: 2,
      clocks: [{ hand: 2, seat: 1, started: 1000, street_ends: 1030, bank_ends: 1060 }],
      next_at: null,
      locked: true,
      may: ['say', 'wait', 'ready', 'sit_out'],
      talk: [{ ...line, text: ['Ah', 'X1'], who: ['??', '??'] }],
    });
  });
});

describe('a command', () => {
  test('is sent once and settled by its answer', async () => {
    const { link, line } = linked();
    line.open();
    await expect(link.do(3, { do: 'ready' })).resolves.toEqual({ ok: true, v: 0 });
    expect(commands(line)).toEqual([
      { t: 'do', cmd_id: expect.any(String), table: 'friday', seen: 3, action: { do: 'ready' } },
    ]);
    line.answer = ({ cmd_id, table }) => ({
      t: 'refused',
      cmd_id,
      table,
      error: { code: 'no', message: 'not now', path: '$' },
    });
    await expect(link.do(3, { do: 'ready' })).resolves.toEqual({
      ok: false,
      error: { code: 'no', message: 'not now', path: '$' },
    });
  });

  test('waits for the connection, and is repeated under its id on the next one', async () => {
    const line = new Line();
    line.answer = null;
    const { link } = linked(line);
    const answer = link.do(0, { do: 'ready' });
    expect(line.sent).toEqual([]);
    line.open();
    line.cut();
    vi.advanceTimersByTime(500);
    expect(line.dialled).toBe(2);
    line.open();
    const [first, second] = commands(line);
    expect(second).toEqual(first);
    line.tell({ t: 'ack', cmd_id: first?.cmd_id ?? '', table: 'friday', v: 5 });
    await expect(answer).resolves.toEqual({ ok: true, v: 5 });
    line.cut();
    vi.advanceTimersByTime(1_000);
    line.open();
    expect(commands(line)).toHaveLength(2);
  });

  test('outlives its page: the one that a reload brings repeats it under the same id, until it is answered', () => {
    const gone = new Line();
    gone.answer = null;
    const before = linked(gone);
    gone.open();
    void before.link.do(0, { do: 'sit', seat: 0, points: 100 } as never);
    before.link.close();
    expect(Object.keys({ ...sessionStorage }).length + sessionStorage.length).toBeGreaterThan(0);
    const line = new Line();
    linked(line);
    line.open();
    expect(commands(line)).toEqual(commands(gone));
    expect(sessionStorage.length).toBe(0);
    // Answered: the next page repeats nothing.
    const third = new Line();
    linked(third);
    third.open();
    expect(commands(third)).toEqual([]);
  });

  test('of long ago, or of another table, is not meant any more', () => {
    const gone = new Line();
    gone.answer = null;
    const before = linked(gone);
    gone.open();
    void before.link.do(0, { do: 'ready' });
    before.link.close();
    const other = new Line();
    onTestFinished(() => elsewhere.close());
    const elsewhere = new TableConnection('another', other.connect, {
      onStatus: () => undefined,
      received: () => undefined,
    });
    other.open();
    expect(commands(other)).toEqual([]);
    vi.setSystemTime(120_001);
    const line = new Line();
    linked(line);
    line.open();
    expect(commands(line)).toEqual([]);
  });

  test('a browser that stores nothing keeps it until the page is left', async () => {
    vi.spyOn(sessionStorage, 'setItem').mockImplementation(() => {
      throw new Error('full');
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const { link, line } = linked();
    line.open();
    await expect(link.do(0, { do: 'ready' })).resolves.toMatchObject({ ok: true });
  });
});

describe('a connection', () => {
  test('is said when the server has greeted, and when it is lost', () => {
    const { line, states } = linked();
    expect(states).toEqual([]);
    line.open();
    line.cut();
    expect(states).toEqual([true, false]);
  });

  test('comes back by itself, at growing distances', () => {
    const { line } = linked();
    const waits: number[] = [];
    for (let tries = 1; tries <= 8; tries += 1) {
      line.cut();
      let waited = 0;
      while (line.dialled === tries && waited < 20_000) {
        vi.advanceTimersByTime(100);
        waited += 100;
      }
      waits.push(waited);
    }
    expect(waits[0]).toBe(400);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits.at(-1)).toBeLessThanOrEqual(6_100);
  });

  test('that is silent is asked for a sign of life, and counts as lost without one', () => {
    const { line, states } = linked();
    line.open();
    vi.advanceTimersByTime(2_100);
    expect(line.sent.filter(({ t }) => t === 'ping')).toHaveLength(1);
    line.tell({ t: 'pong', now: 0 });
    vi.advanceTimersByTime(1_900);
    expect(states).toEqual([true]);
    vi.advanceTimersByTime(2_500);
    expect(states).toEqual([true, false]);
  });

  test('that is never greeted counts as none', () => {
    const opened: (() => void)[] = [];
    const states: boolean[] = [];
    const link = new TableConnection(
      'friday',
      (events) => {
        opened.push(() => events.opened());
        return { send: () => events.received({ t: 'pong', now: 0 }), close: () => undefined };
      },
      { onStatus: (open) => states.push(open), received: () => undefined },
    );
    onTestFinished(() => link.close());
    vi.advanceTimersByTime(10);
    opened[0]?.();
    vi.advanceTimersByTime(5_100);
    expect(states).toEqual([false]);
  });

  test('is hurried when the browser is online again or seen again, and not after the page is left', () => {
    const { line, link } = linked();
    line.cut();
    window.dispatchEvent(new Event('online'));
    expect(line.dialled).toBe(2);
    line.cut();
    document.dispatchEvent(new Event('visibilitychange'));
    expect(line.dialled).toBe(3);
    link.close();
    line.cut();
    window.dispatchEvent(new Event('online'));
    vi.advanceTimersByTime(20_000);
    expect(line.dialled).toBe(3);
  });

  test('follows its table in the language that is read', () => {
    const { line, link } = linked();
    line.open();
    link.follow();
    expect(line.watches).toEqual([1, 2].map(() => ({ t: 'watch', table: 'friday', whole: false, language: 'en' })));
  });
});
