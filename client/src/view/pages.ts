// The two pages on which people arrive; each comes with its own code. The first one is asked for before all else.

import { router } from '../core/shared/route.svelte';

export const lobbyPage = () => import('./lobby/Lobby.svelte');
export const tablePage = () => import('./table/Table.svelte');

/** Begin to fetch the page that the address names; what fails is asked for again when it is shown. */
export async function fetchFirstPage(): Promise<void> {
  const { page } = router.route;
  const first = page === 'lobby' ? lobbyPage : page === 'table' ? tablePage : null;
  await first?.().then(
    () => undefined,
    () => undefined,
  );
}
