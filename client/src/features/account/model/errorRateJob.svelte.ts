// One's own error rate: deals found in one's sessions, reviewed one after the other in this browser, and what they come to.
// It goes on while other pages lie open.

import type { ToolsApi } from '../../../api/http';
import type { AccountApi } from '../../../api/account';
import type { Services } from '../../../api/services';
import type { DealResult, SessionItem } from '../../../api/generated/types';
import { ReviewState } from '../../review/model/review.svelte';
import { reviewArchive, type AccountReviews } from '../../review/model/savedReviews';
import { toApiError } from '../../../shared/latestRequest';
import type { RatedDecision } from '../../../shared/rate';
import { groupReviews, unreviewedFilter, type By, type Group } from './groups';
import { saveReviews, loadReviews, type RatedDeal } from './reviewedDeals';
import type { BaselineReplay } from './baselineReplay';

interface Found {
  readonly session: SessionItem;
  readonly deal: DealResult;
}

let shared: Rating | null = null;

/** The one job of this tab: it goes on while other pages are open. */
export function sharedRating({ people, tools, api }: Pick<Services, 'people' | 'tools' | 'api'>): Rating {
  shared ??= new Rating(people, tools, api);
  void shared.look();
  return shared;
}

export class Rating {
  deals = $state.raw<readonly RatedDeal[]>(loadReviews());
  /** Deals that wait for their review; null until they were looked up. */
  waiting = $state.raw<readonly Found[] | null>(null);
  working = $state(false);
  done = $state(0);
  problem = $state<string | null>(null);
  /** The table whose deals are under review; null: all. */
  table = $state<string | null>(null);

  private review: ReviewState | null = null;

  constructor(
    private readonly people: AccountApi,
    private readonly tools: ToolsApi,
    private readonly api: AccountReviews,
  ) {}

  /** Those of one table, or all. */
  waitingAt(table: string | null): readonly Found[] {
    return (this.waiting ?? []).filter(({ session }) => table === null || session.table === table);
  }

  /** Find the deals that were not reviewed yet, the newest first. */
  async look(): Promise<void> {
    if (this.working) return;
    try {
      const unknown = unreviewedFilter(this.deals);
      const unreviewed: Found[] = [];
      for (let before = '', more = true; more;) {
        const page = await this.people.sessions(before);
        for (const session of page.evenings) {
          for (let after = 0, next = true; next;) {
            const { deals, after: last } = await this.people.session(session.table, after);
            unreviewed.push(
              ...deals.filter(({ deal }) => unknown(session.table, deal)).map((deal) => ({ session, deal })),
            );
            [after, next] = [last, last > 0];
          }
        }
        [before, more] = [page.before, page.before !== ''];
      }
      this.waiting = unreviewed.toSorted((a, b) => b.deal.at - a.deal.at);
    } catch (error) {
      this.problem = toApiError(error).message;
    }
  }

  /** Review what waits, of one table or of all, until it is done or somebody stops it. */
  async start(table: string | null = null): Promise<void> {
    if (this.working || this.waiting === null) return;
    this.working = true;
    this.table = table;
    this.done = 0;
    this.problem = null;
    this.review ??= new ReviewState(0);
    const review = this.review;
    while (this.working) {
      const [next] = this.waitingAt(table);
      if (next === undefined) break;
      const { session, deal } = next;
      const archive = reviewArchive(this.api, session.table, deal.deal);
      await review.load(() => this.tools.review(session.table, deal.deal), false, archive);
      if (!this.working) break;
      if (review.stage === 'failed') {
        this.problem = review.why;
        break;
      }
      this.note(next, review);
    }
    this.working = false;
  }

  stop(): void {
    this.working = false;
    this.review?.close();
    this.review = null;
  }

  private note({ session, deal }: Found, review: ReviewState): void {
    // A closed deal, or one without cards of one's own, has nothing to review; it is noted, not asked for again.
    const form = review.problem === null ? review.form : null;
    const decisions: readonly RatedDecision[] = form === null ? [] : review.ratedDecisions(form.you);
    const { table, name } = session;
    this.deals = [
      ...this.deals,
      {
        table,
        name,
        deal: deal.deal,
        match: deal.match,
        at: deal.at,
        title: deal.title,
        levels: form?.levels ?? {},
        made: decisions,
        ...(form === null || review.share === null ? {} : { share: review.share }),
      },
    ];
    saveReviews(this.deals);
    this.waiting = (this.waiting ?? []).filter((other) => other.deal !== deal);
    this.done += 1;
  }

  /** Keep what `strong` made of a deal's cards. */
  compared(deal: RatedDeal, beside: BaselineReplay | null): void {
    this.deals = this.deals.map((other) =>
      other.table === deal.table && other.deal === deal.deal ? { ...other, beside } : other,
    );
    saveReviews(this.deals);
  }

  groups(by: By): readonly Group[] {
    return groupReviews(this.deals, by);
  }
}
