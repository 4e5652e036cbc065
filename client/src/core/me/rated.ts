// Deals of one's own that were reviewed, as this device keeps them: what each decision lost, and of which deal.

import { keep, kept } from '../shared/kept';
import type { Made } from '../shared/rate';

export interface RatedDeal {
  readonly table: string;
  readonly name: string;
  readonly deal: number;
  readonly match: number;
  readonly at: number;
  readonly title: string;
  /** Points lost a decision by the levels of the bots; empty where none was measured for this deal's game and players. */
  readonly levels: Readonly<Record<string, number>>;
  readonly made: readonly Made[];
}

const KEY = 'triptych.rated';
const MOST = 3_000; // deals, some 150 bytes each

const row = ({ street, behind, counted }: Made): readonly number[] => [street, Math.round(behind * 1000) / 1000, Number(counted)];

function read(given: unknown): RatedDeal | null {
  if (given === null || typeof given !== 'object') return null;
  const { table, name, deal, match, at, title, levels, made } = given as Record<string, unknown>;
  if (typeof table !== 'string' || typeof name !== 'string' || typeof title !== 'string') return null;
  if (typeof deal !== 'number' || typeof match !== 'number' || typeof at !== 'number') return null;
  if (!Array.isArray(made) || levels === null || typeof levels !== 'object') return null;
  const decisions = made.flatMap((one: unknown): Made[] => {
    if (!Array.isArray(one)) return [];
    const [street, behind, counted] = one as unknown[];
    return typeof street === 'number' && typeof behind === 'number' ? [{ street, behind, counted: counted === 1 }] : [];
  });
  return { table, name, deal, match, at, title, levels: levels as Record<string, number>, made: decisions };
}

export function readRated(): RatedDeal[] {
  const found = kept(KEY);
  return Array.isArray(found) ? found.map(read).filter((one) => one !== null) : [];
}

/** The newest are kept; whether they were really written. */
export function keepRated(deals: readonly RatedDeal[]): boolean {
  const newest = deals.toSorted((a, b) => b.at - a.at).slice(0, MOST);
  return keep(
    KEY,
    newest.map((deal) => ({ ...deal, made: deal.made.map(row) })),
  );
}
