import { beforeEach, expect, test } from 'vitest';
import { ApiError } from '../../../api/http';
import type { DailyRankings } from '../../../api/generated/types';
import { People } from './people.svelte';

const DAY = '2030-03-01';

/** A server that keeps one player's points by day. */
class Server {
  shared = new Map<string, number>();
  isAway = false;

  private readonly answer = (day: string): Promise<DailyRankings> => {
    if (this.isAway) return Promise.reject(new ApiError({ code: 'offline', message: 'away', path: '$' }));
    const ranking = { lines: [], players: this.shared.size, place: this.shared.has(day) ? 1 : null };
    return Promise.resolve({ day: ranking, week: ranking, streak: this.shared.size, longest: this.shared.size });
  };
  readonly dailyRankings = this.answer;
  readonly shareDaily = (day: string, points: number): Promise<DailyRankings> => {
    if (!this.isAway) this.shared.set(day, points);
    return this.answer(day);
  };
  readonly withdrawDaily = (): Promise<DailyRankings> => {
    if (!this.isAway) this.shared.clear();
    return this.answer(DAY);
  };
}

let server: Server;
beforeEach(() => {
  localStorage.clear();
  server = new Server();
});

test('nothing is sent before the player agrees; then each day is shared by itself', async () => {
  const people = new People(server, DAY);
  await people.open(7);
  expect([people.isSharing, server.shared.size, people.rankings?.day.place]).toEqual([false, 0, null]);
  await people.share(7);
  expect([people.isSharing, server.shared.get(DAY), people.rankings?.day.place]).toEqual([true, 7, 1]);
  await new People(server, '2030-03-02').open(-3);
  expect(server.shared.get('2030-03-02')).toBe(-3);
});

test('everything is taken back, and nothing is sent any more', async () => {
  const people = new People(server, DAY);
  await people.share(7);
  await people.withdraw();
  expect([people.isSharing, server.shared.size, people.rankings?.day.place]).toEqual([false, 0, null]);
  await new People(server, '2030-03-02').open(1);
  expect(server.shared.size).toBe(0);
});

test('without a server it says so, and the player agrees to nothing', async () => {
  server.isAway = true;
  const people = new People(server, DAY);
  await people.share(7);
  expect([people.isSharing, people.problem, people.rankings]).toEqual([false, 'away', null]);
  server.isAway = false;
  await people.share(7);
  expect([people.isSharing, people.problem]).toEqual([true, null]);
});
