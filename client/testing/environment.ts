// Node, with what the client's logic asks of a browser. A file that draws says `// @vitest-environment happy-dom`.

import { setMaxListeners } from 'node:events';
import type { Environment } from 'vitest/runtime';

/** Storage that lasts as long as its file's tests. */
class MemoryStorage {
  private readonly values = new Map<string, string>();

  get length(): number {
    return this.values.size;
  }
  key(at: number): string | null {
    return [...this.values.keys()][at] ?? null;
  }
  getItem(key: string): string | null {
    return this.values.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.values.set(key, value);
  }
  removeItem(key: string): void {
    this.values.delete(key);
  }
  clear(): void {
    this.values.clear();
  }
}

class Page extends EventTarget {
  hidden = false;
  title = '';
  readonly documentElement = { lang: '', dataset: {} };
  querySelector(): null {
    return null;
  }
}

export default {
  name: 'browser-logic',
  viteEnvironment: 'client', // Svelte's runes as a browser has them
  setup(global) {
    const events = new EventTarget();
    setMaxListeners(0, events); // modules that are loaded anew listen anew
    const define = (name: string, value: unknown): unknown =>
      Object.defineProperty(global, name, { value, writable: true, configurable: true });
    define('window', global);
    define('self', global);
    define('location', new URL('http://localhost/'));
    define('document', new Page());
    define('localStorage', new MemoryStorage());
    define('sessionStorage', new MemoryStorage());
    define('matchMedia', () => Object.assign(new EventTarget(), { matches: false }));
    define('addEventListener', events.addEventListener.bind(events));
    define('removeEventListener', events.removeEventListener.bind(events));
    define('dispatchEvent', events.dispatchEvent.bind(events));
    return { teardown: () => undefined };
  },
} satisfies Environment;
