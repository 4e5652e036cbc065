// Every page that a person can choose, in three areas and their own: what the header, the menus and the lobby list.

import { m } from './i18n.svelte';
import type { Route } from './router.svelte';

export type Area = 'play' | 'learn' | 'tools' | 'you';

export interface SiteLink {
  readonly path: string;
  readonly title: () => string;
  /** The pages on which this link is marked as the current one. */
  readonly isCurrent: (route: Route) => boolean;
}

const on =
  (page: Route['page']) =>
  (route: Route): boolean =>
    route.page === page;
const never = (): boolean => false;

export const SITE: Readonly<Record<Area, { readonly title: () => string; readonly links: readonly SiteLink[] }>> = {
  play: {
    title: m.nav_play,
    links: [
      { path: '/', title: m.nav_lobby, isCurrent: on('lobby') },
      { path: '/solo', title: m.common_solo_title, isCurrent: on('solo') },
      { path: '/daily', title: m.common_daily_title, isCurrent: on('daily') },
      { path: '/duplicate', title: m.common_duplicate_title, isCurrent: on('duplicate') },
      { path: '/#tournaments', title: m.common_tournaments, isCurrent: on('cup') },
    ],
  },
  learn: {
    title: m.nav_learn,
    links: [
      { path: '/learn', title: m.nav_lessons, isCurrent: on('learn') },
      { path: '/practice', title: m.common_practice_title, isCurrent: on('practice') },
      { path: '/help', title: m.nav_help, isCurrent: on('help') },
    ],
  },
  tools: {
    title: m.nav_tools,
    links: [
      { path: '/analyse', title: m.common_analyse_title, isCurrent: on('analyse') },
      { path: '/score', title: m.common_scorer, isCurrent: on('score') },
      { path: '/rules', title: m.common_house_rules, isCurrent: on('rules') },
      { path: '/history', title: m.common_replay, isCurrent: on('history') },
    ],
  },
  you: {
    title: m.nav_you,
    links: [
      { path: '/me', title: m.nav_results, isCurrent: on('me') },
      { path: '/review', title: m.nav_reviews, isCurrent: on('review') },
      { path: '/me#account', title: m.nav_account, isCurrent: never },
    ],
  },
};

export const AREAS = Object.keys(SITE) as readonly Area[];

/** Return the area that a page belongs to. */
export const areaOf = (route: Route): Area | null =>
  AREAS.find((area) => SITE[area].links.some((link) => link.isCurrent(route))) ?? null;
