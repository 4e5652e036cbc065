// What is drawn, worked out from the server's view and the person's own unfinished move. Pure.

import { m } from '../../../shared/i18n.svelte';
import type { BoardView, RowName, SeatView, SheetHand, TableView } from '../../../api/generated/types';
import { moneyText, priceOf, signedAmountsText } from '../../../shared/format';
import { isHidden, sortByCombination, sortCards } from '../../../cards/cards';
import { ROWS, SLOTS } from '../../../cards/cards';
import { isFan, isSynced, type PendingPlacement } from './pendingPlacement.svelte';

export interface SlotModel {
  readonly id: string;
  readonly card: string | null;
  /** Not confirmed yet. */
  readonly pending: boolean;
}

export interface RowModel {
  readonly row: RowName;
  readonly slots: readonly SlotModel[];
  readonly name: string;
  readonly royalty: number;
  readonly warning: string;
  /** The name and the warning are about exactly these cards. */
  readonly isSynced: boolean;
}

export interface BoardModel {
  readonly hand: number;
  readonly seat: number;
  readonly rows: readonly RowModel[];
  readonly status: BoardView['status'];
  readonly acting: boolean;
  readonly set: boolean;
  readonly fantasyland: number;
  /** Cards held and not shown in a row: backs for others. */
  readonly held: readonly string[];
  readonly discards: readonly string[];
  readonly fan: boolean;
  /** The natural taken instead of setting the cards; they lie in the rows from the highest on. */
  readonly natural: string;
}

export interface SeatModel {
  readonly seat: SeatView;
  readonly button: boolean;
  readonly boards: readonly BoardModel[];
  readonly result: SheetHand | null;
  /** What stands in the place of a board that is not there. */
  readonly note: string;
  /** The fantasyland that is being played, or comes with the next deal. */
  readonly fantasyland: FantasylandModel | null;
  readonly money: StackMoney | null;
}

/** What stands beside a stack: its worth, or what its player has won or lost so far. */
export interface StackMoney {
  readonly text: string;
  readonly isResult: boolean;
}

export interface FantasylandModel {
  readonly cards: number;
  readonly playing: boolean;
}

function rowModel(board: BoardView, row: RowName, laying: PendingPlacement | null, isOver: boolean): RowModel {
  const { cards, name, royalty, warning } = board[row];
  const fixed = laying === null ? cards : cards.filter((card) => !board.pending.includes(card));
  const visibleCards =
    laying !== null ? [...fixed, ...laying.now.layout[row]] : isOver ? sortByCombination(cards) : cards;
  const slots = Array.from({ length: SLOTS[row] }, (_, i): SlotModel => {
    const card = visibleCards[i] ?? null;
    const pending =
      card !== null && (laying === null ? board.pending.includes(card) : i >= fixed.length && !laying.sent);
    return { id: `${board.hand}.${row}.${i}`, card, pending };
  });
  return { row, slots, name, royalty, warning, isSynced: laying === null || isSynced(laying) };
}

/** A natural is not set: its thirteen cards fill the rows as they come. */
function naturalRows(board: BoardView): RowModel[] {
  const cards = sortCards(board.draws, 'rank');
  let at = 0;
  return ROWS.map((row) => {
    const slots = Array.from({ length: SLOTS[row] }, (_, i): SlotModel => ({
      id: `${board.hand}.${row}.${i}`,
      card: cards[at++] ?? null,
      pending: false,
    }));
    return { row, slots, name: row === 'front' ? board.natural : '', royalty: 0, warning: '', isSynced: true };
  });
}

const inPlay = new WeakMap<BoardView, BoardModel>();
const afterDeal = new WeakMap<BoardView, BoardModel>();

/**
 * The board as it is drawn; one that did not change, and is nobody's to lay, stays the very same object. When the deal
 * is over its rows are sorted by combination; before, every card stays where it was placed.
 */
export function boardModel(board: BoardView, laying: PendingPlacement | null, isOver = false): BoardModel {
  if (laying !== null) return newModel(board, laying, isOver);
  const drawn = isOver ? afterDeal : inPlay;
  const model = drawn.get(board) ?? newModel(board, null, isOver);
  drawn.set(board, model);
  return model;
}

function newModel(board: BoardView, laying: PendingPlacement | null, isOver: boolean): BoardModel {
  const natural = board.natural !== '' && board.draws.length > 0 && !board.draws.some(isHidden);
  return {
    hand: board.hand,
    seat: board.seat,
    natural: board.natural,
    rows: natural ? naturalRows(board) : ROWS.map((row) => rowModel(board, row, laying, isOver)),
    status: board.status,
    acting: board.acting,
    set: board.done,
    fantasyland: board.fantasyland,
    held: natural ? [] : board.draws,
    discards: board.discards,
    fan: laying !== null && isFan(laying),
  };
}

/** The seats as the viewer sees them, clockwise from the viewer's left; the viewer's own seat comes last. */
export function seatModels(view: TableView, layingOf: (hand: number) => PendingPlacement | null): SeatModel[] {
  const first = view.you === null ? 0 : view.you + 1;
  const isOver = view.phase === 'showdown';
  const settled = isOver ? view.sheet : null;
  const results = playedAtOtherPrices(view);
  return view.seats.map((_, i) => {
    const seat = view.seats[(first + i) % view.seats.length] as SeatView;
    const boards = (view.deal?.boards ?? []).filter((board) => board.seat === seat.seat);
    return {
      seat,
      button: view.button === seat.seat,
      boards: boards.map((board) => boardModel(board, seat.seat === view.you ? layingOf(board.hand) : null, isOver)),
      note: seat.sitting_out
        ? m.table_seat_sitting_out()
        : view.phase === 'waiting'
          ? m.table_seat_ready()
          : m.table_seat_next_match(),
      result: settled?.hands.find((hand) => hand.seat === seat.seat) ?? null,
      fantasyland: fantasylandModel(view, seat, boards),
      money: stackMoney(view, seat, results),
    };
  });
}

const NOISE = 1e-9; // of binary fractions

/** Whether anybody's points were won at another price than today's: the stacks have no worth at one price then. */
export function playedAtOtherPrices({ rules, accounts }: Pick<TableView, 'rules' | 'accounts'>): boolean {
  const { stake_point: point, stake_unit: unit } = rules;
  return accounts.some((account) =>
    account.money.some((sum) => Math.abs(sum.amount - (sum.unit === unit ? account.points * point : 0)) > NOISE),
  );
}

function stackMoney(view: TableView, seat: SeatView, results: boolean): StackMoney | null {
  if (results) {
    const account = view.accounts.find((other) => other.player === seat.player);
    return account === undefined ? null : { text: signedAmountsText(account.money), isResult: true };
  }
  const price = priceOf(view.rules);
  return price === null ? null : { text: moneyText(seat.stack, price), isResult: false };
}

function fantasylandModel(view: TableView, seat: SeatView, boards: readonly BoardView[]): FantasylandModel | null {
  const playing = view.phase === 'playing';
  const cards = playing ? Math.max(0, ...boards.map((board) => board.fantasyland)) : seat.fantasyland;
  return cards > 0 ? { cards, playing } : null;
}
