// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { at, draw, fill, press, seen } from '../../../../testing/drawn';
import { RulesDesk } from '../../../../testing/rules';
import { RulesState } from '../model/rules.svelte';
import { grouped, type Item, type OptionItem, type TilesItem } from '../model/format';
import OptionRow from './OptionRow.svelte';
import Tiles from './Tiles.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function opened(desk = new RulesDesk()): Promise<RulesState> {
  const editor = new RulesState(desk.tools, 'pineapple', {});
  onTestFinished(() => editor.close());
  await looked();
  return editor;
}

/** Let what was changed be asked, and its answer come. */
async function looked(): Promise<void> {
  await vi.advanceTimersByTimeAsync(100);
  flushSync();
}

const items = (editor: RulesState): Item[] => grouped(editor.options).flatMap((group) => group.items);

function show(editor: RulesState, key: string): void {
  const item = items(editor).find((other) =>
    other.kind === 'option' ? other.option.key === key : other.options.some((option) => option.key === key),
  );
  if (item?.kind === 'tiles') draw(Tiles, { editor, item: item as TilesItem });
  else draw(OptionRow, { editor, item: item as OptionItem });
}

test('a number of an option changes the rules when it is one, and says its limits when it is not', async () => {
  const editor = await opened();
  show(editor, 'clock.seconds');
  fill(at<HTMLInputElement>('set-clock.seconds'), '0');
  expect(at('set-clock.seconds-limits').textContent).toBe('A whole number from 1 to 86400');
  expect(editor.overrides).toEqual({});
  fill(at<HTMLInputElement>('set-clock.seconds'), '45');
  await looked();
  expect(seen('set-clock.seconds-limits')).toBeNull();
  expect(editor.overrides).toEqual({ 'clock.seconds': 45 });
  press('back-clock.seconds');
  await looked();
  expect(at<HTMLInputElement>('set-clock.seconds').value).toBe('30');
  expect(editor.overrides).toEqual({});
});

test('the price of a point is any number above zero', async () => {
  const editor = await opened();
  show(editor, 'stake.point');
  fill(at<HTMLInputElement>('set-stake.point'), '0');
  expect(at('set-stake.point-limits').textContent).toBe('A number above 0, up to 1000000');
  expect(editor.overrides).toEqual({});
  fill(at<HTMLInputElement>('set-stake.point'), '0.05');
  expect(editor.overrides).toEqual({ 'stake.point': 0.05 });
});

test('the numbers of a table stand side by side; each has its limits and goes back by itself', async () => {
  const editor = await opened();
  show(editor, 'royalties.table.back.quads');
  fill(at<HTMLInputElement>('set-royalties.table.back.quads'), '-1');
  fill(at<HTMLInputElement>('set-royalties.table.back.flush'), '6');
  await looked();
  expect(at('set-royalties.table.back.quads-limits').textContent).toBe('A whole number from 0 to 1000');
  expect(at<HTMLInputElement>('set-royalties.table.back.quads').value).toBe('-1');
  expect(editor.overrides).toEqual({ 'royalties.table.back.flush': 6 });
  expect(seen('back-royalties.table.back.quads')).toBeNull();
  press('back-royalties.table.back.flush');
  await looked();
  expect(at<HTMLInputElement>('set-royalties.table.back.flush').value).toBe('4');
});

test('a number beside choices has limits too', async () => {
  const editor = await opened();
  show(editor, 'foul.points');
  at<HTMLInputElement>('set-foul.points-number').checked = true;
  fill(at<HTMLInputElement>('set-foul.points-number'), 'on', 'change');
  expect(editor.overrides).toEqual({ 'foul.points': 1 });
  fill(at<HTMLInputElement>('set-foul.points'), '1001');
  expect(at('set-foul.points-limits').textContent).toBe('A whole number from 0 to 1000');
  expect(editor.overrides).toEqual({ 'foul.points': 1 });
});

test('a count of one’s own is set row by row, and changing the kind of count lets it start afresh', async () => {
  const editor = await opened();
  show(editor, 'scoring.points');
  fill(at<HTMLInputElement>('set-scoring.points-Middle'), '2');
  fill(at<HTMLInputElement>('set-scoring.points-Back'), '3');
  expect(editor.overrides).toEqual({ 'scoring.points': [1, 2, 3] });
  await looked();
  expect(at('back-scoring.points').title).toContain('Front 1, Middle 1, Back 1');
  editor.set('scoring.rows', 'custom');
  expect(editor.overrides).toEqual({ 'scoring.rows': 'custom' });
});

test('conditions of one’s own are not called by the kind that they came from', async () => {
  const editor = await opened();
  show(editor, 'fantasyland.kind');
  expect(at<HTMLInputElement>('set-fantasyland.kind-unlimited').checked).toBe(true);
  editor.set('fantasyland.entry', [{ row: 'front', least: 'KK', cards: 15 }]);
  await looked();
  expect(at<HTMLInputElement>('set-fantasyland.kind-unlimited').checked).toBe(false);
  expect(at<HTMLInputElement>('set-fantasyland.kind-custom').checked).toBe(true);
  at<HTMLInputElement>('set-fantasyland.kind-unlimited').checked = true;
  fill(at<HTMLInputElement>('set-fantasyland.kind-unlimited'), 'on', 'change');
  await looked();
  expect(editor.overrides).toEqual({});
});

test('conditions of fantasyland are changed, joined, added and taken out', async () => {
  const editor = await opened();
  const entry = (): unknown => editor.value('fantasyland.entry');
  show(editor, 'fantasyland.entry');
  press('add-fantasyland.entry');
  expect(entry()).toEqual([
    { row: 'front', least: 'QQ', cards: 14 },
    { row: 'front', least: 'QQ', cards: 14 },
  ]);
  fill(at<HTMLSelectElement>('where-fantasyland.entry-1-0'), 'middle', 'change');
  fill(at<HTMLInputElement>('least-fantasyland.entry-1-0'), 'Full house', 'change');
  fill(at<HTMLSelectElement>('cards-fantasyland.entry-1'), '16', 'change');
  press('and-fantasyland.entry-1');
  fill(at<HTMLSelectElement>('where-fantasyland.entry-1-1'), 'royalties', 'change');
  fill(at<HTMLInputElement>('least-fantasyland.entry-1-1'), '20');
  expect(entry()).toEqual([
    { row: 'front', least: 'QQ', cards: 14 },
    { all: [{ row: 'middle', least: 'full_house' }, { royalties: 20 }], cards: 16 },
  ]);
  // What is outside the limits does nothing.
  fill(at<HTMLInputElement>('least-fantasyland.entry-1-1'), '0');
  expect(at('least-fantasyland.entry-1-1-limits').textContent).toBe('A whole number from 1 to 1000');
  fill(at<HTMLInputElement>('least-fantasyland.entry-0-0'), 'kk', 'change');
  press('remove-fantasyland.entry-1');
  expect(entry()).toEqual([{ row: 'front', least: 'KK', cards: 14 }]);
});

test('what the server refuses stands beside its option, and goes again', async () => {
  const desk = new RulesDesk();
  desk.refuse = (spec) =>
    JSON.stringify(spec).includes('QJ')
      ? { code: 'rules.hand', message: "'QJ' is not a hand", path: '$.fantasyland.entry[0].least' }
      : null;
  const editor = await opened(desk);
  show(editor, 'fantasyland.entry');
  const problem = (): string | null => seen('problem')?.textContent?.trim() ?? null;
  fill(at<HTMLInputElement>('least-fantasyland.entry-0-0'), 'QJ', 'change');
  await looked();
  expect(problem()).toContain("'QJ' is not a hand");
  expect(editor.blocked).toBe(true);
  fill(at<HTMLInputElement>('least-fantasyland.entry-0-0'), 'KK', 'change');
  await looked();
  expect(problem()).toBeNull();
  expect(editor.blocked).toBe(false);
});

test('a choice with a number in it keeps its number', async () => {
  const editor = await opened();
  show(editor, 'match.length');
  fill(at<HTMLInputElement>('set-match.length-deals:N'), 'on', 'change');
  expect(editor.overrides).toEqual({ 'match.length': 'deals:10' });
});
