// The pages: the lobby `/`, a table `/t/{id}`, house rules `/rules` and `/rules/{preset}#{overrides}` (`~{table}`: a table's), the
// scorer `/score`, the analysis board `/analyse` and `/analyse/{preset}#{position}`, a match on this device `/solo/{preset}#{position}`, practice `/practice`, the daily deal `/daily`, a duplicate match `/duplicate/{preset}#{match}`, lessons `/learn` and `/learn/{number}`, one's own sessions `/me` and `/me/{table}`, a link from another device `/device#{secret}`, a finished deal `/history/{table}/{deal}#{step}`
// and `/history` for one from a file; its review `/review/{table}/{deal}#{placement}`, and `/review`.

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

function read(): Route {
  const [first, second, third] = location.pathname.split('/').slice(1).map(decoded);
  if (first === 't' && second) return { page: 'table', table: second };
  if (first === 'analyse') return { page: 'analyse', preset: second || null, fragment: location.hash };
  if (first === 'solo') return { page: 'solo', preset: second || null, fragment: location.hash };
  if (first === 'duplicate') return { page: 'duplicate', preset: second || null, fragment: location.hash };
  if (first === 'learn') return { page: 'learn', lesson: Number(second) || 0 };
  if (first === 'rules') return { page: 'rules', preset: second || null, fragment: location.hash };
  if (first === 'history' || first === 'review') {
    const deal = Number(third);
    const known = second && Number.isInteger(deal) && deal > 0;
    return {
      page: first,
      table: known ? second : null,
      deal: known ? deal : 0,
      step: Number(location.hash.slice(1)) || 0,
    };
  }
  if (first === 'me') return { page: 'me', table: second || null };
  if (first === 'device') return { page: 'device' };
  if (first === 'cup' && second) return { page: 'cup', cup: second };
  if (first === 'practice') return { page: 'practice' };
  if (first === 'daily') return { page: 'daily' };
  if (first === 'score') return { page: 'score' };
  return { page: first ? 'lost' : 'lobby' };
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
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  router.go(event.currentTarget.pathname + event.currentTarget.hash);
}

/** Bring the part of a page into view that the address names after its `#`. Call it in an effect: it follows the route. */
export function scrollToPart(id: string): void {
  if (router.route && location.hash === `#${id}`) document.getElementById(id)?.scrollIntoView();
}
