import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { deal, Line, sheet, task, view } from '../../../../testing/table';
import type { ServerMessage } from '../../../api/generated/types';
import { notices } from '../../../shared/notices.svelte';
import { TableState } from './tableState.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function opened(): { table: TableState; line: Line } {
  const line = new Line();
  const table = new TableState('friday', line.connect);
  onTestFinished(() => table.close());
  line.open();
  return { table, line };
}

const problem = (code: string): ServerMessage =>
  ({ t: 'problem', table: 'friday', error: { code, message: code, path: '$' } }) as unknown as ServerMessage;

describe('a table’s page', () => {
  test('takes in what is newer, and nothing of other tables', () => {
    const { table, line } = opened();
    line.show(view({ v: 5, name: 'five' }));
    line.show(view({ v: 4, name: 'four' }));
    line.show(view({ v: 9, table: 'another' }));
    expect(table.view?.name).toBe('five');
  });

  test('knows its own seat, what it may do and what it is asked', () => {
    const { table, line } = opened();
    const seats = [
      { seat: 0, name: 'Ann' },
      { seat: 1, name: 'Bob' },
    ] as never;
    line.show(
      view({
        you: 1,
        seats,
        may: ['say'],
        deal: deal(1, [task('Ah Kd 2c'), task('', { kind: 'announce', hand: 1 })]),
      }),
    );
    expect(table.me?.name).toBe('Bob');
    expect([table.may('say'), table.may('leave')]).toEqual([true, false]);
    expect([table.task?.kind, table.question?.kind]).toEqual(['place', 'announce']);
    line.show(view({ v: 2, you: null }));
    expect([table.me, table.task, table.question]).toEqual([null, null, null]);
  });

  test('a settled deal stays while the next is played; who came to fantasyland is seen once, oneself first', () => {
    const { table, line } = opened();
    line.show(view({ v: 1, you: 1, sheet: sheet(1, { fantasyland: 14 }) }));
    expect([table.sheet?.deal, table.hasNewSheet, table.celebration]).toEqual([1, false, null]);
    line.show(view({ v: 2, you: 1, phase: 'showdown', sheet: sheet(2, { fantasyland: 14 }, { fantasyland: 15 }) }));
    expect([table.sheet?.deal, table.hasNewSheet]).toEqual([2, true]);
    expect(table.celebration).toEqual({ seat: 1, player: 'Bob', cards: 15 });
    line.show(view({ v: 3, you: 1, deal: deal(3, []), sheet: table.sheet }));
    expect([table.sheet?.deal, table.hasNewSheet, table.celebration]).toEqual([2, false, null]);
  });

  test('lines that others say are news until the talk is read', () => {
    const { table, line } = opened();
    const chat = (...at: number[]) => at.map((at) => ({ at, who: at === 3 ? '' : 'Bob', text: 'x', seat: 1 }));
    line.show(view({ v: 1, talk: chat(1) }));
    expect(table.unread).toBe(0);
    line.show(view({ v: 2, talk: chat(1, 2, 3, 4) }));
    expect(table.unread).toBe(2);
    table.readTalk();
    expect(table.unread).toBe(0);
  });

  test('what is refused is said, and whether it was done is answered', async () => {
    const refuse = vi.spyOn(notices, 'refuse').mockImplementation(() => undefined);
    const { table, line } = opened();
    expect(await table.do({ do: 'ready' })).toBe(true);
    line.answer = ({ cmd_id, table: at }) => ({
      t: 'refused',
      cmd_id,
      table: at,
      error: { code: 'no', message: 'not now', path: '$' },
    });
    expect(await table.do({ do: 'ready' })).toBe(false);
    expect(refuse.mock.calls.map(([{ message }]) => message)).toEqual(['not now']);
  });

  test('a password that is asked for hides the table, and who has given it comes in', () => {
    const { table, line } = opened();
    line.show(view());
    line.tell(problem('table.password'));
    expect([table.view, table.problem?.code]).toEqual([null, 'table.password']);
    table.enterWithPassword();
    expect([table.problem, line.watches.length]).toEqual([null, 2]);
  });

  test('in a league whose table went on without one, nothing is said; another problem is', () => {
    const say = vi.spyOn(notices, 'say').mockImplementation(() => undefined);
    const { table, line } = opened();
    line.show(view());
    line.tell(problem('table.league'));
    expect([table.hasMovedTable, say.mock.calls.length]).toEqual([true, 0]);
    line.tell(problem('table.broken'));
    expect(say.mock.calls).toEqual([['table.broken', 'bad']]);
  });

  test('views are heard with the one before, but the first of a connection without', () => {
    const { table, line } = opened();
    const versions: (number | null)[] = [];
    table.onView = (before) => versions.push(before?.v ?? null);
    line.show(view({ v: 1 }));
    line.show(view({ v: 2 }));
    line.cut();
    vi.advanceTimersByTime(500);
    line.open();
    line.show(view({ v: 3 }));
    expect(versions).toEqual([null, 1, null]);
  });
});
