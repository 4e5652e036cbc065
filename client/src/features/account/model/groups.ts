// Reviewed deals taken apart: all together, or by street, game, match or week. Pure.

import { MIN_DECISIONS, nearestLevel, rateOf, weekOf, type RatedDecision, type Rate } from '../../../shared/rate';
import type { RatedDeal } from './reviewedDeals';

export interface Group {
  readonly name: string;
  readonly rate: Rate;
  /** The level of the bots that plays like it. */
  readonly like: string | null;
  /** There are decisions enough for a level, and none was measured for these games. */
  readonly unmeasured: boolean;
}

export type By = 'all' | 'street' | 'game' | 'match' | 'week';

/** Tells which deals are not among these. */
export function unreviewedFilter(deals: readonly RatedDeal[]): (table: string, deal: number) => boolean {
  const keyOf = (table: string, deal: number): string => `${table}/${deal}`;
  const reviewed = new Set(deals.map(({ table, deal }) => keyOf(table, deal)));
  return (table, deal) => !reviewed.has(keyOf(table, deal));
}

export function groupReviews(deals: readonly RatedDeal[], by: By): readonly Group[] {
  const groups = new Map<string, RatedDeal[]>();
  for (const deal of deals) {
    for (const [name, decisions] of parts(deal, by)) {
      if (decisions.length > 0) groups.set(name, [...(groups.get(name) ?? []), { ...deal, made: decisions }]);
    }
  }
  const all = [...groups].map(([name, own]): Group => {
    const rate = rateOf(own.map(({ made }) => made));
    const levels = new Set(own.map((deal) => JSON.stringify(deal.levels)));
    const unmeasured = rate.decisions >= MIN_DECISIONS && own.every((deal) => Object.keys(deal.levels).length === 0);
    return {
      name,
      rate,
      unmeasured,
      like: levels.size === 1 && by !== 'street' ? nearestLevel(own[0]?.levels ?? {}, rate) : null,
    };
  });
  return all.toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
}

function parts(deal: RatedDeal, by: By): readonly (readonly [string, readonly RatedDecision[]])[] {
  if (by === 'street') {
    return [...new Set(deal.made.map(({ street }) => street))].map((street) => [
      String(street),
      deal.made.filter((decision) => decision.street === street),
    ]);
  }
  const name = { all: '', game: deal.title, match: `${deal.name}, ${deal.match}`, week: weekOf(deal.at) }[by];
  return [[name, deal.made]];
}

/** The result of deals, split: `result` is `luck` and `play` together. */
export interface LuckAndPlay {
  readonly deals: number;
  readonly result: number;
  readonly luck: number;
  readonly play: number;
}

export function luckAndPlay(deals: readonly RatedDeal[]): LuckAndPlay {
  const shares = deals.flatMap(({ share }) => (share === undefined ? [] : [share]));
  const result = shares.reduce((sum, share) => sum + share.result, 0);
  const lost = shares.reduce((sum, share) => sum + share.lost, 0);
  return { deals: shares.length, result, luck: result + lost, play: -lost };
}

/** A placement that lost points, and where it is reviewed. */
export interface CostlyPlacement {
  readonly deal: RatedDeal;
  readonly street: number;
  readonly lost: number;
}

const SHOWS = 0.005; // points

/** The placements that lost the most, the costliest first. */
export const costliest = (deals: readonly RatedDeal[], count: number): readonly CostlyPlacement[] =>
  deals
    .flatMap((deal) => deal.made.map(({ street, loss }): CostlyPlacement => ({ deal, street, lost: loss })))
    .filter(({ lost }) => lost >= SHOWS)
    .toSorted((a, b) => b.lost - a.lost)
    .slice(0, count);
