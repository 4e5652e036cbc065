// What seat 0 knows of a solo match, as a table's view: so the table's own page shows it. Pure.

import type { DealScore } from '../../../engine/solo';
import type { BoardView, RowView, ScoreSheet, SeatView, TableView, Task } from '../../../api/generated/types';
import { HIDDEN, SLOTS } from '../../../cards/cards';
import { m } from '../../../shared/i18n.svelte';
import { cardsName, valueName } from '../../../cards/handNames';
import { byRow, sheetOf } from '../../../sheet/sheet';
import { levelName } from './format';
import type { HandState, RowState, State } from './types';

const BOARD = 13;

/** The bots' names by seat; those of one level are told apart by a number. */
export function playerNames({ levels }: State): string[] {
  const plain = levels.map(levelName);
  return [
    m.common_you(),
    ...plain.map((name, at) =>
      plain.filter((other) => other === name).length > 1
        ? `${name} ${plain.slice(0, at + 1).filter((other) => other === name).length}`
        : name,
    ),
  ];
}

export function soloView(state: State, table: string, title: string): TableView {
  const { form, asked, scored, totals } = state;
  const who = playerNames(state);
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
    fantasyland: state.fantasylands[seat] ?? 0,
    bank_ms: 0,
    program: false,
    planned_buy_in: 0,
  }));
  const boards = state.hands.map((hand, at) => boardView(state, hand, at));
  const task = taskOf(state);
  return {
    table,
    v: state.version,
    name: title,
    host: '',
    rules: {
      preset: '',
      title: form.title,
      summary: '',
      game: '',
      seats_min: form.hands_min,
      seats_max: form.hands_max,
      buy_in_min: 0,
      buy_in_max: 0,
      stake_point: 1,
      stake_unit: 'point',
      purse: 'book',
      bank: false,
      clocked: true,
    },
    phase: scored === null ? 'playing' : 'showdown',
    seats,
    you: 0,
    may: scored === null || state.over ? [] : ['ready'],
    button: state.hands.at(-1)?.seat ?? null,
    match: null,
    deal: {
      number: state.deal,
      game: '',
      phase: scored === null ? 'placing' : 'done',
      street: state.street + 1,
      streets: form.streets.length,
      boards,
      tasks: task === null ? [] : [task],
    },
    sheet: scored === null ? null : sheet(state, scored, who),
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
    turns: [],
    owner: '',
    fair: { number: 0, commitment: '', chains: [], dealt: 0, dropped: 0 },
  };
}

function prompt({ asked, thinking, scored, over, oneDeal }: State, who: readonly string[]): string {
  if (scored !== null) return over && !oneDeal ? m.solo_match_over() : m.solo_deal_over();
  if (thinking !== null) return m.solo_thinking({ name: who[thinking] ?? '' });
  if (asked === null) return '';
  const place = asked.cards.length - asked.discard;
  return asked.discard > 0
    ? m.solo_place_and_discard({ n: place, discard: asked.discard })
    : m.solo_place({ n: place });
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
    fantasyland: hand.fantasyland,
    in_row: hand.inRow,
    draws: held,
    pending: text(
      state,
      hand.rows.flatMap((row) => row.pending),
    ),
    discards: text(state, hand.discards),
    natural: '',
    laid: hand.laid,
    status: state.scored === null ? (lying === BOARD ? 'set' : 'playing') : fouled ? 'foul' : 'legal',
  };
}

function taskOf(state: State): Task | null {
  const { asked } = state;
  const hand = asked === null ? undefined : state.hands[asked.hand];
  if (asked === null || hand === undefined) return null;
  const open = byRow(
    (row, at) => SLOTS[row] - (hand.rows[at]?.cards.length ?? 0) + (hand.rows[at]?.pending.length ?? 0),
  );
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

function sheet(state: State, scored: DealScore, who: readonly string[]): ScoreSheet {
  const { form, points, totals } = state;
  const parties = state.hands.map(({ seat }) => ({ seat, player: who[seat] ?? '' }));
  const scoring = { deck: form.deck, lowMiddle: form.low_middle, scoring: form.scoring, banker: false, naturals: [] };
  const stacks = who.map((player, seat) => {
    const [after, change] = [totals[seat] ?? 0, points[seat] ?? 0];
    return { seat, player, before: after - change, change, after };
  });
  return { ...sheetOf(state.deal, scored, parties, scoring), stacks };
}
