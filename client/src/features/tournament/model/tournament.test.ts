import { expect, test, vi } from 'vitest';
import type { Connect } from '../../../api/connection';
import type { TournamentsApi } from '../../../api/tournaments';
import { share } from './tournament.svelte';

test('the parts of a page share one connection to a tournament, which the last of them closes', () => {
  const close = vi.fn();
  const connect = vi.fn(() => ({ send: () => undefined, close })) as unknown as Connect;
  const [page, call] = [share('c1', connect, {} as TournamentsApi), share('c1', connect, {} as TournamentsApi)];
  const other = share('c2', connect, {} as TournamentsApi);
  expect(call.state).toBe(page.state);
  expect(other.state).not.toBe(page.state);
  expect(connect).toHaveBeenCalledTimes(2);
  page.release();
  expect(close).not.toHaveBeenCalled();
  call.release();
  expect(close).toHaveBeenCalledTimes(1);
  const again = share('c1', connect, {} as TournamentsApi);
  expect(again.state).not.toBe(page.state);
  other.release();
  again.release();
  expect(close).toHaveBeenCalledTimes(3);
});
