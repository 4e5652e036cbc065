// A tournament as its page and its tables follow it.

import type { TournamentsApi } from '../../../api/tournaments';
import type { Connect } from '../../../api/connection';
import { TableConnection } from '../../../api/connection';
import type { TournamentRequest, TournamentView, ServerMessage, WireError } from '../../../api/generated/types';
import { followTournament } from '../../../shared/myTournaments.svelte';
import { isDone } from './seatCall';
import { toApiError } from '../../../shared/latestRequest';
import { notices } from '../../../shared/notices.svelte';
import { syncServerTime } from '../../../shared/time.svelte';

interface Shared {
  readonly connect: Connect;
  readonly state: CupState;
  users: number;
}

const shared: Shared[] = [];

/** A tournament that the parts of a page share; each part lets it go with `release`. */
export function share(cup: string, connect: Connect, cups: TournamentsApi): { state: CupState; release: () => void } {
  let entry = shared.find((other) => other.connect === connect && other.state.cup === cup);
  if (entry === undefined) shared.push((entry = { connect, state: new CupState(cup, connect, cups), users: 0 }));
  const mine = entry;
  mine.users += 1;
  const release = (): void => {
    mine.users -= 1;
    if (mine.users > 0) return;
    shared.splice(shared.indexOf(mine), 1);
    mine.state.close();
  };
  return { state: mine.state, release };
}

export class CupState {
  view = $state.raw<TournamentView | null>(null);
  problem = $state.raw<WireError | null>(null);
  busy = $state(false);
  private readonly link: TableConnection;

  constructor(
    readonly cup: string,
    connect: Connect,
    private readonly cups: TournamentsApi,
  ) {
    this.link = new TableConnection(`cup:${cup}`, connect, {
      onStatus: () => undefined,
      received: (message) => this.received(message),
    });
  }

  close(): void {
    this.link.close();
  }

  may(what: TournamentRequest['do']): boolean {
    return this.view?.may.includes(what) ?? false;
  }

  /** Ask; a refusal is said in the server's words. */
  async do(request: TournamentRequest): Promise<void> {
    this.busy = true;
    try {
      this.take(await this.cups.ask(this.cup, request));
    } catch (error) {
      notices.refuse(toApiError(error));
    }
    this.busy = false;
  }

  private received(message: ServerMessage): void {
    if (message.t === 'cup') {
      syncServerTime(message.now);
      this.take(message.view);
    } else if (message.t === 'problem') this.problem = message.error;
  }

  /** What comes late is not taken for news. */
  private take(view: TournamentView): void {
    if (this.view === null || view.v >= this.view.v) this.view = view;
    if (!isDone(view)) followTournament(this.cup);
  }
}
