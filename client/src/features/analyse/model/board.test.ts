// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { formDesks } from '../../../../testing/solo';
import type { Api } from '../../../api/http';
import { AnalyseBoard } from './board.svelte';

async function opened(fragment: string, preset = 'pineapple'): Promise<AnalyseBoard> {
  const board = new AnalyseBoard(
    { presets: () => Promise.resolve([]) } as unknown as Api,
    formDesks,
    preset,
    fragment,
  );
  await vi.waitFor(() => expect(board.form).not.toBeNull());
  return board;
}

const put = (board: AnalyseBoard, ...cards: string[]): void => cards.forEach((card) => board.put(card));

test('a link that is not a position says so until something is laid', async () => {
  const board = await opened('#AhAh/nonsense');
  expect(board.problem).toContain('can’t be read');
  expect(board.used).toEqual([]);
  put(board, 'As', 'Ks', 'Qh', 'Jd', '2c');
  expect(board.problem).toBeNull();
  expect(board.query?.missing).toBeNull();
  expect(board.path).toBe('/analyse/pineapple#*//_!AsKsQhJd2c~//');
  expect(`${location.pathname}${location.hash}`).toBe(board.path);
});

test('the next card goes where one is missing, and none lies there twice', async () => {
  const board = await opened('');
  put(board, 'As', 'Ks', 'As', 'Qh', 'Jd', '2c', '3c');
  expect(board.setUp.hands[0]?.drawn).toEqual(['As', 'Ks', 'Qh', 'Jd', '2c']);
  board.takeBack({ hand: 0, zone: 'drawn' }, 'Ks');
  expect(board.query?.missing).toEqual({ kind: 'draw', more: 1 });
  put(board, '3c');
  expect(board.setUp.hands[0]?.drawn).toEqual(['As', 'Qh', 'Jd', '2c', '3c']);
  board.target({ hand: 1, zone: 'front' });
  put(board, 'Th');
  expect(board.setUp.hands[1]?.front).toEqual(['Th']);
  board.takeBackLast();
  expect(board.setUp.hands[1]?.front).toEqual([]);
});

test('what the rules have no place for is left out; whose turn it is stays the reader’s', async () => {
  const board = await opened('#Kd/7s/Ah~Th//~9c//~*Jh/4h/2s_!Qc4s9h');
  expect(board.problem).toContain('was left out');
  expect(board.setUp.me).toBe(2);
  expect(board.path).toBe('/analyse/pineapple#Kd/7s/Ah~Th//~*Jh/4h/2s_!Qc4s9h');
  expect([board.name(0), board.name(2)]).toEqual(['Opponent 1', 'You']);
});

test('other rules keep the cards that they know; those of a link stand in the address', async () => {
  const board = await opened('#*Kd/7s7h3c/AhAd2c_!Qc4s9h_-2d~Th/8c8d5s/TcJcQd&foul.points=30');
  expect(board.rules).toEqual({ preset: 'pineapple', 'foul.points': 30 });
  expect(board.path).toContain('&foul.points=30');
  await board.choose('turbo');
  expect(board.path).toMatch(/^\/analyse\/turbo#[^&]*$/);
  expect(board.used).toContain('Kd');
});

test('a placement is played, and the order of the streets goes on from a known one', async () => {
  const board = await opened('#*Kd/7s7h.3c/AhAd.2c_!Qc4s9h_-5d~Th/8c8d.5s/TcJc.Qd');
  board.place([['Qc'], ['9h'], []], ['4s']);
  expect(board.setUp.hands[0]).toMatchObject({
    front: ['Kd', 'Qc'],
    middle: ['7s', '7h', '3c', '9h'],
    drawn: [],
    discards: ['5d', '4s'],
  });
  expect(board.path).toMatch(/#\*[^~]*\.[^~]*\.[^~]*~/);
  expect(board.query?.missing).toEqual({ kind: 'draw', more: 3 });
  board.takeBack({ hand: 1, zone: 'middle' }, '5s');
  expect(board.path).toMatch(/~Th\/8c8d\/TcJcQd$/);
});
