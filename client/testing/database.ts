// A database of this browser that lasts as long as a test's file.

type Ask = { result: unknown; onsuccess: (() => void) | null; onupgradeneeded: (() => void) | null };

export class MemoryDatabase {
  readonly kept = new Map<string, unknown>();

  open(): Ask {
    const shelf = {
      get: (key: string) => this.asked(structuredClone(this.kept.get(key))),
      put: (value: unknown, key: string) => {
        this.kept.set(key, structuredClone(value));
        return this.asked(undefined);
      },
    };
    return this.asked({
      createObjectStore: () => undefined,
      transaction: () => ({ objectStore: () => shelf }),
      close: () => undefined,
    });
  }

  private asked(result: unknown): Ask {
    const ask: Ask = { result, onsuccess: null, onupgradeneeded: null };
    queueMicrotask(() => ask.onsuccess?.());
    return ask;
  }
}
