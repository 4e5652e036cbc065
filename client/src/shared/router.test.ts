// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { cupPath, sessionPath, replayPath, reviewPath, router, tableLink, tablePath } from './router.svelte';

test.each([
  ['/', { page: 'lobby' }],
  ['/t/a%20b', { page: 'table', table: 'a b' }],
  ['/t', { page: 'lost' }],
  ['/nothing', { page: 'lost' }],
  ['/score', { page: 'score' }],
  ['/practice', { page: 'practice' }],
  ['/daily', { page: 'daily' }],
  ['/device', { page: 'device' }],
  ['/cup/c1', { page: 'cup', cup: 'c1' }],
  ['/learn', { page: 'learn', lesson: 0 }],
  ['/learn/3', { page: 'learn', lesson: 3 }],
  ['/learn/x', { page: 'learn', lesson: 0 }],
  ['/me', { page: 'me', table: null }],
  ['/me/t1', { page: 'me', table: 't1' }],
  ['/analyse', { page: 'analyse', preset: null, fragment: '' }],
  ['/analyse/turbo#x', { page: 'analyse', preset: 'turbo', fragment: '#x' }],
  ['/solo/turbo', { page: 'solo', preset: 'turbo', fragment: '' }],
  ['/duplicate/turbo#seed=1', { page: 'duplicate', preset: 'turbo', fragment: '#seed=1' }],
  ['/rules/~t1', { page: 'rules', preset: '~t1', fragment: '' }],
  ['/history/t1/3#7', { page: 'history', table: 't1', deal: 3, step: 7 }],
  ['/history/t1/0', { page: 'lost' }],
  ['/review/t1/x', { page: 'lost' }],
  ['/review/t1', { page: 'lost' }],
  ['/score/of/many', { page: 'lost' }],
  ['/score/', { page: 'score' }],
  ['/review', { page: 'review', table: null, deal: 0, step: 0 }],
  ['/t/%E0%A4%A', { page: 'table', table: '%E0%A4%A' }],
])('%s', (path, route) => {
  router.go(path);
  expect(router.route).toEqual(route);
});

test('paths are written as they are read', () => {
  expect([
    tablePath('a b'),
    cupPath('c/1'),
    sessionPath('t'),
    replayPath('t', 3),
    replayPath('t', 3, 7),
    reviewPath('t', 2),
  ]).toEqual(['/t/a%20b', '/cup/c%2F1', '/me/t', '/history/t/3', '/history/t/3#7', '/review/t/2']);
  expect(tableLink('t')).toBe(`${location.origin}/t/t`);
});

test('a page is handed something, which it may change, and says where it has come to', () => {
  router.go('/review', { text: 'one' });
  expect(router.state).toEqual({ text: 'one' });
  router.hand({ text: 'two' });
  expect(router.state).toEqual({ text: 'two' });
  const { length } = history;
  router.replace('/history/t/3#7');
  expect(history.length).toBe(length);
  router.look();
  expect(router.route).toMatchObject({ page: 'history', step: 7 });
});
