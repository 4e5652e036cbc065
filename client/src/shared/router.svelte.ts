// The page that the address names. routes.json lists all pages; the server's table is generated from it. After `#` stands
// what a page carries: a position, changed options, a step, a link's secret. `/rules/~{table}` has a table's rules.

import ROUTES from './routes.json';

export type Route =
  | { readonly page: 'lobby' }
  | { readonly page: 'lost' }
  | { readonly page: 'table'; readonly table: string }
  | { readonly page: 'score' }
  | { readonly page: 'analyse'; readonly preset: string | null; readonly fragment: string }
  | { readonly page: 'solo'; readonly preset: string | null; readonly fragment: string }
  | { readonly page: 'duplicate'; readonly preset: string | null; readonly fragment: string }
  | { readonly page: 'practice' }
  | { readonly page: 'daily' }
  | { readonly page: 'learn'; readonly lesson: number }
  | { readonly page: 'help'; readonly topic: string }
  | { readonly page: 'me'; readonly table: string | null }
  | { readonly page: 'device' }
  | { readonly page: 'cup'; readonly cup: string }
  | { readonly page: 'review'; readonly table: string | null; readonly deal: number; readonly step: number }
  | { readonly page: 'history'; readonly table: string | null; readonly deal: number; readonly step: number }
  | { readonly page: 'rules'; readonly preset: string | null; readonly fragment: string };

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Return what a path's parts are under a route's pattern, or null when it is another path. */
function partsOf(pattern: string, path: readonly string[]): Record<string, string> | null {
  const expected = pattern.split('/').slice(1);
  if (path.length > expected.length) return null;
  const parts: Record<string, string> = {};
  for (const [at, piece] of expected.entries()) {
    const value = path[at] ?? '';
    const [, name, kind] = /^\{(\w+)(.*)\}$/.exec(piece) ?? [];
    if (name === undefined) {
      if (value !== piece) return null;
    } else {
      if (value === '' && kind !== '?') return null;
      if (kind === ':number' && !/^0*[1-9][0-9]*$/.test(value)) return null;
      parts[name] = value;
    }
  }
  return parts;
}

function read(): Route {
  const path = location.pathname
    .replace(/(.)\/$/, '$1')
    .split('/')
    .slice(1);
  for (const route of ROUTES) {
    const parts = partsOf(route.path, path);
    if (parts !== null) return routeOf(route.page as Exclude<Route['page'], 'lost'>, parts);
  }
  return { page: 'lost' };
}

function routeOf(page: Exclude<Route['page'], 'lost'>, parts: Readonly<Record<string, string>>): Route {
  const part = (name: string): string => decoded(parts[name] ?? '');
  switch (page) {
    case 'table':
      return { page, table: part('table') };
    case 'cup':
      return { page, cup: part('cup') };
    case 'me':
      return { page, table: part('table') || null };
    case 'learn':
      return { page, lesson: Number(part('lesson')) || 0 };
    case 'help':
      return { page, topic: part('topic') };
    case 'history':
    case 'review':
      return {
        page,
        table: part('table') || null,
        deal: Number(part('deal')),
        step: Number(location.hash.slice(1)) || 0,
      };
    case 'analyse':
    case 'solo':
    case 'duplicate':
    case 'rules':
      return { page, preset: part('preset') || null, fragment: location.hash };
    default:
      return { page };
  }
}

const here = $state<{ route: Route }>({ route: read() });
const look = (): Route => (here.route = read());
window.addEventListener('popstate', look);
window.addEventListener('hashchange', look);

export const router = {
  get route(): Route {
    return here.route;
  },
  /** `state`: what the page is handed, for as long as it can be come back to. */
  go(path: string, state: unknown = null): void {
    history.pushState(state, '', path);
    look();
    window.scrollTo(0, 0);
  },
  get state(): unknown {
    return history.state;
  },
  /** Hand the page that lies open something else. */
  hand(state: unknown): void {
    history.replaceState(state, '');
  },
  /** Read the address again. */
  look(): void {
    look();
  },
  /** Let the address say where the page has come to; the page stays. */
  replace(path: string): void {
    if (path !== location.pathname + location.hash) history.replaceState(null, '', path);
  },
};

export const tablePath = (table: string): string => `/t/${encodeURIComponent(table)}`;
export const cupPath = (cup: string): string => `/cup/${encodeURIComponent(cup)}`;
export const tableLink = (table: string): string => location.origin + tablePath(table);
export const sessionPath = (table: string): string => `/me/${encodeURIComponent(table)}`;
const dealPath =
  (page: string) =>
  (table: string, deal: number, step = 0): string =>
    `/${page}/${encodeURIComponent(table)}/${deal}${step > 0 ? `#${step}` : ''}`;
export const replayPath = dealPath('history');
export const reviewPath = dealPath('review');

/** What a link inside the pages does when it is clicked: a plain click stays in this page, others are the browser's. */
export function follow(event: MouseEvent & { currentTarget: HTMLAnchorElement }): void {
  followLink(event, event.currentTarget);
}

/** The same for a link that `event` happened in. */
export function followLink(event: MouseEvent, link: HTMLAnchorElement): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  router.go(link.pathname + link.hash);
}

/** Bring the part of a page into view that the address names after its `#`. Call it in an effect: it follows the route. */
export function scrollToPart(id: string): void {
  if (router.route && location.hash === `#${id}`) document.getElementById(id)?.scrollIntoView();
}
