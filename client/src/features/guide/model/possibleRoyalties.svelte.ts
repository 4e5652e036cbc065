// The royalties in reach of one's own board, asked again when its cards lie otherwise.

import type { Api } from '../../../api/http';
import type { BoardReach } from '../../../api/generated/types';
import { LatestRequest } from '../../../shared/latestRequest';
import type { BoardModel } from '../../table/model/scene';

export class ReachState {
  byRow = $state.raw<BoardReach | null>(null);
  private readonly latest = new LatestRequest();

  constructor(
    private readonly api: Api,
    private readonly table: string,
  ) {}

  /** A board's cards as one text; empty while the server has not seen all of them, or nothing can change any more. */
  static key(board: BoardModel): string {
    if (board.set || board.rows.some((row) => !row.isSynced)) return '';
    return JSON.stringify([board.hand, board.rows.map((row) => row.slots.map((slot) => slot.card))]);
  }

  async look(hand: number): Promise<void> {
    const answer = await this.latest.ask(() => this.api.reach(this.table, hand));
    if (answer !== null) this.byRow = answer.ok ? answer.value : null;
  }

  forget(): void {
    this.latest.forget();
    this.byRow = null;
  }
}
