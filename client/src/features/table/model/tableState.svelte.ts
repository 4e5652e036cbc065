// The state of a table's page: takes in the server's messages, sends the person's commands, and holds the
// little state that is the page's own.

import type { Connect } from '../../../api/connection';
import { TableConnection } from '../../../api/connection';
import type {
  PlayerRequest,
  ScoreSheet,
  SeatView,
  TableView,
  Task,
  ServerMessage,
  WireError,
} from '../../../api/generated/types';
import { Fair } from '../../fairness/model/fair.svelte';
import { m } from '../../../shared/i18n.svelte';
import { notices } from '../../../shared/notices.svelte';
import { isSynced, PendingPlacements } from './pendingPlacement.svelte';
import { syncServerTime } from '../../../shared/time.svelte';

export type Connection = 'connecting' | 'open' | 'lost' | 'back';

/** A seat that reached fantasyland, for the celebration. */
export interface Celebration {
  readonly seat: number;
  readonly player: string;
  readonly cards: number;
}

/** What lies open over the table. */
export type DrawerName = 'score' | 'talk' | 'rules' | 'history';

const BACK_LASTS = 2_500;
const SYNC_TIMEOUT_MS = 1_200;

export class TableState {
  view = $state.raw<TableView | null>(null);
  connection = $state<Connection>('connecting');
  problem = $state<WireError | null>(null);
  /** The last settled deal; stays while the next one is played. */
  sheet = $state.raw<ScoreSheet | null>(null);
  /** The sheet came while this page was watching, so its points may count up. */
  hasNewSheet = $state(false);
  celebration = $state.raw<Celebration | null>(null);
  /** Ready was pressed on a board that would certainly foul: asked once more. */
  confirmingFoul = $state(false);
  drawer = $state<DrawerName | null>(null);
  /** The page about fair dealing lies open. */
  isFairnessOpen = $state(false);
  /** Called with every view; `before` is null for the first one, also after a lost connection. */
  onView: ((before: TableView | null, after: TableView) => void) | null = null;
  /** When the talk was last read; later lines of other people are news. */
  private readUntil = $state(Number.POSITIVE_INFINITY);

  readonly placing: PendingPlacements;
  readonly fair: Fair;
  private readonly link: TableConnection;
  private waiting: (() => void)[] = [];
  /** The next view is the first one of this connection. */
  private isFirstView = true;

  constructor(
    readonly table: string,
    connect: Connect,
  ) {
    this.link = new TableConnection(table, connect, {
      onStatus: (open) => this.connected(open),
      received: (message) => this.received(message),
    });
    this.fair = new Fair(table, (action) => this.link.do(this.view?.v ?? 0, action));
    this.placing = new PendingPlacements((ahead, action) =>
      this.link.do(this.view?.v ?? 0, ahead ? { do: 'ahead', hand: action.hand, action } : action),
    );
  }

  close(): void {
    this.link.close();
  }

  /** The table lets the viewer in now. */
  enterWithPassword(): void {
    this.problem = null;
    this.link.requestFullView();
  }

  /** Receive the table in the current language. */
  updateLanguage(): void {
    this.link.follow();
  }

  /** The viewer no longer sees this league table: others sit here now. */
  get hasMovedTable(): boolean {
    return this.problem?.code === 'table.league';
  }

  get me(): SeatView | null {
    const view = this.view;
    return view === null || view.you === null ? null : (view.seats[view.you] ?? null);
  }

  /** What is asked of the viewer besides laying out cards. */
  get question(): Task | null {
    return this.view?.deal?.tasks.find((task) => task.kind !== 'place') ?? null;
  }

  /** The task behind the hand that is being laid out. */
  get task(): Task | null {
    const hand = this.placing.active?.hand;
    return this.view?.deal?.tasks.find((task) => task.kind === 'place' && task.hand === hand) ?? null;
  }

  /** Lines that people have said since the talk was last read. */
  get unread(): number {
    return this.view?.talk.filter((line) => line.who !== '' && line.at > this.readUntil).length ?? 0;
  }

  readTalk(): void {
    this.readUntil = this.view?.talk.at(-1)?.at ?? 0;
  }

  may(what: string): boolean {
    return this.view?.may.includes(what) ?? false;
  }

  /** Ask; a refusal is said in the server's words. Answers whether it was done. */
  async do(action: PlayerRequest): Promise<boolean> {
    const answer = await this.link.do(this.view?.v ?? 0, action);
    if (!answer.ok) notices.refuse(answer.error);
    return answer.ok;
  }

  /** Ready. Waits for the server's word on this very layout, so that a certain foul is asked about first. */
  async ready(): Promise<void> {
    if (!this.placing.isComplete || this.confirmingFoul) return;
    await this.layoutSynced();
    const laying = this.placing.active;
    if (laying !== null && isSynced(laying) && !laying.legal) this.confirmingFoul = true;
    else await this.place();
  }

  async placeAnyway(): Promise<void> {
    this.confirmingFoul = false;
    await this.place();
  }

  private async place(): Promise<void> {
    const answer = await this.placing.confirm();
    if (answer !== null && !answer.ok) notices.refuse(answer.error);
  }

  private layoutSynced(): Promise<void> {
    const laying = this.placing.active;
    if (laying === null || isSynced(laying)) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      setTimeout(resolve, SYNC_TIMEOUT_MS);
    });
  }

  private connected(open: boolean): void {
    if (!open) {
      this.isFirstView = true;
      if (this.connection !== 'connecting') this.connection = 'lost';
      return;
    }
    if (this.connection !== 'lost') {
      this.connection = 'open';
      return;
    }
    this.connection = 'back';
    setTimeout(() => {
      if (this.connection === 'back') this.connection = 'open';
    }, BACK_LASTS);
  }

  private received(message: ServerMessage): void {
    if (message.t === 'problem') {
      // This browser was signed out elsewhere while the table was open: the page begins as a new guest's.
      if (message.error.code === 'identity.missing' && this.view !== null) location.reload();
      this.problem = message.error;
      // A viewer who has to give a password first sees nothing of the table.
      if (message.error.code === 'table.password') this.view = null;
      // In a league everybody moves on, which is no trouble; AtTable.svelte leads to the next table.
      if (this.view !== null && !this.hasMovedTable) notices.say(message.error.message, 'bad');
    }
    if (message.t !== 'update' || message.table !== this.table) return;
    syncServerTime(message.now);
    if (this.view === null || message.v >= this.view.v) this.take(message.view);
  }

  private take(view: TableView): void {
    const before = this.view;
    this.view = view;
    this.onView?.(this.isFirstView ? null : before, view);
    this.fair.follow(view, !this.isFirstView);
    this.isFirstView = false;
    if (before === null) this.readTalk();
    this.problem = null;
    if (view.dropped && before !== null && !before.dropped) notices.say(m.table_premove_dropped());
    this.placing.follow(view);
    if (this.placing.active === null) this.confirmingFoul = false;
    this.takeSheet(before, view);
    const laying = this.placing.active;
    if (laying === null || isSynced(laying)) {
      for (const resolve of this.waiting.splice(0)) resolve();
    }
  }

  private takeSheet(before: TableView | null, view: TableView): void {
    if (view.phase !== 'showdown') this.celebration = null;
    if (view.sheet === null) return;
    const isNew = before !== null && before.sheet?.deal !== view.sheet.deal;
    this.sheet = view.sheet;
    this.hasNewSheet = isNew || (this.hasNewSheet && view.phase === 'showdown');
    if (!isNew) return;
    const hands = view.sheet.hands.filter((hand) => hand.fantasyland > 0);
    const first = hands.find((hand) => hand.seat === view.you) ?? hands[0];
    if (first !== undefined) {
      this.celebration = { seat: first.seat, player: first.player, cards: first.fantasyland };
    }
  }
}
