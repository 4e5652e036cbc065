// What a match is kept in: the browser's own database, which a worker may read and the page need not. Without one, a match
// lasts as long as its page.

import { emptyHand } from '../../analyse/model/position';
import type { Kept } from './match';

const NAME = 'triptych';
const SHELF = 'solo';

const opened = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => void asked.result.createObjectStore(SHELF);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error('no database'));
  });

async function asked<T>(mode: IDBTransactionMode, ask: (shelf: IDBObjectStore) => IDBRequest<T>): Promise<T | null> {
  try {
    const database = await opened();
    return await new Promise<T>((resolve, reject) => {
      const request = ask(database.transaction(SHELF, mode).objectStore(SHELF));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('no answer'));
    }).finally(() => database.close());
  } catch {
    return null;
  }
}

export async function loadMatch(key: string): Promise<Kept | null> {
  const kept = ((await asked('readonly', (shelf) => shelf.get(key))) as Kept | undefined) ?? null;
  const position = kept?.setup.position;
  if (kept === null || position === undefined) return kept;
  // What was kept before positions told their order has hands without it.
  return {
    ...kept,
    setup: {
      ...kept.setup,
      position: { ...position, hands: position.hands.map((hand) => ({ ...emptyHand, ...hand })) },
    },
  };
}
export const saveMatch = async (key: string, match: Kept): Promise<void> =>
  void (await asked('readwrite', (shelf) => shelf.put(match, key)));
