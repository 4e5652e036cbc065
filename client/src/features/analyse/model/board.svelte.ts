// The board on which a position is laid out: hands, whose turn it is, where the next tapped card goes. The address says it.

import { language, m } from '../../../shared/i18n.svelte';
import { readFragment, type Overrides } from '../../rules/model/link';
import type { Api, ToolsApi, RulesSpec } from '../../../api/http';
import type { AnalysisSetup, PresetItem } from '../../../api/generated/types';
import { HIDDEN, ROWS, SLOTS } from '../../../cards/cards';
import { LatestRequest } from '../../../shared/latestRequest';
import { router } from '../../../shared/router.svelte';
import { analysePath, PRESET } from './link';
import {
  allCards,
  emptyHand,
  cardsPlaced,
  positionText,
  readPosition,
  type PositionHand,
  type BoardPosition,
  type Zone,
} from './position';
import { rowCountsAfter, rowCountsIn, buildQuery, cardsToDraw } from './buildQuery';

/** A position and its rules. */
export interface StoredPosition {
  readonly rules: RulesSpec;
  readonly position: string;
}

export interface Cursor {
  readonly hand: number;
  readonly zone: Zone;
}

const NOTHING: BoardPosition = { hands: [emptyHand, emptyHand], me: 0 };

/** A hand whose rows are edited has no known order. */
const unordered = (zone: Zone): Partial<PositionHand> =>
  zone === 'drawn' || zone === 'discards' ? {} : { laid: [] };

function decodeFragment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export class AnalyseBoard {
  rules = $state.raw<RulesSpec>({ preset: PRESET });
  presets = $state.raw<readonly PresetItem[]>([]);
  form = $state.raw<AnalysisSetup | null>(null);
  problem = $state<string | null>(null);
  setUp = $state.raw<BoardPosition>(NOTHING);
  /** Where the next card goes; null: nowhere, the position is whole. */
  at = $state.raw<Cursor | null>({ hand: 0, zone: 'drawn' });
  private readonly setupRequest = new LatestRequest();

  readonly used = $derived(this.setUp.hands.flatMap(allCards));
  readonly query = $derived(this.form === null ? null : buildQuery(this.form, this.setUp));
  readonly draws = $derived(this.form === null ? 0 : cardsToDraw(this.form, this.setUp));

  constructor(
    api: Api,
    private readonly tools: ToolsApi,
    preset: string,
    fragment: string,
  ) {
    this.read(preset, fragment);
    void this.fetch({ came: true });
    api.presets().then(
      (all) => (this.presets = all.filter(({ playable }) => playable)),
      () => (this.problem = m.common_server_unreachable()),
    );
  }

  private read(preset: string, fragment: string): void {
    const [written = '', ...settings] = fragment.replace(/^#/, '').split('&');
    this.rules = { ...readFragment(settings.join('&')), preset };
    const text = decodeFragment(written);
    const setUp = text === '' ? NOTHING : readPosition(text);
    this.problem = setUp === null ? m.analyse_bad_link() : null;
    if (setUp !== null) this.setUp = setUp;
  }

  /** Show a saved position, or one from a file. */
  async open({ rules, position }: StoredPosition): Promise<void> {
    const setUp = readPosition(position);
    this.problem = setUp === null ? m.analyse_bad_link() : null;
    if (setUp === null) return;
    this.rules = rules;
    this.setUp = setUp;
    this.at = null;
    await this.fetch({ came: true });
  }

  /** The position and its rules, to be saved. */
  get stored(): StoredPosition {
    return { rules: this.rules, position: positionText(this.setUp) };
  }

  /** Other rules for the same cards. */
  async choose(preset: string, overrides: Overrides = {}): Promise<void> {
    this.rules = { ...overrides, preset };
    this.problem = null;
    this.tell();
    await this.fetch();
  }

  /** `came`: the position came from elsewhere, so the reader is told when parts of it were removed. */
  private async fetch({ came = false } = {}): Promise<void> {
    const answer = await this.setupRequest.ask(() => this.tools.analysisForm(this.rules));
    if (answer === null) return;
    if (!answer.ok) {
      this.form = null;
      this.problem = answer.error.message;
      return;
    }
    this.form = answer.value;
    // Jokers, fantasylands and hands that these rules do not have are taken off the table.
    const { deck, fantasyland, hands_max, closed } = answer.value;
    const fits = (hand: PositionHand): PositionHand => {
      const inDeck = (cards: readonly string[]): string[] =>
        cards.filter((card) => card === HIDDEN || deck.includes(card));
      const zones: Record<Zone, string[]> = {
        front: inDeck(hand.front),
        middle: inDeck(hand.middle),
        back: inDeck(hand.back),
        drawn: inDeck(hand.drawn),
        discards: inDeck(hand.discards),
      };
      // The hand to set in a closed deal has all its cards still to place.
      if (closed !== null && hand === this.setUp.hands[this.setUp.me]) {
        const drawn = [...zones.front, ...zones.middle, ...zones.back, ...zones.drawn];
        return { ...emptyHand, drawn };
      }
      if (closed !== null) Object.assign(zones, { drawn: [], discards: [] });
      const fitting: PositionHand = {
        ...zones,
        fantasyland: fantasyland.includes(hand.fantasyland) ? hand.fantasyland : 0,
        laid: hand.laid,
      };
      return { ...fitting, laid: rowCountsIn(answer.value, fitting) };
    };
    // Of too many hands the last opponents go; whose turn it is stays the reader's own.
    const me = Math.min(this.setUp.me, hands_max - 1);
    const others = this.setUp.hands.filter((_, at) => at !== this.setUp.me).slice(0, hands_max - 1);
    const hands = others.toSpliced(me, 0, this.setUp.hands[this.setUp.me] ?? emptyHand).map(fits);
    const whole =
      hands.length === this.setUp.hands.length &&
      hands.flatMap(allCards).length === this.used.length &&
      hands.every((hand, at) => hand.fantasyland === this.setUp.hands[at]?.fantasyland);
    if (came && !whole) this.problem = m.analyse_does_not_fit();
    this.change(this.seated({ hands, me }), this.at);
    // A person quicker than the server continues where they tapped.
    if (this.at === null || !this.free(this.at)) this.at = this.next(this.at);
  }

  /** All cards are set at once: a closed hand or a fantasyland. */
  get atOnce(): boolean {
    return this.form?.closed != null || (this.setUp.hands[this.setUp.me]?.fantasyland ?? 0) > 0;
  }

  /** Only a fantasyland is set alone. */
  get minHands(): number {
    return (this.setUp.hands[this.setUp.me]?.fantasyland ?? 0) > 0 ? 1 : 2;
  }

  private seated({ hands, me }: BoardPosition): BoardPosition {
    const alone = hands.length < 2 && (hands[me]?.fantasyland ?? 0) === 0;
    return { hands: alone ? [...hands, emptyHand] : hands, me };
  }

  name(hand: number): string {
    return hand === this.setUp.me
      ? m.common_you()
      : m.analyse_opponent({ x: hand < this.setUp.me ? hand + 1 : hand });
  }

  /** How many cards a place has room for. */
  room(at: Cursor): number {
    if (at.zone === 'drawn') return at.hand === this.setUp.me ? this.draws : 0;
    return at.zone === 'discards' ? (this.form?.deck.length ?? 0) : SLOTS[at.zone];
  }

  target(at: Cursor): void {
    this.at = at;
  }

  put(card: string): void {
    const { at } = this;
    if (at === null || this.used.includes(card)) return;
    const free = this.free(at) ? at : this.next(at);
    if (free === null || !this.free(free)) return;
    this.problem = null;
    this.changeHand(free.hand, (hand) => ({
      ...hand,
      ...unordered(free.zone),
      [free.zone]: [...hand[free.zone], card],
    }));
    this.at = this.free(free) ? free : this.next(free);
  }

  takeBack(at: Cursor, card: string): void {
    this.changeHand(at.hand, (hand) => ({
      ...hand,
      ...unordered(at.zone),
      [at.zone]: hand[at.zone].filter((other) => other !== card),
    }));
    this.at = at;
  }

  takeBackLast(): void {
    const { at } = this;
    const last = at === null ? undefined : this.setUp.hands[at.hand]?.[at.zone].at(-1);
    if (at !== null && last !== undefined) this.takeBack(at, last);
  }

  seat(count: number): void {
    const hands = Array.from({ length: count }, (_, at) => this.setUp.hands[at] ?? emptyHand);
    this.change(
      { hands, me: Math.min(this.setUp.me, count - 1) },
      { hand: Math.min(this.setUp.me, count - 1), zone: 'drawn' },
    );
  }

  /** Move my hand, with its cards, to this place from the button's left. */
  sit(me: number): void {
    const hands = [...this.setUp.hands];
    hands.splice(me, 0, ...hands.splice(this.setUp.me, 1));
    this.change({ hands, me }, null);
  }

  setFantasyland(at: number, fantasyland: number): void {
    const empty = fantasyland > 0 ? { front: [], middle: [], back: [], laid: [] } : {};
    this.changeHand(at, (hand) => ({ ...hand, ...empty, fantasyland }));
    this.change(this.seated(this.setUp), this.at);
    this.at = this.next(this.at);
  }

  clear(): void {
    this.change(
      { hands: this.setUp.hands.map(() => emptyHand), me: this.setUp.me },
      { hand: this.setUp.me, zone: 'drawn' },
    );
    this.problem = null;
  }

  /** New cards for my street, from those that no hand has. */
  deal(): void {
    if (this.form === null) return;
    const { me } = this.setUp;
    const others = this.setUp.hands.map((hand, at) => (at === me ? { ...hand, drawn: [] } : hand)).flatMap(allCards);
    const pack = this.form.deck.filter((card) => !others.includes(card));
    const drawn = Array.from({ length: this.draws }, () =>
      pack.splice(Math.floor(Math.random() * pack.length), 1),
    ).flat();
    this.changeHand(me, (hand) => ({ ...hand, drawn }));
    this.at = this.next({ hand: me, zone: 'drawn' });
  }

  /** Play a placement: my cards lie there, the next street's are to come. */
  place(rows: readonly (readonly string[])[], thrown: readonly string[]): void {
    const { me } = this.setUp;
    this.changeHand(me, (hand) => {
      const after: PositionHand = {
        ...hand,
        front: [...hand.front, ...(rows[0] ?? [])],
        middle: [...hand.middle, ...(rows[1] ?? [])],
        back: [...hand.back, ...(rows[2] ?? [])],
        drawn: [],
        discards: [...hand.discards, ...thrown],
      };
      return { ...after, laid: this.form === null ? [] : rowCountsAfter(this.form, hand, after) };
    });
    this.at = this.next({ hand: me, zone: 'drawn' });
  }

  /** What the rules are changed in. */
  get overrides(): Overrides {
    return Object.fromEntries(Object.entries(this.rules).filter(([key]) => key !== 'preset'));
  }

  get path(): string {
    const empty = this.used.length === 0 && this.setUp.hands.length === 2 && this.setUp.me === 0;
    return analysePath(this.rules, empty ? null : this.setUp);
  }

  private free(at: Cursor): boolean {
    return (this.setUp.hands[at.hand]?.[at.zone].length ?? 0) < this.room(at);
  }

  /** What has to be filled next: what the place began with, then my cards, then the other boards; null when all is there. */
  private next(from: Cursor | null): Cursor | null {
    const missing = this.query?.missing ?? null;
    if (missing === null || missing.kind === 'done' || missing.kind === 'few')
      return this.form === null ? from : null;
    if (missing.kind === 'draw') return { hand: this.setUp.me, zone: 'drawn' };
    const hand = this.setUp.hands[missing.hand] as PositionHand;
    const near =
      from !== null && from.hand === missing.hand && from.zone !== 'discards' && this.free(from) ? from.zone : null;
    const zone = near ?? ROWS.find((row) => hand[row].length < SLOTS[row]);
    return zone === undefined ? null : { hand: missing.hand, zone };
  }

  private changeHand(at: number, change: (hand: PositionHand) => PositionHand): void {
    this.change(
      { ...this.setUp, hands: this.setUp.hands.map((hand, i) => (i === at ? change(hand) : hand)) },
      this.at,
    );
  }

  private change(setUp: BoardPosition, at: Cursor | null): void {
    // More cards than the street deals, as after a change of rules or a card put on the board, are not mine any more.
    const most = this.form === null ? Infinity : cardsToDraw(this.form, setUp);
    this.setUp = {
      ...setUp,
      hands: setUp.hands.map((hand, i) =>
        i === setUp.me ? { ...hand, drawn: hand.drawn.slice(0, most || hand.drawn.length) } : hand,
      ),
    };
    this.at = at;
    this.tell();
  }

  /** The address says what lies here. */
  private tell(): void {
    router.replace(this.path);
  }

  /** "5 or 7". */
  counts(numbers: readonly number[]): string {
    return new Intl.ListFormat(language.tag, { type: 'disjunction' }).format(numbers.map(String));
  }

  get placedByMe(): number {
    return cardsPlaced(this.setUp.hands[this.setUp.me] as PositionHand);
  }
}
