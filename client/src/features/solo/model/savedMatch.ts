// Matches are saved in the browser's database. Without one, a match lasts as long as its page.

import { browserStore } from '../../../shared/database';
import { emptyHand } from '../../analyse/model/position';
import type { SavedMatch } from './match';

const STORE = 'solo';
const inStore = browserStore('triptych', STORE, (database) => database.createObjectStore(STORE));

export async function loadMatch(key: string): Promise<SavedMatch | null> {
  const saved = ((await inStore('readonly', (store) => store.get(key))) as SavedMatch | undefined) ?? null;
  const position = saved?.setup.position;
  if (saved === null || position === undefined) return saved;
  // Matches saved before positions held their order have hands without it.
  return {
    ...saved,
    setup: {
      ...saved.setup,
      position: { ...position, hands: position.hands.map((hand) => ({ ...emptyHand, ...hand })) },
    },
  };
}
export const saveMatch = async (key: string, match: SavedMatch): Promise<void> =>
  void (await inStore('readwrite', (store) => store.put(match, key)));
