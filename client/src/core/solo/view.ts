// What seat 0 knows of a solo match, as a table's view: so the table's own page shows it. Pure.

import type { Scored, ScoredPair } from '../../kernel/solo';
import type { BoardView, Cell, RowName, RowView, ScoreSheet, SeatView, SheetHand, SheetPair, SheetRow, TableView, Task } from '../../wire/types';
import { HIDDEN, rowName, ROWS, SLOTS } from '../shared/cards';
import { m } from '../shared/language.svelte';
import { cardsName, levelName, rowSaid, valueName } from './words';
import type { HandState, RowState, State } from './shapes';

const BOARD = 13;
const ALL_ROWS = 3;

const byRow = <T>(make: (row: RowName, at: number) => T): Record<RowName, T> => ({ front: make('front', 0), middle: make('middle', 1), back: make('back', 2) });

/** The bots' names by seat; those of one level are told apart by a number. */
export function names({ levels }: State): string[] {
  const plain = levels.map(levelName);
  return [m.you(), ...plain.map((name, at) => (plain.filter((other) => other === name).length > 1 ? `${name} ${plain.slice(0, at + 1).filter((other) => other === name).length}` : name))];
}

export function soloView(state: State, table: string, title: string): TableView {
  const { form, asked, scored, totals } = state;
  const who = names(state);
  const seats = who.map((name, seat): SeatView => ({
    seat,
    player: seat === 0 ? 'you' : `bot-${seat}`,
    name,
    bot: seat > 0,
    level: state.levels[seat - 1] ?? '',
    stack: totals[seat] ?? 0,
    in_match: true,
    sitting_out: false,
    leaving: false,
    connected: true,
    away: false,
    ready: false,
    fantasyland: state.lands[seat] ?? 0,
    bank_ms: 0,
    program: false,
  }));
  const boards = state.hands.map((hand, at) => boardView(state, hand, at));
  const task = taskOf(state);
  return {
    table,
    v: state.version,
    name: title,
    host: '',
    rules: { preset: '', title: form.title, summary: '', game: '', seats_min: form.hands_min, seats_max: form.hands_max, buy_in_min: 0, buy_in_max: 0, stake_point: 1, stake_unit: 'point', purse: 'book', bank: false },
    phase: scored === null ? 'playing' : 'showdown',
    seats,
    you: 0,
    may: scored === null || state.over ? [] : ['ready'],
    button: state.hands.at(-1)?.seat ?? null,
    match: null,
    deal: { number: state.deal, game: '', phase: scored === null ? 'placing' : 'done', street: state.street + 1, streets: form.streets.length, boards, tasks: task === null ? [] : [task] },
    sheet: scored === null ? null : sheetOf(state, scored, who),
    clocks: [],
    next_at: null,
    prompt: prompt(state, who),
    yours: asked !== null,
    stakes: [],
    talk: [],
    level: null,
    places: [],
    accounts: [],
    debts: [],
    begun: true,
    paused: null,
    locked: true,
    private: true,
    closing: false,
    coming: '',
    password: false,
    arranging: false,
    hints: false,
    cup: '',
    guided: false,
    ahead: [],
    dropped: false,
    fair: { number: 0, commitment: '', chains: [], dealt: 0, dropped: 0 },
  };
}

function prompt({ asked, thinking, scored, over }: State, who: readonly string[]): string {
  if (scored !== null) return over ? m.solo_match_over() : m.solo_deal_over();
  if (thinking !== null) return m.solo_thinking({ name: who[thinking] ?? '' });
  if (asked === null) return '';
  const place = asked.cards.length - asked.discard;
  return asked.discard > 0 ? m.solo_place_and_discard({ n: place, discard: asked.discard }) : m.solo_place({ n: place });
}

const text = ({ form }: State, cards: readonly number[]): string[] => cards.map((card) => form.deck[card] ?? HIDDEN);

function rowView(state: State, row: RowState, at: number): RowView {
  const cards = text(state, row.cards);
  const low = state.form.low_middle && at === 1;
  const name = cards.includes(HIDDEN) ? '' : row.value === null || low ? cardsName(cards, low) : valueName(row.value);
  return { cards, name, royalty: row.royalty, warning: row.lost ? m.solo_row_lost() : '' };
}

function boardView(state: State, hand: HandState, at: number): BoardView {
  const fouled = state.scored !== null && state.scored.hands[at]?.offending !== 0;
  const held = hand.draws.length > 0 ? text(state, hand.draws) : Array.from({ length: hand.holds }, () => HIDDEN);
  const lying = hand.rows.reduce((sum, row) => sum + row.cards.length - row.pending.length, 0);
  return {
    hand: at,
    seat: hand.seat,
    ...byRow((_, row) => rowView(state, hand.rows[row] as RowState, row)),
    street: state.street + 1,
    acting: hand.acting,
    done: lying === BOARD,
    face_down: hand.faceDown,
    fantasyland: hand.land,
    in_row: hand.inRow,
    draws: held,
    pending: text(state, hand.rows.flatMap((row) => row.pending)),
    discards: text(state, hand.discards),
    natural: '',
    status: state.scored === null ? (lying === BOARD ? 'set' : 'playing') : fouled ? 'foul' : 'legal',
  };
}

function taskOf(state: State): Task | null {
  const { asked } = state;
  const hand = asked === null ? undefined : state.hands[asked.hand];
  if (asked === null || hand === undefined) return null;
  const open = byRow((row, at) => SLOTS[row] - (hand.rows[at]?.cards.length ?? 0) + (hand.rows[at]?.pending.length ?? 0));
  return {
    hand: asked.hand,
    kind: 'place',
    street: asked.street + 1,
    cards: text(state, asked.cards),
    place: asked.cards.length - asked.discard,
    discard: asked.discard,
    open,
    layout: byRow((_, at) => text(state, asked.layout[at] ?? [])),
    legal: hand.rows.every((row) => !row.lost),
    natural: '',
    surrender: 0,
    rows: [],
  };
}

/** The sheet of a deal: every number with what it is for. */
function sheetOf(state: State, scored: Scored, who: readonly string[]): ScoreSheet {
  const seats = state.hands.map(({ seat }) => seat);
  const hands = scored.hands.map((hand, at): SheetHand => {
    const seat = seats[at] ?? 0;
    const row = (which: number): SheetRow => {
      const cards = text(state, hand.cards[which] ?? []);
      return { cards, name: rowSaid(hand, which, cards, state.form.low_middle), royalty: hand.royalties[which] ?? 0 };
    };
    return {
      hand: at,
      seat,
      player: who[seat] ?? '',
      status: hand.offending === 0 ? 'legal' : 'foul',
      ...byRow((_, which) => row(which)),
      natural: '',
      royalties: hand.royalties.reduce((sum, one) => sum + one, 0),
      points: state.points[seat] ?? 0,
      fantasyland: hand.next,
      fantasyland_why: hand.next > 0 ? m.cards_in_the_next_deal({ cards: hand.next }) : '',
    };
  });
  const stacks = who.map((player, seat) => {
    const [after, change] = [state.totals[seat] ?? 0, state.points[seat] ?? 0];
    return { seat, player, before: after - change, change, after };
  });
  return { deal: state.deal, hands, pairs: scored.pairs.map((pair) => pairOf(pair, hands, state.form.scoring)), stacks };
}

const EACH = ['per_row', 'per_row_scoop3', 'two_four', 'one_four'];

function pairOf(pair: ScoredPair, hands: readonly SheetHand[], scoring: string): SheetPair {
  const [a, b] = [hands[pair.a] as SheetHand, hands[pair.b] as SheetHand];
  const compared = (a.status === 'legal' && b.status === 'legal') || pair.results.some((result) => result !== 0);
  const won = pair.results.filter((result) => result > 0).length;
  const lost = pair.results.filter((result) => result < 0).length;
  // Where each row counts a point the rest is the scoop's; where rows count together, all of it.
  const single = compared && EACH.includes(scoring);
  const rowCell = (row: RowName, at: number): Cell => {
    const result = compared ? (pair.results[at] ?? 0) : 0;
    const [winner, loser] = result < 0 ? [b, a] : [a, b];
    const why = compared ? `${winner[row]?.name ?? ''} ${result === 0 ? '=' : '>'} ${loser[row]?.name ?? ''}` : '';
    return { points: single ? result : 0, why };
  };
  const rows = byRow(rowCell);
  const scoop = compared ? pair.rows - ROWS.reduce((sum, row) => sum + rows[row].points, 0) : 0;
  const winner = won > lost ? a : b;
  const swept = Math.max(won, lost) === ALL_ROWS;
  const royalty = (hand: SheetHand): string[] => ROWS.flatMap((row) => (hand.status === 'legal' && (hand[row]?.royalty ?? 0) > 0 ? [`${hand.player}, ${rowName(row)}: ${hand[row]?.name ?? ''} +${hand[row]?.royalty ?? 0}`] : []));
  const fouled = [a, b].filter((hand) => hand.status === 'foul').map(({ player }) => player);
  const other = fouled.length === 0 ? '' : fouled.length > 1 ? m.solo_both_fouled() : m.solo_fouled({ name: fouled[0] ?? '' });
  const points = pair.rows + pair.royalties + pair.other;
  return {
    a: pair.a,
    b: pair.b,
    ...rows,
    scoop: { points: scoop, why: swept ? m.solo_all_rows({ name: winner.player }) : scoop === 0 ? '' : m.solo_more_rows({ name: winner.player }) },
    royalties: { points: pair.royalties, why: [...royalty(a), ...royalty(b)].join('; ') },
    other: { points: pair.other, why: other },
    points,
    stake: 1,
    moved: { points, why: '' },
    won: compared ? [pair.results[0] ?? 0, pair.results[1] ?? 0, pair.results[2] ?? 0] : [0, 0, 0],
  };
}
