import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ahead, deal, Line, task, view } from '../../../../testing/table';
import type { Layout, TableView } from '../../../api/generated/types';
import { notices } from '../../../shared/notices.svelte';
import { TableState } from './tableState.svelte';

const FIVE = 'Ah Ks Kd 9c 5d';
const LAID: Layout = { front: ['5d'], middle: ['Kd', '9c'], back: ['Ah', 'Ks'] };
const waits = (v: number, more: Parameters<typeof ahead>[1] = {}): TableView =>
  view({ v, deal: deal(1, []), ahead: [ahead(task(FIVE), more)] });
const turn = (v: number, layout: Layout, more: Partial<TableView> = {}): TableView =>
  view({ v, deal: deal(1, [task(FIVE, { layout })]), yours: true, ...more });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function seated(): { table: TableState; line: Line } {
  const line = new Line();
  const table = new TableState('friday', line.connect);
  onTestFinished(() => table.close());
  line.open();
  line.show(waits(1));
  for (const row of ['front', 'middle', 'back'] as const) for (const card of LAID[row]) table.placing.put(card, row);
  return { table, line };
}

test('what is laid before one’s turn is told as such, and Ready is kept for it', async () => {
  const { table, line } = seated();
  await vi.advanceTimersByTimeAsync(100);
  expect(line.asked).toEqual([{ do: 'ahead', hand: 0, action: { do: 'arrange', hand: 0, layout: LAID } }]);
  await table.placing.confirm();
  expect(line.asked.at(-1)).toEqual({ do: 'ahead', hand: 0, action: { do: 'place', hand: 0, layout: LAID } });
  line.show(waits(2, { kept: 'place', layout: LAID }));
  expect(table.placing.active).toMatchObject({ ahead: true, sent: true, now: { layout: LAID } });
  // Nothing moves while it is kept.
  table.placing.takeBack('Ah', false);
  expect(table.placing.active?.now.layout).toEqual(LAID);
});

test('what was set ahead is taken back and stays as it was laid, also over a reload', async () => {
  const { table, line } = seated();
  await table.placing.confirm();
  line.show(waits(2, { kept: 'place', layout: LAID }));
  await table.placing.takeBackReady();
  expect(line.asked.at(-1)).toEqual({ do: 'ahead', hand: 0, action: { do: 'arrange', hand: 0, layout: LAID } });
  line.show(waits(3, { kept: 'arrange', layout: LAID }));
  expect(table.placing.active).toMatchObject({ sent: false, now: { layout: LAID } });
  const again = new Line();
  const reloaded = new TableState('friday', again.connect);
  onTestFinished(() => reloaded.close());
  again.open();
  again.show(waits(3, { kept: 'arrange', layout: LAID }));
  expect(reloaded.placing.active).toMatchObject({ ahead: true, sent: false, now: { layout: LAID } });
  // The turn comes: the cards lie as they were laid, and wait for Ready.
  again.show(turn(4, LAID));
  expect(reloaded.placing.active).toMatchObject({ ahead: false, sent: false, now: { layout: LAID } });
  await reloaded.ready();
  expect(again.asked.at(-1)).toEqual({ do: 'place', hand: 0, layout: LAID });
});

test('what was not done when the turn came is the person’s again', async () => {
  const { table, line } = seated();
  await table.placing.confirm();
  line.show(waits(2, { kept: 'place', layout: LAID }));
  line.show(turn(3, LAID));
  expect(table.placing.active).toMatchObject({ ahead: false, sent: false });
});

test('what was dropped is said, once', () => {
  const say = vi.spyOn(notices, 'say');
  const { line } = seated();
  line.show(turn(2, LAID, { dropped: true }));
  line.show(turn(3, LAID, { dropped: true }));
  expect(say.mock.calls).toEqual([[expect.stringContaining('Your premove could not be played')]]);
});

test('what another device lays is followed, unless this one is ahead', async () => {
  const { table, line } = seated();
  line.show(waits(2, { layout: { front: ['Ah'], middle: [], back: [] } }));
  expect(table.placing.active?.now.layout).toEqual(LAID);
  await vi.advanceTimersByTimeAsync(100);
  line.show(waits(3, { layout: { front: ['Ah'], middle: [], back: [] } }));
  expect(table.placing.active?.now.layout).toEqual({ front: ['Ah'], middle: [], back: [] });
});

test('a refused Ready lets everything be moved again', async () => {
  const { table, line } = seated();
  line.show(turn(2, LAID));
  line.answer = ({ cmd_id, table: at }) => ({
    t: 'refused',
    cmd_id,
    table: at,
    error: { code: 'deal.wrong', message: 'not so', path: '$' },
  });
  const answer = await table.placing.confirm();
  expect(answer).toMatchObject({ ok: false });
  expect(table.placing.active?.sent).toBe(false);
});

test('what is laid while the connection is lost is told when it is back', async () => {
  const line = new Line();
  const table = new TableState('friday', line.connect);
  onTestFinished(() => table.close());
  line.open();
  line.show(turn(1, { front: [], middle: [], back: [] }));
  expect(table.connection).toBe('open');
  line.cut();
  expect(table.connection).toBe('lost');
  table.placing.put('Ah', 'back');
  await vi.advanceTimersByTimeAsync(600);
  expect(line.asked).toEqual([]);
  line.open();
  expect(table.connection).toBe('back');
  expect(line.asked).toEqual([{ do: 'arrange', hand: 0, layout: { front: [], middle: [], back: ['Ah'] } }]);
  await vi.advanceTimersByTimeAsync(2_600);
  expect(table.connection).toBe('open');
});
