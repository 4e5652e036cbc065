// Values stored in this browser. A browser may store nothing: then nothing is loaded, and nothing is saved.

/** What is kept under the key, as it was written; null where nothing readable is. */
export function load(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Whether it was really written; if not, it lasts until the page is left. */
export function save(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
