import { describe, expect, test } from 'vitest';
import { cards, deal, view } from '../../../../testing/table';
import type { BoardView, RowView, SeatView, TableView } from '../../../api/generated/types';
import { placedSince } from './placedCards';
import { seatModels, type SeatModel } from './scene';

const row = (text: string): RowView => ({ cards: cards(text), name: '', royalty: 0, warning: '' });
const board = (hand: number, front: string, middle: string, back: string): BoardView =>
  ({
    hand,
    seat: hand,
    front: row(front),
    middle: row(middle),
    back: row(back),
    draws: [],
    pending: [],
    discards: [],
    natural: '',
    status: 'playing',
  }) as unknown as BoardView;
const SEATS = ['Ann', 'Bob'].map((name, seat) => ({ seat, name, player: name, sitting_out: false }) as SeatView);

const table = (phase: TableView['phase'], ...boards: readonly BoardView[]): SeatModel[] =>
  seatModels(view({ phase, seats: SEATS, deal: deal(1, [], { boards }) }), () => null);
const lying = (seats: readonly SeatModel[], seat: number, at: number): string =>
  seats
    .find((model) => model.seat.seat === seat)
    ?.boards[0]?.rows[at]?.slots.map(({ card }) => card)
    .join(' ') ?? '';

describe('the order of the cards in a row', () => {
  const mine = board(0, '2c Qd 2h', '9h Jc 9d Js 9s', 'Ah 2d 3d 5d 4d');

  test('stays as they were placed while the deal is played', () => {
    expect(lying(table('playing', mine), 0, 1)).toBe('9h Jc 9d Js 9s');
  });

  test('shows the combination at the showdown, whatever was drawn of the same board before', () => {
    const seats = table('showdown', mine);
    expect([0, 1, 2].map((at) => lying(seats, 0, at))).toEqual(['2h 2c Qd', '9s 9h 9d Js Jc', '5d 4d 3d 2d Ah']);
    expect(lying(table('playing', mine), 0, 1)).toBe('9h Jc 9d Js 9s');
  });
});

describe('the fantasyland of a seat', () => {
  const fantasylandBoard = { ...board(1, '', '', ''), fantasyland: 15 };
  const seats = (phase: TableView['phase'], next: number): SeatModel[] =>
    seatModels(
      view({
        phase,
        seats: SEATS.map((seat) => ({ ...seat, fantasyland: seat.seat === 1 ? next : 0 })),
        deal: deal(1, [], { boards: [{ ...board(0, '', '', ''), fantasyland: 0 }, fantasylandBoard] }),
      }),
      () => null,
    );
  const of = (models: readonly SeatModel[], seat: number) =>
    models.find((model) => model.seat.seat === seat)?.fantasyland;

  test('is the one that is played, else the next one', () => {
    expect(of(seats('playing', 0), 1)).toEqual({ cards: 15, playing: true });
    expect(of(seats('playing', 0), 0)).toBeNull();
    expect(of(seats('showdown', 14), 1)).toEqual({ cards: 14, playing: false });
    expect(of(seats('showdown', 0), 1)).toBeNull();
  });
});

describe('what a screen reader hears', () => {
  const messages = (before: readonly SeatModel[], after: readonly SeatModel[]): string[] =>
    placedSince(before, after, ({ seat }) => seat.name);

  test('who has placed which cards in which row', () => {
    const before = table('playing', board(0, '', '9h', 'Ah'), board(1, '', '', ''));
    const after = table('playing', board(0, '', '9h', 'Ah Ad'), board(1, 'Kd', '', '2c 3c'));
    expect(messages(before, after)).toEqual([
      'Bob, front: king of diamonds',
      'Bob, back: 2 of clubs, 3 of clubs',
      'Ann, back: ace of diamonds',
    ]);
  });

  test('nothing of a table that was just opened, of covered cards, or of a card that is taken back', () => {
    const now = table('playing', board(0, '', '9h', 'Ah'), board(1, '', '', '?? ??'));
    expect(messages([], now)).toEqual([]);
    expect(messages(table('playing', board(0, '', '9h', 'Ah'), board(1, '', '', '')), now)).toEqual([]);
    expect(messages(now, table('playing', board(0, '', '9h', ''), board(1, '', '', '?? ??')))).toEqual([]);
  });
});

describe('the money beside a stack', () => {
  const seats = SEATS.map((seat) => ({ ...seat, stack: seat.seat === 0 ? 80 : 20 }));
  const euros = { ...view({}).rules, stake_unit: 'EUR' };
  const account = (player: string, points: number, amount: number): TableView['accounts'][number] => ({
    player,
    name: player,
    brought: 50,
    points,
    money: [{ amount, unit: 'EUR' }],
  });
  const money = (point: number, ...won: readonly number[]): unknown[] =>
    seatModels(
      view({
        phase: 'waiting',
        seats,
        rules: { ...euros, stake_point: point },
        accounts: won.map((amount, i) => account(SEATS[i]?.player ?? '', i === 0 ? 30 : -30, amount)),
      }),
      () => null,
    )
      .toSorted((a, b) => a.seat.seat - b.seat.seat)
      .map((model) => model.money);

  test('is its worth while all was won at today’s price', () => {
    expect(money(0.25, 7.5, -7.5)).toEqual([
      { text: '20 EUR', isResult: false },
      { text: '5 EUR', isResult: false },
    ]);
  });

  test('is what was won so far, as the ledger has it, once the price has changed', () => {
    expect(money(0.5, 7.5, -7.5)).toEqual([
      { text: '+7.50 EUR', isResult: true },
      { text: '−7.50 EUR', isResult: true },
    ]);
  });

  test('is not there where points are only points', () => {
    expect(table('waiting').map((model) => model.money)).toEqual([null, null]);
  });
});
