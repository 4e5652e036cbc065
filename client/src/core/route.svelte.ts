// Two pages: the lobby `/` and a table `/t/{id}`.

export type Route = { readonly page: 'lobby' } | { readonly page: 'table'; readonly table: string };

function read(): Route {
  const match = /^\/t\/([^/]+)\/?$/.exec(location.pathname);
  const table = match?.[1];
  return table === undefined ? { page: 'lobby' } : { page: 'table', table: decodeURIComponent(table) };
}

const here = $state<{ route: Route }>({ route: read() });
window.addEventListener('popstate', () => (here.route = read()));

export const router = {
  get route(): Route {
    return here.route;
  },
  go(path: string): void {
    history.pushState(null, '', path);
    here.route = read();
    window.scrollTo(0, 0);
  },
};

export const tablePath = (table: string): string => `/t/${encodeURIComponent(table)}`;
export const tableLink = (table: string): string => location.origin + tablePath(table);
