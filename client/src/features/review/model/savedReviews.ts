// Reviews that this device keeps, so that a deal that is opened again is there at once.

import type { ReviewSetup } from '../../../api/generated/types';
import type { Api } from '../../../api/http';
import { browserStore } from '../../../shared/database';
import type { AnalysisLine } from '../../analyse/model/analysis.svelte';
import { EVALUATION_OPTIONS, type DecisionReview } from './decision';

/** A review as it is kept; `version`: how its placements were measured. */
export interface SavedReview {
  readonly version: string;
  readonly form: ReviewSetup;
  readonly found: readonly SavedDecision[];
}

/** A decision without what is not shown: the best placements and the one that was played. */
interface SavedDecision extends Omit<DecisionReview, 'best' | 'played' | 'lines'> {
  readonly step: number;
  readonly lines: readonly AnalysisLine[];
  /** Its place among the lines. */
  readonly played: number;
}

export type Found = Readonly<Record<number, DecisionReview>>;

/** Where reviews of one deal are kept. */
export interface ReviewArchive {
  load(): Promise<SavedReview | null>;
  save(review: SavedReview): Promise<void>;
}

const FORMAT = 2;
const KERNEL = String(import.meta.env['VITE_KERNEL'] ?? '');

/** What a review is measured by: the kernel, what was learned for the rules, and how long it is measured. */
export const versionOf = ({ analysis: { weights, closed } }: ReviewSetup): string =>
  JSON.stringify([FORMAT, EVALUATION_OPTIONS, KERNEL, weights ?? closed?.fields ?? null]);

const SHOWN = 12; // placements of a decision

export function packed(form: ReviewSetup, reviews: Found): SavedReview {
  return {
    version: versionOf(form),
    form,
    found: Object.entries(reviews).map(([step, decision]): SavedDecision => {
      const { count, lost, error, exact, behind, close, counted, played } = decision;
      const lines = decision.lines.filter((line, at) => at < SHOWN || line === played);
      const place = lines.indexOf(played);
      return { step: Number(step), count, lost, error, exact, behind, close, counted, lines, played: place };
    }),
  };
}

/** Null where it was measured in another way, or is not a review. */
export function unpacked(review: SavedReview | null): Found | null {
  if (review === null || review.version !== versionOf(review.form)) return null;
  const reviews: Record<number, DecisionReview> = {};
  for (const { step, played, lines, ...decision } of review.found) {
    const [best, own] = [lines[0], lines[played]];
    if (best === undefined || own === undefined) return null;
    reviews[step] = { ...decision, lines, best, played: own };
  }
  return reviews;
}

const STORE = 'reviews';
const BY_TIME = 'at';
const MOST = 500; // reviews, some 20 KB each

interface Row {
  readonly key: string;
  readonly at: number;
  readonly review: SavedReview;
}

const inStore = browserStore('triptych-reviews', STORE, (database) =>
  database.createObjectStore(STORE, { keyPath: 'key' }).createIndex(BY_TIME, 'at'),
);

/** What this device keeps under a key. */
export const onDevice = (key: string): ReviewArchive => ({
  load: async () => ((await inStore('readonly', (store) => store.get(key))) as Row | null)?.review ?? null,
  save: async (review) => {
    const row: Row = { key, at: Date.now(), review };
    await inStore('readwrite', (store) => store.put(row));
    if (((await inStore('readonly', (store) => store.count())) ?? 0) <= MOST) return;
    const oldest = await inStore('readonly', (store) => store.index(BY_TIME).getKey(IDBKeyRange.lowerBound(0)));
    if (oldest !== null && oldest !== undefined) await inStore('readwrite', (store) => store.delete(oldest));
  },
});

/** A deal from a file has no name: its key is everything that was placed in it. */
export const fileKey = ({ rules, hands, streets, stacks }: ReviewSetup): string =>
  JSON.stringify([rules, hands, streets, stacks]);

const MAX_TEXT = 60_000; // characters that an account keeps

/** Where a player's account keeps the review of a table's deal; without an account or a server nowhere. */
function inAccount(api: AccountReviews, table: string, deal: number): ReviewArchive {
  return {
    load: () =>
      api.savedReview(table, deal).then(
        ({ text }) => (text === '' ? null : (JSON.parse(text) as SavedReview)),
        () => null,
      ),
    save: async (review) => {
      const text = JSON.stringify(review);
      if (text.length <= MAX_TEXT) await api.saveReview(table, deal, text).catch(() => undefined);
    },
  };
}

export type AccountReviews = Pick<Api, 'me' | 'savedReview' | 'saveReview'>;

/**
 * Where the review of a table's deal is kept for the current player: on this device, where another player has another
 * one, and in the account, for other devices.
 */
export function reviewArchive(api: AccountReviews, table: string, deal: number): ReviewArchive {
  const account = inAccount(api, table, deal);
  const place = api.me().then(
    ({ player }) => onDevice(`${player} ${table} ${deal}`),
    () => null,
  );
  return {
    load: async () => {
      const here = (await (await place)?.load()) ?? null;
      if (here !== null) return here;
      const there = await account.load();
      if (there !== null) await (await place)?.save(there);
      return there;
    },
    save: async (review) => {
      await (await place)?.save(review);
      await account.save(review);
    },
  };
}
