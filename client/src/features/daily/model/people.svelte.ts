// The daily deal among the people of this server: players may share their points of each day.

import type { AccountApi } from '../../../api/account';
import type { DailyRankings } from '../../../api/generated/types';
import { toApiError } from '../../../shared/latestRequest';
import { load, save } from '../../../shared/storage';

type DailyApi = Pick<AccountApi, 'dailyRankings' | 'shareDaily' | 'withdrawDaily'>;

const KEY = 'triptych.daily.shared';

export class People {
  /** The player has agreed that this server keeps their results. */
  isSharing = $state(load(KEY) === true);
  rankings = $state.raw<DailyRankings | null>(null);
  problem = $state<string | null>(null);

  constructor(
    private readonly api: DailyApi,
    private readonly day: string,
  ) {}

  /** Show the rankings; points of a player who shares are in them. */
  async open(points: number): Promise<void> {
    await this.ask(() => (this.isSharing ? this.api.shareDaily(this.day, points) : this.api.dailyRankings(this.day)));
  }

  async share(points: number): Promise<void> {
    await this.ask(() => this.api.shareDaily(this.day, points));
    if (this.problem === null) this.setSharing(true);
  }

  /** Delete everything that was shared, and share nothing from now on. */
  async withdraw(): Promise<void> {
    await this.ask(async () => {
      await this.api.withdrawDaily();
      return this.api.dailyRankings(this.day);
    });
    if (this.problem === null) this.setSharing(false);
  }

  private setSharing(isSharing: boolean): void {
    this.isSharing = isSharing;
    save(KEY, isSharing);
  }

  private async ask(question: () => Promise<DailyRankings>): Promise<void> {
    this.problem = null;
    try {
      this.rankings = await question();
    } catch (error) {
      this.problem = toApiError(error).message;
    }
  }
}
