// The two pages on which people arrive; each comes with its own code. The first one is asked for before all else.

import { router } from '../shared/router.svelte';

export const lobbyPage = () => import('../features/lobby/LobbyPage.svelte');
export const tablePage = () => import('../features/table/TablePage.svelte');

/** Begin to fetch the page that the address names; what fails is asked for again when it is shown. */
export async function fetchFirstPage(): Promise<void> {
  const { page } = router.route;
  const first = page === 'lobby' ? lobbyPage : page === 'table' ? tablePage : null;
  await first?.().then(
    () => undefined,
    () => undefined,
  );
}
