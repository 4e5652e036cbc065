// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { AREAS, areaOf, SITE } from './siteMap';
import { router } from './router.svelte';

test.each(AREAS.flatMap((area) => SITE[area].links.map(({ path }) => [path, area] as const)))(
  '%s is a page of its area %s, and marked there',
  (path, area) => {
    router.go(path);
    expect(router.route.page).not.toBe('lost');
    // One's account is a part of the page with one's results, and the tournaments are a part of the lobby.
    expect(areaOf(router.route)).toBe(path === '/#tournaments' ? 'play' : area);
  },
);

test('no two links lead to the same place, and every link has a title', () => {
  const links = AREAS.flatMap((area) => SITE[area].links);
  expect(new Set(links.map(({ path }) => path)).size).toBe(links.length);
  for (const { title } of links) expect(title()).toMatch(/\p{L}/u);
});

test('a table and an unknown address belong to no area', () => {
  router.go('/t/abc');
  expect(areaOf(router.route)).toBeNull();
  router.go('/nothing/here');
  expect(areaOf(router.route)).toBeNull();
  router.go('/');
});
