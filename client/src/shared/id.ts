/** An id that nobody else makes. Not randomUUID: browsers keep it from pages on plain http, as on a home network. */
export const freshId = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(3)), (n) => n.toString(36)).join('-');
