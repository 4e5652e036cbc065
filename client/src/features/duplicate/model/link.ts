// A duplicate match as an address: /duplicate/pineapple#seed=…&deals=8&level=medium&played=Ann:0:5,-3&scoring.rows=two_four.
// The seed determines the decks; `played` occurs once for each player: name, seat, points deal by deal.

import type { RulesSpec } from '../../../api/http';
import { PRESET } from '../../analyse/model/link';
import { readFragment, writeSettings } from '../../rules/model/link';
import { LEVELS, type LevelName } from '../../solo/model/types';

/** What everybody plays: the same decks against the same bot. */
export interface Match {
  readonly rules: RulesSpec;
  /** 64 bits in hex. */
  readonly seed: string;
  readonly deals: number;
  readonly level: LevelName;
}

/** What somebody made of it; `seat` 1: with the cards that in seat 0 the bot has. */
export interface Result {
  readonly name: string;
  readonly seat: number;
  readonly points: readonly number[];
}

export interface DuplicateAddress {
  readonly rules: RulesSpec;
  /** Null: none was named. */
  readonly match: Match | null;
  readonly results: readonly Result[];
  /** Something stands there that cannot be read. */
  readonly broken: boolean;
}

const MAX_DEALS = 100;
export const SEATS = 2;
export const MAX_NAME_LENGTH = 24;
const MAX_RESULTS = 50;
const SEED = /^[0-9a-f]{16}$/;
const POINTS = /^-?\d{1,5}$/;
const OWN = ['seed', 'deals', 'level', 'played'];

export function duplicatePath(
  { rules: { preset, ...overrides }, seed, deals, level }: Match,
  results: readonly Result[] = [],
): string {
  const played = results.map(
    (result) => `played=${encodeURIComponent(result.name)}:${result.seat}:${result.points.join(',')}`,
  );
  return `/duplicate/${encodeURIComponent(preset)}#${[`seed=${seed}`, `deals=${deals}`, `level=${level}`, ...played, ...writeSettings(overrides)].join('&')}`;
}

export function readDuplicate(preset: string | null, fragment: string): DuplicateAddress {
  const parts = fragment
    .replace(/^#/, '')
    .split('&')
    .filter((part) => part !== '')
    .map((part): [string, string] => {
      const at = part.indexOf('=');
      return [part.slice(0, Math.max(at, 0)), part.slice(at + 1)];
    });
  const own = new Map(parts.filter(([key]) => OWN.includes(key)));
  const rules: RulesSpec = {
    ...readFragment(
      parts
        .filter(([key]) => !OWN.includes(key))
        .map((pair) => pair.join('='))
        .join('&'),
    ),
    preset: preset ?? PRESET,
  };
  if (own.size === 0) return { rules, match: null, results: [], broken: false };
  const [seed = '', level, deals] = [
    own.get('seed'),
    LEVELS.find((name) => name === own.get('level')),
    Number(own.get('deals')),
  ];
  if (!SEED.test(seed) || level === undefined || !Number.isInteger(deals) || deals < 1 || deals > MAX_DEALS)
    return { rules, match: null, results: [], broken: true };
  const written = parts.filter(([key]) => key === 'played').map(([, text]) => readResult(text, deals));
  const results = written.filter((result) => result !== null);
  return {
    rules,
    match: { rules, seed, deals, level },
    results: mergeResults(results),
    broken: results.length < written.length,
  };
}

function readResult(text: string, deals: number): Result | null {
  const [name = '', seat, points = ''] = text.split(':');
  const numbers = points.split(',');
  if ((seat !== '0' && seat !== '1') || numbers.length !== deals || !numbers.every((text) => POINTS.test(text)))
    return null;
  try {
    return {
      name: decodeURIComponent(name).slice(0, MAX_NAME_LENGTH),
      seat: Number(seat),
      points: numbers.map(Number),
    };
  } catch {
    return null;
  }
}

const same = (a: Result, b: Result): boolean =>
  a.name === b.name && a.seat === b.seat && a.points.join() === b.points.join();

/** Each result once, those that came first before the others. */
export const mergeResults = (results: readonly Result[]): Result[] =>
  results.filter((result, at) => results.findIndex((other) => same(result, other)) === at).slice(0, MAX_RESULTS);
