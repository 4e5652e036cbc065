// The viewer's own cards on their way to the rows: what is lifted, what lies where, what can be undone, and what
// the server knows. The server's names, warnings and legality are about the last layout that it received.

import type { Answer } from '../../../api/connection';
import type {
  PremoveView,
  Arrange,
  DealView,
  Layout,
  Place,
  RowName,
  TableView,
  Task,
} from '../../../api/generated/types';
import { sortCards, type Sorting } from '../../../cards/cards';
import * as P from './placement';
import type { Placement } from './placement';

/** One street of one hand while it is being laid out. */
export interface PendingPlacement {
  readonly key: string;
  readonly hand: number;
  readonly street: number;
  readonly now: Placement;
  readonly undoStack: readonly Placement[];
  /** The layout that the server's last view is about. */
  readonly confirmedLayout: Layout;
  readonly legal: boolean;
  /** Ready has been pressed; nothing moves any more unless the server refuses. */
  readonly sent: boolean;
  /** The turn has not come: what is laid and confirmed waits for it at the server. */
  readonly ahead: boolean;
}

const ARRANGE_AFTER = 60;
/** From this many cards on, they lie in a fan. */
const FAN = 6;

export const isFan = (laying: PendingPlacement): boolean => laying.now.cards.length >= FAN;
export const isSynced = (laying: PendingPlacement): boolean =>
  P.sameLayout(laying.now.layout, laying.confirmedLayout);

/** What of a table's view is to be laid. */
export interface Dealt extends Pick<TableView, 'ahead' | 'v'> {
  readonly deal: Pick<DealView, 'number' | 'tasks'> | null;
}

/** `ahead`: to be done when the turn comes. */
type Ask = (ahead: boolean, action: Arrange | Place) => Promise<Answer>;

export class PendingPlacements {
  private layings = $state.raw<readonly PendingPlacement[]>([]);
  /** The board that the person looks at, where there are several; null: the one that waits for cards. */
  chosen = $state<number | null>(null);
  lifted = $state<string | null>(null);

  /** By hand: the timer of the next arrange, and whether one is unanswered. */
  private readonly timers: Record<number, number | undefined> = {};
  private readonly busy: Record<number, boolean | undefined> = {};
  private readonly confirming: Record<number, boolean | undefined> = {};
  private answeredAt = 0;
  private deal: number | null = null;

  constructor(private readonly ask: Ask) {}

  /** The hand that cards go to: the chosen one, which may be set already, else the first that waits for cards. */
  get active(): PendingPlacement | null {
    if (this.chosen !== null) return this.of(this.chosen);
    return this.layings.find((laying) => !laying.sent) ?? this.layings[0] ?? null;
  }

  of(hand: number): PendingPlacement | null {
    return this.layings.find((laying) => laying.hand === hand) ?? null;
  }

  choose(hand: number): void {
    this.chosen = hand;
    this.lifted = null;
  }

  /** Take in a new view: begin new streets, drop finished ones, keep what the person has changed since. */
  follow(view: Dealt): void {
    if (view.deal?.number !== this.deal) this.chosen = null;
    this.deal = view.deal?.number ?? null;
    const tasks = view.deal?.tasks.filter((task) => task.kind === 'place') ?? [];
    const ahead = view.ahead
      .filter((premove) => premove.task.kind === 'place')
      .map((premove) => this.followed({ ...premove.task, layout: premove.layout }, view, premove));
    this.layings = [...tasks.map((task) => this.followed(task, view)), ...ahead];
    const cards = this.active?.now.cards ?? [];
    if (this.lifted !== null && !cards.includes(this.lifted)) this.lifted = null;
  }

  private followed(task: Task, view: Dealt, ahead: PremoveView | null = null): PendingPlacement {
    const key = `${view.deal?.number ?? 0}.${task.hand}.${task.street}.${task.cards.length}`;
    const old = this.of(task.hand);
    const isPremoved = ahead?.kept === 'place';
    const confirmed = { confirmedLayout: task.layout, legal: task.legal, ahead: ahead !== null };
    if (old?.key !== key) {
      const { hand, street } = task;
      return { key, hand, street, now: P.startPlacement(task), undoStack: [], sent: isPremoved, ...confirmed };
    }
    // Set ahead, the server says whether it is confirmed; what it did not do when the turn came is the person's again.
    const sent = this.confirming[task.hand] ? old.sent : ahead !== null ? isPremoved : old.sent && !old.ahead;
    // Another device of the same person may have moved a card: follow, unless this one is ahead.
    const leads =
      (sent && ahead === null) ||
      this.confirming[task.hand] ||
      this.busy[task.hand] ||
      this.timers[task.hand] !== undefined ||
      view.v < this.answeredAt;
    if (leads || P.sameLayout(old.now.layout, task.layout)) return { ...old, ...confirmed, sent };
    return { ...old, ...confirmed, sent, now: { ...old.now, layout: task.layout, aside: [] }, undoStack: [] };
  }

  /** Lift a card of the tray; lifting it again puts it down. */
  lift(card: string): void {
    if (this.active === null || this.active.sent) return;
    this.lifted = card === this.lifted ? null : card;
  }

  release(): void {
    this.lifted = null;
  }

  /** The card that a row's tap would place: the lifted one, or the only one left. */
  get ready(): string | null {
    const laying = this.active;
    if (laying === null || laying.sent) return null;
    if (this.lifted !== null) return this.lifted;
    const tray = P.inTray(laying.now);
    return tray.length === 1 && !P.isComplete(laying.now) ? (tray[0] ?? null) : null;
  }

  canPut(row: RowName): boolean {
    const laying = this.active;
    const card = this.ready;
    return laying !== null && card !== null && P.canPut(laying.now, card, row);
  }

  put(card: string, row: RowName): void {
    this.change((now) => P.put(now, card, row));
    this.lifted = null;
  }

  putReady(row: RowName): void {
    if (this.ready !== null) this.put(this.ready, row);
  }

  /** Back to the tray, and lifted there so that the next tap can place it elsewhere. */
  takeBack(card: string, lifted: boolean): void {
    this.change((now) => P.takeBack(now, card));
    this.lifted = lifted ? card : null;
  }

  exchange(a: string, b: string): void {
    this.change((now) => P.exchange(now, a, b));
    this.lifted = null;
  }

  setAside(card: string): void {
    this.change((now) => P.setAside(now, card));
    this.lifted = null;
  }

  swapRows(a: RowName, b: RowName): void {
    this.change((now) => P.swapRows(now, a, b));
  }

  lay(layout: Layout): void {
    this.change((now) => P.lay(now, layout));
    this.lifted = null;
  }

  clear(): void {
    this.change((now) => (P.placed(now) + now.aside.length > 0 ? P.clear(now) : now));
    this.lifted = null;
  }

  undo(): void {
    const laying = this.active;
    const last = laying?.undoStack.at(-1);
    this.lifted = null;
    if (!laying || laying.sent) return;
    if (last !== undefined) {
      this.set({ ...laying, now: last, undoStack: laying.undoStack.slice(0, -1) });
      this.tell(laying.hand);
    } else {
      this.clear();
    }
  }

  get canUndo(): boolean {
    const laying = this.active;
    return laying !== null && !laying.sent && (laying.undoStack.length > 0 || P.placed(laying.now) > 0);
  }

  get isComplete(): boolean {
    return this.active !== null && P.isComplete(this.active.now);
  }

  /** The tray's cards in the order in which they are shown; number keys count along it. */
  tray(sorting: Sorting): string[] {
    const laying = this.active;
    if (laying === null) return [];
    const cards = P.inTray(laying.now);
    return isFan(laying) ? sortCards(cards, sorting) : cards;
  }

  /** Ready: confirm the street. On a refusal everything can be moved again. */
  async confirm(): Promise<Answer | null> {
    const laying = this.active;
    if (laying === null || laying.sent || !P.isComplete(laying.now)) return null;
    this.stopTimer(laying.hand);
    this.lifted = null;
    this.set({ ...laying, sent: true });
    this.confirming[laying.hand] = true;
    const answer = await this.ask(laying.ahead, { do: 'place', hand: laying.hand, layout: laying.now.layout });
    this.confirming[laying.hand] = false;
    const still = this.of(laying.hand);
    if (!answer.ok && still?.key === laying.key) this.set({ ...still, sent: false });
    else this.chosen = null;
    return answer;
  }

  /** What was confirmed ahead of the turn can be moved again, as long as that has not come. */
  async takeBackReady(): Promise<void> {
    const laying = this.active;
    if (laying === null || !laying.ahead || !laying.sent) return;
    const { hand, now } = laying;
    await this.ask(true, { do: 'arrange', hand, layout: now.layout });
  }

  private change(step: (now: Placement) => Placement): void {
    const laying = this.active;
    if (laying === null || laying.sent) return;
    const now = step(laying.now);
    if (now === laying.now) return;
    this.set({ ...laying, now, undoStack: [...laying.undoStack, laying.now] });
    this.tell(laying.hand);
  }

  private set(laying: PendingPlacement): void {
    this.layings = this.layings.map((other) => (other.hand === laying.hand ? laying : other));
  }

  private stopTimer(hand: number): void {
    clearTimeout(this.timers[hand]);
    this.timers[hand] = undefined;
  }

  /** Tell the server the layout soon; one message at a time, always the latest layout. */
  private tell(hand: number): void {
    this.stopTimer(hand);
    this.timers[hand] = window.setTimeout(() => void this.arrange(hand), ARRANGE_AFTER);
  }

  private async arrange(hand: number): Promise<void> {
    this.timers[hand] = undefined;
    const laying = this.of(hand);
    if (this.busy[hand] || laying === null || laying.sent) return;
    const { layout } = laying.now;
    this.busy[hand] = true;
    const answer = await this.ask(laying.ahead, { do: 'arrange', hand, layout });
    this.busy[hand] = false;
    if (answer.ok) this.answeredAt = Math.max(this.answeredAt, answer.v);
    const now = this.of(hand);
    if (now?.key === laying.key && !P.sameLayout(now.now.layout, layout)) this.tell(hand);
  }
}
