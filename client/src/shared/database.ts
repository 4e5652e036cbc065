// The browser's own database, which a worker may read and the page need not.

/** Asks a store for something; null where there is no database or it refuses. */
export type AskStore = <T>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
) => Promise<T | null>;

/** `create`: makes the store, in a browser that does not have it yet. */
export function browserStore(name: string, store: string, create: (database: IDBDatabase) => unknown): AskStore {
  const opened = (): Promise<IDBDatabase> =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => create(request.result);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('no database'));
    });
  return async <T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | null> => {
    try {
      const database = await opened();
      return await new Promise<T>((resolve, reject) => {
        const request = ask(database.transaction(store, mode).objectStore(store));
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('no answer'));
      }).finally(() => database.close());
    } catch {
      return null;
    }
  };
}
