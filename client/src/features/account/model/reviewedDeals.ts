// Deals of one's own that were reviewed, as this device keeps them: what each decision lost, and of which deal.

import { save, load } from '../../../shared/storage';
import type { RatedDecision } from '../../../shared/rate';
import type { BoardOutcome, BaselineReplay } from './baselineReplay';

export interface RatedDeal {
  readonly table: string;
  readonly name: string;
  readonly deal: number;
  readonly match: number;
  readonly at: number;
  readonly title: string;
  /** Points lost a decision by the levels of the bots; empty where none was measured for this deal's game and players. */
  readonly levels: Readonly<Record<string, number>>;
  readonly made: readonly RatedDecision[];
  /** What the deal paid with the next fantasylands at their value, and what its placements lost; undefined when unknown. */
  readonly share?: { readonly result: number; readonly lost: number } | undefined;
  /** What `strong` made of the same cards; undefined before it has played them, null where it cannot. */
  readonly beside?: BaselineReplay | null;
}

const KEY = 'triptych.rated';
const MOST = 3_000; // deals, some 150 bytes each

const rounded = (points: number): number => Math.round(points * 1000) / 1000;

const row = ({ street, loss, isRated }: RatedDecision): readonly number[] => [street, rounded(loss), Number(isRated)];

const outcomeRow = ({ fouled, royalties, fantasyland }: BoardOutcome): readonly number[] => [
  Number(fouled),
  royalties,
  Number(fantasyland),
];

/** Undefined unless this page wrote it: then the deal is replayed. */
function readComparison(value: unknown): BaselineReplay | null | undefined {
  if (value === null) return null;
  if (!Array.isArray(value) || value.length !== 6 || value.some((part) => typeof part !== 'number')) return undefined;
  const [fouled, royalties, fantasyland, strongFouled, strongRoyalties, strongFantasyland] = value as number[];
  const came = (foul = 0, points = 0, next = 0): BoardOutcome => ({
    fouled: foul === 1,
    royalties: points,
    fantasyland: next === 1,
  });
  return {
    played: came(fouled, royalties, fantasyland),
    strong: came(strongFouled, strongRoyalties, strongFantasyland),
  };
}

function read(value: unknown): RatedDeal | null {
  if (value === null || typeof value !== 'object') return null;
  const { table, name, deal, match, at, title, levels, made, beside, share } = value as Record<string, unknown>;
  if (typeof table !== 'string' || typeof name !== 'string' || typeof title !== 'string') return null;
  if (typeof deal !== 'number' || typeof match !== 'number' || typeof at !== 'number') return null;
  if (!Array.isArray(made) || levels === null || typeof levels !== 'object') return null;
  const decisions = made.flatMap((decision: unknown): RatedDecision[] => {
    if (!Array.isArray(decision)) return [];
    const [street, loss, isRated] = decision as unknown[];
    return typeof street === 'number' && typeof loss === 'number' ? [{ street, loss, isRated: isRated === 1 }] : [];
  });
  const [result, lost] = Array.isArray(share) ? (share as unknown[]) : [];
  const read: RatedDeal = {
    ...{ table, name, deal, match, at, title, levels: levels as Record<string, number>, made: decisions },
    ...(typeof result === 'number' && typeof lost === 'number' ? { share: { result, lost } } : {}),
  };
  const same = readComparison(beside);
  return same === undefined ? read : { ...read, beside: same };
}

export function loadReviews(): RatedDeal[] {
  const stored = load(KEY);
  return Array.isArray(stored) ? stored.map(read).filter((deal) => deal !== null) : [];
}

/** Save the newest; returns whether they were really written. */
export function saveReviews(deals: readonly RatedDeal[]): boolean {
  const newest = deals.toSorted((a, b) => b.at - a.at).slice(0, MOST);
  return save(
    KEY,
    newest.map((deal) => ({
      ...deal,
      made: deal.made.map(row),
      share: deal.share && [rounded(deal.share.result), rounded(deal.share.lost)],
      beside: deal.beside && [...outcomeRow(deal.beside.played), ...outcomeRow(deal.beside.strong)],
    })),
  );
}
