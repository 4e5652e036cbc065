// A match as its worker plays it: every seat's cards are here, and `state` says what seat 0 may know of them. Everything
// follows from the setup, the seed and the streets that were placed, so that it can be kept and played on.

import { RequestWriter } from '../../../engine/bytes';
import type { Kernel } from '../../../engine/kernel';
import {
  boardStatus,
  scoreDeal,
  SoloGame,
  DISCARD,
  type Dealing,
  type BotLimits,
  type DealResult,
  type GameView,
  type DealScore,
  type HandView,
} from '../../../engine/solo';
import type { AnalysisSetup } from '../../../api/generated/types';
import { scriptFromPosition, type ReplayScript } from './position';
import type { StreetToPlace, HandState, LevelName, RowState, Setup, State } from './types';
import { toPlacedStreet } from './street';
import { ROWS } from '../../../cards/rows';

/** src/triptych/bots/levels.py; a test holds them together. */
export const LEVEL_LIMITS: Readonly<Record<LevelName, BotLimits>> = {
  novice: { width: 0, rollouts: 0, lookahead: false, noise: 1.5 },
  fast: { width: 0, rollouts: 0, lookahead: true, noise: 0 },
  medium: { width: 8, rollouts: 2_000, lookahead: false, noise: 0 },
  strong: { width: 16, rollouts: 20_000, lookahead: false, noise: 0 },
};

const ME = 0;
/** The distance between the first decks of two games: the fantasylands of one do not move the cards of the next. */
const DECKS = 1_000;

/** A match between two pages; `moves`: the streets of its present game, each with what becomes of its cards. */
export interface SavedMatch {
  readonly setup: Setup;
  readonly seed: string;
  readonly moves: readonly (readonly number[])[];
  /** Before the present game: its first deck's number, how far the seats have turned, games, points by seat. */
  readonly first: number;
  readonly turned: number;
  readonly games: number;
  readonly totals: readonly number[];
  /** What seat 0 won in each of these games. */
  readonly won: readonly number[];
  /** The deal that was scored last still lies open. */
  readonly shown: boolean;
}

export const newMatch = (setup: Setup, seed: string): SavedMatch => ({
  setup,
  seed,
  moves: [],
  first: 0,
  turned: setup.turned ?? 0,
  games: 0,
  totals: [...setup.levels.map(() => 0), 0],
  won: [],
  shown: false,
});

/** The number of a game's first deck in a match of so many. */
export const firstDeck = (game: number): number => game * DECKS;

/** The random numbers by which a bot makes a move of a game; the cards of a rollout reveal nothing. */
export const botSeed = (first: number, move: number): bigint => BigInt(first * 1_000 + move);

/** A game from its first deck on. */
export const dealingOf = (form: AnalysisSetup, hands: number, seed: string, first: number): Dealing => ({
  hands,
  jokers: form.jokers,
  streets: form.streets,
  buttonMoves: form.button_moves,
  aloneHides: form.alone_hides,
  seed: BigInt(`0x${seed}`),
  first,
  fantasylands: [],
  inRow: [],
  given: [],
  orderUnknown: [],
});

export class SoloMatch {
  private readonly rules: number;
  private readonly player: number | null;
  private game!: SoloGame;
  private moves: number[][] = [];
  private totals: number[] = [];
  private layout: readonly (readonly number[])[] = [[], [], []];
  private last: { readonly scored: DealScore; readonly points: readonly number[]; readonly street: number } | null =
    null;
  private version = 0;
  private script: ReplayScript | null = null;
  /** How I placed the deal so far. */
  private placed: State['placed'] = [];

  /** `weights`: the table behind the form's player; null where nothing was learned. Throws EngineError, and Error. */
  constructor(
    private readonly kernel: Kernel,
    weights: Uint8Array<ArrayBuffer> | null,
    private saved: SavedMatch,
  ) {
    const { form } = saved.setup;
    this.rules = kernel.store('keep_rules', new RequestWriter().raw(decoded(form.rules)));
    if (form.player === null) throw new Error('nothing was learned for these rules');
    this.player =
      weights === null
        ? null
        : kernel.store('keep_player', new RequestWriter().raw(decoded(form.player)).raw(weights));
    this.begin();
    for (const move of saved.moves) this.step([...move], true);
    if (!saved.shown) this.last = null;
  }

  /** The match as it is saved. */
  get record(): SavedMatch {
    return { ...this.saved, moves: this.moves, shown: this.last !== null };
  }

  /** Whether a bot is to act now. */
  get isBotsTurn(): boolean {
    return this.last === null && !this.view.over && this.seatOf(this.turn.player) !== ME;
  }

  /** Let the bot in turn place its street. */
  playBot(): void {
    const { form, levels } = this.saved.setup;
    const { player, fantasyland } = this.turn;
    const level = levels[this.seatOf(player) - 1] as LevelName;
    const seed = botSeed(this.saved.first, this.moves.length);
    if (this.player === null || form.field === null) throw new Error('no bot was asked here');
    this.step(
      fantasyland > 0 ? this.game.set(form.field) : this.game.choose(this.player, LEVEL_LIMITS[level], seed),
      false,
    );
  }

  /** How a bot would place my street, by row; null without a bot. */
  hint(): readonly (readonly number[])[] | null {
    const street = this.streetToPlace(this.view);
    const { field } = this.saved.setup.form;
    if (street === null || this.player === null || field === null) return null;
    const actions =
      this.turn.fantasyland > 0
        ? this.game.set(field)
        : this.game.choose(this.player, LEVEL_LIMITS.fast, botSeed(this.saved.first, this.moves.length));
    return ROWS.map((_, row) => street.cards.filter((_card, at) => actions[at] === row));
  }

  /** Take over the layout of my cards so far. */
  arrange(rows: readonly (readonly number[])[]): void {
    if (this.streetToPlace(this.view) !== null) this.layout = rows;
    this.version += 1;
  }

  /** Confirm my street; cards in no row are discarded. Throws EngineError when that is not a legal placement. */
  place(rows: readonly (readonly number[])[]): void {
    const street = this.streetToPlace(this.view);
    if (street === null) throw new Error('it is not your turn');
    this.step(
      street.cards.map((card) => {
        const row = rows.findIndex((cards) => cards.includes(card));
        return row < 0 ? DISCARD : row;
      }),
      false,
    );
  }

  /** Go on after a deal was shown. */
  next(): void {
    if (this.last === null || this.over) return;
    this.last = null;
    this.placed = [];
    this.version += 1;
    const { over, deals } = this.view;
    if (!over) return;
    const { setup, first, turned, games } = this.saved;
    const apart = setup.games !== undefined;
    const moved = setup.form.button_moves && !apart ? deals : 1;
    this.saved = {
      ...this.saved,
      first: apart ? firstDeck(games + 1) : first + deals,
      turned: (turned + moved) % this.count,
      games: games + 1,
      totals: this.totals,
      won: this.won,
      moves: [],
    };
    this.begin();
  }

  /** Everything that seat 0 may know. */
  get state(): State {
    const looked = this.view;
    const { form, levels } = this.saved.setup;
    const { last } = this;
    const street = last === null ? this.streetToPlace(looked) : null;
    const hands =
      last === null
        ? looked.hands.map((hand, at) => this.handState(hand, !looked.over && looked.turn === at, street))
        : last.scored.hands.map((_, at) => this.shownHand(last.scored, at));
    const fantasylands = this.bySeat(
      last === null
        ? looked.hands.map(({ player, fantasyland }) => [player, fantasyland])
        : last.scored.hands.map(({ player, next }) => [player, next]),
    );
    const deals = looked.deals - (last !== null && !looked.over ? 1 : 0);
    return {
      version: this.version,
      form,
      levels,
      deal: this.saved.first + deals,
      dealInGame: deals,
      street: last?.street ?? looked.street,
      hands,
      asked: street,
      thinking: this.isBotsTurn ? this.seatOf(this.turn.player) : null,
      totals: this.totals,
      turned: this.saved.setup.turned ?? 0,
      won: this.won,
      scored: last?.scored ?? null,
      points: last?.points ?? this.totals.map(() => 0),
      placed: last === null ? [] : this.placed,
      fantasylands,
      over: this.over,
      oneDeal: this.saved.setup.oneDeal === true,
    };
  }

  /** What seat 0 won in each game that is over. */
  private get won(): readonly number[] {
    const { won, totals } = this.saved;
    return this.view.over ? [...won, (this.totals[ME] ?? 0) - (totals[ME] ?? 0)] : won;
  }

  private get over(): boolean {
    const { games, oneDeal } = this.saved.setup;
    if (oneDeal === true) return this.last !== null;
    return games !== undefined && this.view.over && this.saved.games + 1 >= games;
  }

  private get count(): number {
    return this.saved.setup.levels.length + 1;
  }

  private get view(): GameView {
    const { seats, count } = this;
    return this.game.look(seats.length > 0 ? seats.indexOf(ME) : (count - this.saved.turned) % count);
  }

  private get turn(): HandView {
    const { hands, turn } = this.view;
    return hands[turn] as HandView;
  }

  /** Whose hands the first game's position gave to whom; players are the seats after that. */
  private get seats(): readonly number[] {
    return this.script?.seats ?? [];
  }

  private seatOf(player: number): number {
    return this.seats[player] ?? (player + this.saved.turned) % this.count;
  }

  private begin(): void {
    const { setup, first, games, seed } = this.saved;
    const { form } = setup;
    this.script = games === 0 && setup.position !== undefined ? scriptFromPosition(form, setup.position) : null;
    if (games === 0 && setup.position !== undefined && this.script === null)
      throw new Error('the position cannot be played on');
    this.moves = [];
    this.totals = [...this.saved.totals];
    this.layout = [[], [], []];
    this.placed = [];
    this.drop();
    const fantasylands = this.script?.fantasylands ?? [];
    this.game = new SoloGame(this.kernel, this.rules, {
      ...dealingOf(form, this.count, seed, first),
      fantasylands,
      inRow: fantasylands.map((cards) => Math.min(cards, 1)),
      given: this.script?.given ?? [],
      orderUnknown: this.script?.orderUnknown ?? [],
    });
    for (const placement of this.script?.placements ?? []) this.game.act(placement);
  }

  private drop(): void {
    if ((this.game as SoloGame | undefined) !== undefined) this.game.dispose();
  }

  private step(actions: number[], again: boolean): void {
    const { view } = this;
    const { turn, street, hands } = view;
    const acting = hands[turn] as HandView;
    if (this.last !== null) this.placed = [];
    if (this.seatOf(acting.player) === ME)
      this.placed = [
        ...this.placed,
        { ...toPlacedStreet(this.saved.setup.form, view, actions), inRow: acting.inRow },
      ];
    const players = Array.from({ length: this.count }, (_, player) => this.seatOf(player));
    const ended = this.game.act(actions);
    this.moves.push(actions);
    this.layout = [[], [], []];
    this.version += again ? 0 : 1;
    this.last = ended === null ? null : this.scoreAndAdd(ended, players, street);
  }

  private scoreAndAdd(
    { points, hands }: DealResult,
    players: readonly number[],
    street: number,
  ): { scored: DealScore; points: readonly number[]; street: number } {
    const bySeat = this.bySeat(points.map((won, player) => [player, won]));
    for (const [player, seat] of players.entries())
      this.totals[seat] = (this.totals[seat] ?? 0) + (points[player] ?? 0);
    return { scored: scoreDeal(this.kernel, this.rules, hands), points: bySeat, street };
  }

  private bySeat(byPlayer: readonly (readonly [player: number, value: number])[]): number[] {
    const values = Array.from({ length: this.count }, () => 0);
    for (const [player, value] of byPlayer) values[this.seatOf(player)] = value;
    return values;
  }

  private streetToPlace({ over, turn, street, hands }: GameView): StreetToPlace | null {
    const hand = hands[turn];
    if (over || this.last !== null || hand === undefined || this.seatOf(hand.player) !== ME) return null;
    return { hand: turn, street, cards: hand.draws, discard: hand.toDiscard, layout: this.layout };
  }

  private handState(hand: HandView, acting: boolean, street: StreetToPlace | null): HandState {
    const mine = acting && street !== null;
    const pending = mine ? this.layout : [[], [], []];
    const rows = hand.rows.map((cards, row) => [...cards, ...(pending[row] ?? [])]);
    return { ...hand, seat: this.seatOf(hand.player), rows: this.rowStates(rows, pending), acting };
  }

  private shownHand({ hands }: DealScore, at: number): HandState {
    const hand = hands[at] as DealScore['hands'][number];
    const rows = hand.cards.map((cards, row): RowState => ({
      cards,
      pending: [],
      value: hand.values[row] ?? 0,
      royalty: hand.offending === 0 ? (hand.royalties[row] ?? 0) : 0,
      lost: ((hand.offending >> row) & 1) === 1,
    }));
    return {
      seat: this.seatOf(hand.player),
      fantasyland: hand.fantasyland,
      inRow: 0,
      faceDown: false,
      rows,
      draws: [],
      holds: 0,
      discards: [],
      acting: false,
      laid: [],
    };
  }

  private rowStates(rows: readonly (readonly number[])[], pending: readonly (readonly number[])[]): RowState[] {
    const hidden = rows.some((row) => row.includes(-1));
    const status = hidden ? null : boardStatus(this.kernel, this.rules, this.saved.setup.form.jokers, rows);
    return rows.map((cards, row) => {
      const full = status !== null && cards.length === (row === 0 ? 3 : 5);
      return {
        cards,
        pending: pending[row] ?? [],
        value: full ? (status.values[row] ?? 0) : null,
        royalty: full ? (status.royalties[row] ?? 0) : 0,
        lost: status !== null && ((status.condemned >> row) & 1) === 1,
      };
    });
  }
}

export const decoded = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** A position that a deal can begin with, under these rules. */
export const isPlayable = (form: AnalysisSetup, position: Setup['position']): boolean =>
  position === undefined || scriptFromPosition(form, position) !== null;
