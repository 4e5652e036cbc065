import { describe, expect, test } from 'vitest';
import {
  boardText,
  allCards,
  deckLines,
  emptyHand,
  missing,
  nextRow,
  readBoard,
  readCards,
  BOARD_CARDS,
  withCard,
  withoutCard,
} from './hand';
import { dealLine, handsOf, readLines, rulesOf, stakesOf, writeLines } from './line';

const ann = emptyHand('Ann', 'Ann');
const BOARD = 'QhQd7c/8c8dTsTh2c/AhAcAd9d9h';
const board = { ...ann, rows: readBoard(BOARD) };

describe('cards as people write them', () => {
  test.each([
    ['qh 10d, 7C', ['Qh', 'Td', '7c']],
    ['Q♥T♦', ['Qh', 'Td']],
    ['10h10d', ['Th', 'Td']],
    ['x1 as', ['X1', 'As']],
    ['', []],
  ])('%s', (text, cards) => {
    expect(readCards(text)).toEqual(cards);
  });

  test.each(['1h', 'Ah9d1h', 'Axx', 'Qz'])('%s is not a card, and is named', (text) => {
    expect(() => readCards(text)).toThrow(/“.+” is not a card/);
  });

  test('a board is read by its rows, or filled from the front', () => {
    expect(readBoard(BOARD)).toEqual({
      front: ['Qh', 'Qd', '7c'],
      middle: ['8c', '8d', 'Ts', 'Th', '2c'],
      back: ['Ah', 'Ac', 'Ad', '9d', '9h'],
    });
    expect(readBoard(BOARD.replaceAll('/', ''))).toEqual(readBoard(BOARD));
    expect(readBoard('QhQd/8c')).toEqual({ front: ['Qh', 'Qd'], middle: ['8c'], back: [] });
  });

  test('too many cards in a row, or rows, are said', () => {
    expect(() => readBoard('QhQd7c8c/8dTsTh2c/AhAcAd9d9h')).toThrow('The front takes 3 cards; this has 4');
    expect(() => readBoard('QhQd7c/8c8dTsTh2c3c/')).toThrow('The middle takes 5 cards; this has 6');
    expect(() => readBoard('Qh/Qd/7c/8c')).toThrow(/row/);
    expect(() => readBoard(`${BOARD.replaceAll('/', '')}2d`)).toThrow(/13 cards/);
  });
});

describe('a board in the making', () => {
  test('cards go to the wished row while it has room, then to the first that has', () => {
    expect(nextRow(ann, 'back')).toBe('back');
    const full = { ...ann, rows: { ...ann.rows, back: board.rows.back } };
    expect(nextRow(full, 'back')).toBe('front');
    expect(withCard(full, '2d', 'back').rows.front).toEqual(['2d']);
    expect(nextRow(board, 'front')).toBeNull();
    expect(withCard(board, '2d', 'front')).toBe(board);
  });

  test('what is missing is counted; a surrender needs no cards', () => {
    expect(missing(ann)).toBe(BOARD_CARDS);
    expect(missing(board)).toBe(0);
    expect(missing({ ...ann, mode: 'surrender' })).toBe(0);
    expect(allCards({ ...board, mode: 'surrender' })).toEqual([]);
    expect(missing({ ...ann, mode: 'natural', natural: ['Ah'] })).toBe(12);
  });

  test('a natural is thirteen cards without rows', () => {
    const natural = { ...ann, mode: 'natural' as const };
    expect(withCard(natural, 'Ah', 'back').natural).toEqual(['Ah']);
    expect(withCard({ ...natural, natural: allCards(board) }, '2d', 'front').natural).toHaveLength(13);
    expect(boardText(withCard(natural, 'Ah', 'back'))).toBe('Ah');
  });

  test('a card is taken out wherever it lies', () => {
    expect(withoutCard(board, 'Ts').rows.middle).toEqual(['8c', '8d', 'Th', '2c']);
    expect(withoutCard({ ...ann, natural: ['Ah', '2c'] }, 'Ah').natural).toEqual(['2c']);
  });

  test('a board is written as it is read', () => {
    expect(boardText(board)).toBe(BOARD);
    expect(boardText(ann)).toBe('');
  });

  test('the deck is a line a suit, from the ace down; a joker ends a line', () => {
    const deck = ['2c', 'Ac', '2d', 'Ad', '2h', 'Ah', '2s', 'As', 'X1', 'X2'];
    expect(deckLines(deck)).toEqual([
      ['As', '2s', 'X1'],
      ['Ah', '2h', 'X2'],
      ['Ad', '2d'],
      ['Ac', '2c'],
    ]);
  });
});

describe('a deal as a line', () => {
  const bob = { ...emptyHand('Bob', 'Bob'), mode: 'surrender' as const };
  const rules = { preset: 'closed_1_6' };

  test('holds the boards, who they belong to, and only stakes that differ', () => {
    expect(dealLine(rules, [board, bob], { 'Ann-Bob': 10, 'Ann-Cem': 5 }, false)).toEqual({
      rules,
      players: { Ann: { front: 'QhQd7c', middle: '8c8dTsTh2c', back: 'AhAcAd9d9h' }, Bob: { surrender: true } },
      stakes: { 'Ann-Bob': 10 },
      order: ['Ann', 'Bob'],
    });
    expect(dealLine(rules, [board, bob], { 'Ann-Bob': 1 }, false)).not.toHaveProperty('stakes');
  });

  test('says naturals, fantasylands, declarations and two boards of one player', () => {
    const fantasylandHand = { ...board, name: 'Ann 1', fantasyland: 14, inRow: 2, declared: ['front' as const] };
    const natural = { ...emptyHand('Ann 2', 'Ann'), mode: 'natural' as const, natural: allCards(board) };
    expect(dealLine(rules, [fantasylandHand, natural], {}, true)).toMatchObject({
      players: {
        'Ann 1': { fantasyland: { cards: 14, in_row: 2 }, declared: ['front'] },
        'Ann 2': { natural: BOARD.replaceAll('/', '') },
      },
      owners: { 'Ann 1': 'Ann', 'Ann 2': 'Ann' },
    });
  });

  test('is taken up again as it was', () => {
    const fantasylandHand = { ...board, fantasyland: 14, inRow: 2, declared: ['front' as const] };
    expect(handsOf(dealLine(rules, [fantasylandHand, bob], {}, true))).toEqual([
      fantasylandHand,
      { ...bob, declared: [] },
    ]);
    expect(handsOf({ players: { Ann: { front: 'nonsense', middle: 3 } } })).toEqual([ann]);
  });

  test('names its rules and stakes in whatever form they stand', () => {
    expect(rulesOf({ rules: 'pineapple' })).toEqual({ preset: 'pineapple' });
    expect(rulesOf({ rules: { extends: 'turbo', 'stake.point': 2 } })).toMatchObject({
      preset: 'turbo',
      'stake.point': 2,
    });
    expect(rulesOf({})).toEqual({ preset: 'pineapple' });
    expect(stakesOf({ stakes: { 'Ann-Bob': 3, default: 2, wrong: 'x' } })).toEqual({ 'Ann-Bob': 3 });
  });

  test('a session is written and read again, without its numbers; what is wrong names its line', () => {
    const deals = [dealLine(rules, [board, bob], {}, false), dealLine(rules, [bob, board], {}, false)];
    const text = writeLines(deals);
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: string }).id),
    ).toEqual(['1', '2']);
    expect(readLines(`\n${text}\n`)).toEqual(deals);
    expect(() => readLines('{"a": 1}\nnonsense')).toThrow(/2/);
    expect(() => readLines('[]')).toThrow(/1/);
  });
});
