// Checks that a card lay where it was dealt from before the deal began (docs: fairness). This is the page's own check: it
// shares no line with the server's (src/triptych/fair), only the vectors of tests/fair/vectors.json.
//
// WebCrypto is missing over plain HTTP on a LAN, so SHA-256 is bundled.

import { sha256 } from '@noble/hashes/sha2.js';
import type { DeckRecord } from '../../../api/generated/types';

const LEAF = 0;
const NODE = 1;
const BLOCK = 3;
const COMMITMENT = 4;
const LINK = 5;
const ENTROPY = 6;

const SHUFFLE = 0;
const SALTS = 1;
const CHOICE = 2;
const CUT = 3;

const BYTE = 256;
const MAX_SKIPPED = 64;

export type Bytes = Uint8Array;

export const toHex = (bytes: Bytes): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
export const fromHex = (text: string): Bytes => {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new Error('no hex');
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
};

function digest(tag: number, ...parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(1 + parts.reduce((sum, part) => sum + part.length, 0));
  whole[0] = tag;
  let at = 1;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return sha256(whole);
}

const block = (key: Bytes, purpose: number, counter: number): Bytes =>
  digest(BLOCK, key, Uint8Array.of(purpose, counter >> 8, counter & 255));

function* stream(key: Bytes, purpose: number): Generator<number, never> {
  for (let counter = 0; ; counter += 1) yield* block(key, purpose, counter);
}

/** A number below the bound, each equally likely: bytes that would favour some are rejected. */
function below(bound: number, source: Generator<number, never>): number {
  const fair = BYTE - (BYTE % bound);
  let byte = source.next().value;
  while (byte >= fair) byte = source.next().value;
  return byte % bound;
}

/** Fisher–Yates. */
function permutation(size: number, source: Generator<number, never>): number[] {
  const order = Array.from({ length: size }, (_, i) => i);
  for (let last = size - 1; last > 0; last -= 1) {
    const other = below(last + 1, source);
    [order[last], order[other]] = [order[other] as number, order[last] as number];
  }
  return order;
}

const split = (size: number): number => 2 ** Math.floor(Math.log2(size - 1));

function root(leaves: readonly Bytes[]): Bytes {
  if (leaves.length === 1) return leaves[0] as Bytes;
  const middle = split(leaves.length);
  return digest(NODE, root(leaves.slice(0, middle)), root(leaves.slice(middle)));
}

function climbed(leaf: Bytes, index: number, size: number, path: readonly Bytes[]): Bytes {
  if (size === 1) {
    if (path.length > 0) throw new Error('the path is too long');
    return leaf;
  }
  const beside = path.at(-1);
  if (beside === undefined) throw new Error('the path is too short');
  const middle = split(size);
  const left = index < middle;
  const under = climbed(leaf, left ? index : index - middle, left ? middle : size - middle, path.slice(0, -1));
  return left ? digest(NODE, under, beside) : digest(NODE, beside, under);
}

const leafOf = (salt: Bytes, at: number, card: number): Bytes => digest(LEAF, salt, Uint8Array.of(at, card));

function deckRoot(seed: Bytes, size: number): Bytes {
  const cards = permutation(size, stream(seed, SHUFFLE));
  const salt = (at: number): Bytes =>
    block(seed, SALTS, at >> 1).slice(at % 2 === 0 ? 0 : 16, at % 2 === 0 ? 16 : 32);
  return root(cards.map((card, at) => leafOf(salt(at), at, card)));
}

function numberOf(text: string): number {
  if (text === 'X1' || text === 'X2') return text === 'X1' ? 52 : 53;
  const [rank, suit] = ['23456789TJQKA'.indexOf(text[0] ?? '-'), 'cdhs'.indexOf(text[1] ?? '-')];
  if (rank < 0 || suit < 0 || text.length !== 2) throw new Error('no card');
  return rank * 4 + suit;
}

/** The link before a link; the first of a chain is its head. */
export const previousLink = (link: Bytes): Bytes => digest(LINK, link);

/** A chain that ends with 32 secret bytes, its head first. */
export function buildChain(last: Bytes, length: number): string[] {
  const links = [last];
  for (let i = 0; i < length; i += 1) links.push(previousLink(links.at(-1) as Bytes));
  return links.reverse().map(toHex);
}

function follows(link: string, head: string): boolean {
  let at = fromHex(link);
  for (let i = 0; i < MAX_SKIPPED; i += 1) {
    at = previousLink(at);
    if (toHex(at) === head) return true;
  }
  return false;
}

/** The hash that was published before the deal. */
export const commitment = (record: DeckRecord): string =>
  toHex(
    digest(
      COMMITMENT,
      Uint8Array.of(record.size),
      ...record.roots.map(fromHex),
      new TextEncoder().encode(`${record.table} ${record.number}`),
    ),
  );

/** Whether each link's chain was fixed when the commitment was first seen: `heads` by seat, as they were then.
 *
 * Anyone who could fix a chain later could choose what it does to the deck, knowing the others' links. */
export const isFixedInAdvance = (record: DeckRecord, heads: Readonly<Record<number, string>>): boolean =>
  record.links.every((link) => heads[link.seat] === link.head || heads[link.seat] === link.link);

/** The cards that are proved, by their places in the dealt deck. Throws at what does not hold. */
export function verify(record: DeckRecord): Map<number, string> {
  const links = [...record.links].sort((a, b) => a.seat - b.seat);
  if (new Set(links.map((link) => link.seat)).size !== links.length) throw new Error('a seat has two links');
  if (!links.every((link) => follows(link.link, link.head))) throw new Error('a link does not belong to its chain');
  const entropy = digest(
    ENTROPY,
    fromHex(commitment(record)),
    ...links.flatMap((link) => [Uint8Array.of(link.seat), fromHex(link.link)]),
  );
  const chosen = below(record.roots.length, stream(entropy, CHOICE));
  const cut = permutation(record.size, stream(entropy, CUT));
  if (record.roots.length !== 4 || record.seeds.length !== 4) throw new Error('four decks are committed');
  record.seeds.forEach((seed, at) => {
    if ((seed === '') !== (at === chosen)) throw new Error('all decks but the dealt one are opened');
    if (seed !== '' && toHex(deckRoot(fromHex(seed), record.size)) !== record.roots[at])
      throw new Error('an opened deck is another one');
  });
  const proved = new Map<number, string>();
  const cards = new Set<number>();
  for (const opening of record.openings) {
    const card = numberOf(opening.card);
    const index = cut[opening.at];
    if (index === undefined || card >= record.size || opening.salt.length !== 32)
      throw new Error('no card of this deck');
    if (proved.has(opening.at) || cards.has(card)) throw new Error('a card is proved twice');
    const top = climbed(leafOf(fromHex(opening.salt), index, card), index, record.size, opening.path.map(fromHex));
    if (toHex(top) !== record.roots[chosen]) throw new Error('a proof does not lead to what was committed');
    proved.set(opening.at, opening.card);
    cards.add(card);
  }
  return proved;
}
