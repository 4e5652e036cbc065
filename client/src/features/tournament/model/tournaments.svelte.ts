// The tournaments that the lobby shows.

import type { TournamentsApi } from '../../../api/tournaments';
import type { TournamentItem, NewTournament } from '../../../api/generated/types';
import { toApiError } from '../../../shared/latestRequest';
import { notices } from '../../../shared/notices.svelte';
import { cupPath, router } from '../../../shared/router.svelte';

const LOOK_EVERY = 5_000;

/** What a new tournament is proposed with: levels that nobody outlasts. */
export const LEVELS: readonly number[] = [1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 1000];

export class CupsState {
  /** null until they are known. */
  all = $state.raw<readonly TournamentItem[] | null>(null);
  private readonly timer: number;

  constructor(private readonly cups: TournamentsApi) {
    void this.look();
    this.timer = window.setInterval(() => {
      if (!document.hidden) void this.look();
    }, LOOK_EVERY);
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** Announce a tournament and go to its page. */
  async announce(cup: NewTournament): Promise<void> {
    try {
      const created = await this.cups.announce(cup);
      router.go(cupPath(created.cup));
    } catch (error) {
      notices.refuse(toApiError(error));
    }
  }

  private async look(): Promise<void> {
    try {
      this.all = await this.cups.all();
    } catch {
      // The lobby says that the server does not answer.
    }
  }
}
