// The state of the scorer's page: who plays under which rules, the boards being taken down, and the session.

import { m } from '../../../shared/i18n.svelte';
import type { DealLine, ToolsApi, RulesSpec } from '../../../api/http';
import type { ScoredSession, RowName, ScorerSetup, ScoreSheet, WireError } from '../../../api/generated/types';
import { ROWS } from '../../../cards/cards';
import { save, load } from '../../../shared/storage';
import { LatestRequest } from '../../../shared/latestRequest';
import { allCards, emptyHand, missing, nextRow, withCard, withoutCard, type DraftHand } from './hand';
import { contentOf, isRemoved, withCorrection } from './corrections';
import { dealLine, FIRST_PRESET, handsOf, rulesOf, stakesOf, type Stakes } from './line';
import { amountsOf, entryOf, isComplete, pointsLine, signedPoints, sum, type Amounts, type Entry } from './points';
import { withOfflineFallback, type Scoring } from './offlineScoring';

interface SavedSession {
  readonly rules: RulesSpec;
  readonly players: readonly string[];
  readonly stakes: Stakes;
  readonly deals: readonly DealLine[];
  readonly hands: readonly DraftHand[];
  readonly editing: number | null;
  readonly entry: Entry;
  readonly amounts: Amounts;
  /** Who corrects deals on this device; null until somebody has said so. */
  readonly author: string | null;
}

const KEY = 'triptych.evening';
const FRESH: SavedSession = {
  rules: { preset: FIRST_PRESET },
  players: ['Ann', 'Bob'],
  stakes: {},
  deals: [],
  hands: [],
  editing: null,
  entry: 'cards',
  amounts: {},
  author: null,
};

export class ScorerState {
  rules = $state.raw<RulesSpec>(FRESH.rules);
  players = $state.raw<readonly string[]>(FRESH.players);
  stakes = $state.raw<Stakes>({});
  deals = $state.raw<readonly DealLine[]>([]);
  hands = $state.raw<readonly DraftHand[]>([]);
  /** Which deal of the session is being changed; null while a new one is taken down. */
  editing = $state<number | null>(null);

  entry = $state<Entry>('cards');
  amounts = $state.raw<Amounts>({});
  author = $state<string | null>(null);
  /** A correction that waits until somebody says who corrects. */
  unsigned = $state.raw<(() => void) | null>(null);

  form = $state.raw<ScorerSetup | null>(null);
  session = $state.raw<ScoredSession | null>(null);
  /** The sheet of the boards as they lie, once they are complete. */
  sheet = $state.raw<ScoreSheet | null>(null);
  problem = $state.raw<WireError | null>(null);
  /** What is wrong with the rules that were chosen. */
  refused = $state<string | null>(null);
  at = $state<{ hand: number; row: RowName }>({ hand: 0, row: 'front' });

  /** The last rules that the server could read. */
  private good: RulesSpec = FRESH.rules;
  private readonly forms = new LatestRequest();
  private readonly sheets = new LatestRequest();
  private readonly sessions = new LatestRequest();

  private readonly tools: Scoring;

  constructor(tools: ToolsApi) {
    this.tools = withOfflineFallback(tools);
    const last: SavedSession = { ...FRESH, ...(load(KEY) as Partial<SavedSession> | null) };
    Object.assign(this, last);
    void this.begin(last.rules);
    void this.count();
  }

  private async begin(rules: RulesSpec): Promise<void> {
    await this.setRules(rules);
    // Unless others were chosen while these were asked for.
    if (this.form === null && this.rules === this.good) await this.setRules(FRESH.rules);
  }

  // ---- who plays what ----

  get declare(): boolean {
    return this.form?.declare ?? false;
  }

  async setRules(rules: RulesSpec): Promise<void> {
    this.rules = rules;
    const answer = await this.forms.ask(() => this.tools.scoreForm(rules));
    if (answer === null) return;
    if (!answer.ok) {
      this.refused = answer.error.message;
      this.rules = this.good;
      return;
    }
    this.form = answer.value;
    this.good = rules;
    this.refused = null;
    this.seat(this.players.slice(0, answer.value.players_max));
  }

  rename(at: number, name: string): void {
    // Two players of one name could not be told apart in the ledger.
    const others = this.players.filter((_, i) => i !== at);
    let own = name;
    for (let n = 2; others.includes(own); n += 1) own = `${name} ${n}`;
    this.seat(this.players.map((old, i) => (i === at ? own : old)));
  }

  addPlayer(): void {
    const free = ['Ann', 'Bob', 'Cem', 'Dee'].find((name) => !this.players.includes(name));
    this.seat([...this.players, free ?? m.scorer_player_number({ x: this.players.length + 1 })]);
  }

  removePlayer(at: number): void {
    this.seat(this.players.filter((_, i) => i !== at));
  }

  /** Give every player as many boards as the rules have; cards stay with their place. */
  private seat(players: readonly string[]): void {
    const boards = this.form?.boards ?? 1;
    const old = this.hands;
    this.players = players;
    this.hands = players.flatMap((owner, i) =>
      Array.from({ length: boards }, (_, b): DraftHand => {
        const name = boards === 1 ? owner : `${owner} ${b + 1}`;
        return { ...(old[i * boards + b] ?? emptyHand(name, owner)), name, owner };
      }),
    );
    this.at = { hand: Math.min(this.at.hand, this.hands.length - 1), row: this.at.row };
    this.changed();
  }

  readonly pairs = $derived(
    this.players.flatMap((a, i) => this.players.slice(i + 1).map((b) => ({ a, b, key: `${a}-${b}` }))),
  );

  setStake(pair: string, stake: number): void {
    this.stakes = { ...this.stakes, [pair]: stake };
    this.changed();
  }

  // ---- the boards ----

  readonly used = $derived(this.hands.flatMap(allCards));
  readonly complete = $derived(this.hands.length > 0 && this.hands.every((hand) => missing(hand) === 0));

  choose(hand: number, row: RowName): void {
    this.at = { hand, row };
  }

  put(card: string): void {
    const hand = this.hands[this.at.hand];
    if (hand === undefined || this.used.includes(card) || missing(hand) === 0) return;
    this.setHand(this.at.hand, withCard(hand, card, this.at.row));
  }

  takeBack(at: number, card: string): void {
    const hand = this.hands[at];
    if (hand === undefined) return;
    const row = ROWS.find((name) => hand.rows[name].includes(card));
    this.at = { hand: at, row: row ?? this.at.row };
    this.replaceHand(at, withoutCard(hand, card));
  }

  /** Change a hand, and go on with the next place to fill. */
  setHand(at: number, hand: DraftHand): void {
    this.replaceHand(at, hand);
    this.goOn(at);
  }

  private replaceHand(at: number, hand: DraftHand): void {
    this.hands = this.hands.map((old, i) => (i === at ? hand : old));
    this.changed();
  }

  private goOn(from: number): void {
    const hand = this.hands[from];
    if (hand !== undefined && missing(hand) > 0) {
      this.at = {
        hand: from,
        row:
          hand.mode === 'natural'
            ? 'front'
            : (nextRow(hand, this.at.hand === from ? this.at.row : 'front') ?? 'front'),
      };
      return;
    }
    const next = this.hands.findIndex((other) => missing(other) > 0);
    if (next >= 0) this.at = { hand: next, row: nextRow(this.hands[next] as DraftHand, 'front') ?? 'front' };
  }

  /** What is wrong with a hand, when the problem's path names it: `$.players.Ann.back[3]`. */
  problemOf(hand: DraftHand): string | null {
    const at = this.problem?.path ?? '';
    return at.startsWith(`$.players.${hand.name}.`) || at === `$.players.${hand.name}`
      ? (this.problem?.message ?? null)
      : null;
  }

  // ---- points without boards ----

  readonly keys = $derived(this.entry === 'pairs' ? this.pairs.map(({ key }) => key) : this.players);
  readonly points = $derived(signedPoints(this.keys, this.amounts));
  /** What the points of all players are more or less than they should be. */
  readonly excess = $derived(this.entry === 'points' && (this.form?.zero_sum ?? true) ? sum(this.points) : 0);
  readonly pointsComplete = $derived(
    this.entry !== 'cards' && this.form !== null && isComplete(this.keys, this.amounts),
  );

  setEntry(entry: Entry): void {
    this.entry = entry;
    this.amounts = {};
    this.changed();
  }

  setPoints(key: string, points: number, lost: boolean): void {
    this.amounts = { ...this.amounts, [key]: { points, lost } };
    this.changed();
  }

  // ---- the session ----

  /** Do it as somebody: who corrects is asked once. */
  asAuthor(correct: () => void): void {
    if (this.author === null) this.unsigned = correct;
    else correct();
  }

  sign(author: string): void {
    const correct = this.unsigned;
    this.author = author;
    this.unsigned = null;
    this.changed();
    correct?.();
  }

  private keep(line: DealLine): void {
    const at = this.editing;
    if (at === null) this.deals = [...this.deals, line];
    else this.correct(at, line);
    this.editing = null;
  }

  private correct(at: number, line: DealLine): void {
    this.deals = this.deals.map((old, i) => (i === at ? withCorrection(old, line, this.author ?? '') : old));
  }

  /** Keep the points as a deal of the session. */
  addPoints(): void {
    if (!this.pointsComplete || this.excess !== 0 || this.entry === 'cards') return;
    this.keep(pointsLine(this.rules, this.entry, this.players, this.points, this.stakes));
    this.amounts = {};
    this.clear();
    void this.count();
  }

  /** Keep the boards as a deal of the session; players who reached fantasyland are noted for the next. */
  add(): void {
    const { sheet } = this;
    if (sheet === null) return;
    const line = this.line();
    const before = this.hands;
    const isLast = this.editing === null || this.editing === this.deals.length - 1;
    this.hands = before.map((hand, i) => {
      const cards = isLast ? (sheet.hands[i]?.fantasyland ?? 0) : 0;
      return {
        ...emptyHand(hand.name, hand.owner),
        fantasyland: cards,
        inRow: cards > 0 && hand.fantasyland > 0 ? hand.inRow + 1 : 1,
      };
    });
    this.keep(line);
    this.at = { hand: 0, row: 'front' };
    this.changed();
    void this.count();
  }

  /** Take a deal up again to change it. */
  async edit(at: number): Promise<void> {
    const line = this.deals[at];
    if (line === undefined) return;
    await this.setRules(rulesOf(line));
    this.editing = at;
    this.takeUp(line, handsOf(line));
    this.entry = entryOf(line);
    this.amounts = amountsOf(line);
    this.changed();
  }

  stopEditing(): void {
    this.editing = null;
    this.amounts = {};
    this.hands = this.hands.map((hand) => emptyHand(hand.name, hand.owner));
    this.at = { hand: 0, row: 'front' };
    this.changed();
  }

  /** Take a deal out; it stays in the session, and counts no more. */
  remove(at: number): void {
    this.correct(at, { ...this.deals[at], removed: true });
    if (this.editing === at) this.stopEditing();
    this.changed();
    void this.count();
  }

  /** Bring a deal back that was taken out. */
  restore(at: number): void {
    this.correct(at, Object.fromEntries(Object.entries(this.deals[at] ?? {}).filter(([key]) => key !== 'removed')));
    this.changed();
    void this.count();
  }

  clear(): void {
    this.hands = this.hands.map((hand) => emptyHand(hand.name, hand.owner));
    this.at = { hand: 0, row: 'front' };
    this.changed();
  }

  newSession(): void {
    this.deals = [];
    this.session = null;
    this.editing = null;
    this.amounts = {};
    this.clear();
  }

  /** Go on with a session from a file. */
  async open(deals: readonly DealLine[]): Promise<void> {
    this.deals = deals;
    this.editing = null;
    const last = deals.findLast((deal) => !isRemoved(deal));
    if (last !== undefined) {
      await this.setRules(rulesOf(last));
      this.takeUp(
        last,
        handsOf(last).map((hand) => emptyHand(hand.name, hand.owner)),
      );
      this.setEntry(entryOf(last));
    }
    await this.count();
  }

  private takeUp(line: DealLine, hands: readonly DraftHand[]): void {
    this.stakes = { ...this.stakes, ...stakesOf(line) };
    this.hands = hands;
    this.at = { hand: 0, row: 'front' };
    const order = line['order'] as readonly string[] | undefined;
    if (entryOf(line) === 'cards')
      this.players = hands.map((hand) => hand.owner).filter((owner, i, all) => all.indexOf(owner) === i);
    else this.seat(order ?? Object.keys(line['points'] ?? {}));
    this.changed();
  }

  private line(): DealLine {
    return dealLine(this.rules, this.hands, this.stakes, this.declare);
  }

  private changed(): void {
    const now: SavedSession = {
      rules: this.rules,
      players: this.players,
      stakes: this.stakes,
      deals: this.deals,
      hands: this.hands,
      editing: this.editing,
      entry: this.entry,
      amounts: this.amounts,
      author: this.author,
    };
    save(KEY, now);
    void this.score();
  }

  private async score(): Promise<void> {
    if (!this.complete || this.entry !== 'cards') {
      this.sheets.forget();
      this.sheet = null;
      this.problem = null;
      return;
    }
    const answer = await this.sheets.ask(() =>
      this.tools.scoreDeal(this.line(), (this.editing ?? this.deals.length) + 1),
    );
    if (answer === null) return;
    this.sheet = answer.ok ? answer.value : null;
    this.problem = answer.ok ? null : answer.error;
  }

  private async count(): Promise<void> {
    if (this.deals.length === 0) {
      this.sessions.forget();
      this.session = null;
      return;
    }
    const answer = await this.sessions.ask(() => this.tools.scoreSession(this.deals.map(contentOf)));
    if (answer === null) return;
    if (answer.ok) this.session = answer.value;
    else this.problem = answer.error;
  }
}
