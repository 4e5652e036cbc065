// The two pages on which people arrive; each comes with its own code. The first one is asked for before all else.

import { language } from '../shared/i18n.svelte';
import { router } from '../shared/router.svelte';

/** Return the code of a page, or a part, that says more than the lobby does, when its messages are there. */
export async function withMessages<T>(code: Promise<T>, part?: 'table'): Promise<T> {
  return (await Promise.all([code, language.complete(part)]))[0];
}

export const lobbyPage = () => import('../features/lobby/LobbyPage.svelte');
export const tablePage = () => withMessages(import('../features/table/TablePage.svelte'), 'table');

/** Begin to fetch the page that the address names; what fails is asked for again when it is shown. */
export async function fetchFirstPage(): Promise<void> {
  const { page } = router.route;
  const first = page === 'lobby' ? lobbyPage : page === 'table' ? tablePage : null;
  await first?.().then(
    () => undefined,
    () => undefined,
  );
}
