// House rules as an address: /rules/pineapple#scoring.rows=two_four&seats.max=2. Text stands bare, the rest as JSON.

export type Overrides = Readonly<Record<string, unknown>>;

/** Stands before a table's id where a preset would stand: that table's rules. */
export const TABLE = '~';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const write = (value: unknown): string =>
  typeof value === 'string' && !isJson(value) ? value : JSON.stringify(value);

const read = (text: string): unknown => (isJson(text) ? (JSON.parse(text) as unknown) : text);

export const writeSettings = (overrides: Overrides): string[] =>
  Object.entries(overrides).map(([key, value]) => `${key}=${encodeURIComponent(write(value))}`);

export function rulesPath(preset: string, overrides: Overrides): string {
  const settings = writeSettings(overrides);
  return `/rules/${encodeURIComponent(preset)}${settings.length > 0 ? `#${settings.join('&')}` : ''}`;
}

/** The overrides of an address; what is not a setting is left out. */
export function readFragment(hash: string): Overrides {
  const overrides: Record<string, unknown> = {};
  for (const setting of hash.replace(/^#/, '').split('&')) {
    const at = setting.indexOf('=');
    if (at <= 0) continue;
    try {
      overrides[setting.slice(0, at)] = read(decodeURIComponent(setting.slice(at + 1)));
    } catch {
      // A broken escape: this setting is not one of ours.
    }
  }
  return overrides;
}
