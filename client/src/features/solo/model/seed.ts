// Seeds of decks, in hex.

const BYTES = 8;

export const seedToHex = (bytes: Uint8Array): string =>
  [...bytes.slice(0, BYTES)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** One that nobody can guess. */
export const newSeed = (): string => seedToHex(crypto.getRandomValues(new Uint8Array(BYTES)));
