import { expect, test } from 'vitest';
import { tallies, type RecordedDeal } from './ledger';

const NAMES = ['Ann', 'Bob', 'Cem', 'Dee'];

/** A deal in which `won[i][j]` points went from the later to the earlier of two players. */
function dealOf(
  pairs: readonly (readonly [number, number, number])[],
  point = 1,
  unit = 'point',
  stake = 1,
): RecordedDeal {
  const points = NAMES.map((_, at) =>
    pairs.reduce((sum, [a, b, won]) => sum + (a === at ? won : b === at ? -won : 0), 0),
  );
  return {
    points: new Map(NAMES.map((name, at) => [name, points[at] ?? 0])),
    pairs: pairs.map(([a, b, won]) => ({ a: NAMES[a] ?? '', b: NAMES[b] ?? '', points: won, moved: won * stake })),
    point,
    unit,
  };
}

test('points, money and who pays whom of a session', () => {
  const [tally] = tallies([
    dealOf(
      [
        [0, 1, 6],
        [0, 2, 6],
        [0, 3, 6],
        [1, 2, -6],
        [1, 3, -6],
        [2, 3, 1],
      ],
      0.5,
      'EUR',
    ),
  ]);
  expect(tally?.unit).toBe('EUR');
  expect(tally?.players.map(({ player, points, money }) => [player, points, money])).toEqual([
    ['Ann', 18, 9],
    ['Bob', -18, -9],
    ['Cem', 1, 0.5],
    ['Dee', -1, -0.5],
  ]);
  expect(tally?.payments).toEqual([
    { payer: 'Bob', payee: 'Ann', money: 9 },
    { payer: 'Dee', payee: 'Cem', money: 0.5 },
  ]);
});

test('money is exact to the last part of a unit', () => {
  const [tally] = tallies(Array.from({ length: 10 }, () => dealOf([[0, 1, 1]], 0.1, 'EUR')));
  expect(tally?.players.slice(0, 2).map(({ money, deals }) => [money, deals])).toEqual([
    [1, 10],
    [-1, 10],
  ]);
  const [small] = tallies([dealOf([[0, 1, 3]], 1e-7, 'BTC')]);
  expect(small?.payments).toEqual([{ payer: 'Bob', payee: 'Ann', money: 3e-7 }]);
});

test('each unit has its own tally, and what two won of each other is one number', () => {
  const both = tallies([dealOf([[0, 1, 4]]), dealOf([[1, 0, 1]]), dealOf([[0, 1, 2]], 2, 'EUR')]);
  expect(both.map(({ unit }) => unit)).toEqual(['point', 'EUR']);
  expect(both[0]?.pairs.find(({ a }) => a === 'Ann')).toMatchObject({ a: 'Ann', b: 'Bob', points: 3, money: 3 });
  expect(both[1]?.players[0]?.money).toBe(4);
});

test('a stake multiplies the money and not the points', () => {
  const [tally] = tallies([dealOf([[0, 1, 6]], 1, 'point', 10)]);
  expect(tally?.players[0]).toMatchObject({ points: 6, money: 60 });
});

test('the fewest payments: two who owe each other as much settle between themselves', () => {
  // Ann +5, Bob -5, Cem +3, Dee -3: two payments, where the largest claim first would also make two; with crossed ones three.
  const [tally] = tallies([
    dealOf([
      [0, 1, 5],
      [2, 3, 3],
    ]),
  ]);
  expect(tally?.payments).toHaveLength(2);
  const crossed = tallies([
    dealOf([
      [0, 3, 7],
      [1, 2, 4],
      [1, 3, 0],
    ]),
  ])[0]?.payments;
  expect(crossed).toEqual(
    expect.arrayContaining([
      { payer: 'Dee', payee: 'Ann', money: 7 },
      { payer: 'Cem', payee: 'Bob', money: 4 },
    ]),
  );
  expect(
    tallies([
      dealOf([
        [0, 1, 2],
        [1, 0, 2],
      ]),
    ])[0]?.payments,
  ).toEqual([]);
});

test('points that belong to no pair are paid with those that do', () => {
  const points = new Map([
    ['Ann', 7],
    ['Bob', -3],
    ['Cem', -4],
  ]);
  const [tally] = tallies([dealOf([[0, 1, 2]]), { points, pairs: [], point: 1, unit: 'point' }]);
  expect(tally?.players.map(({ player, deals, money }) => [player, deals, money])).toEqual([
    ['Ann', 2, 9],
    ['Bob', 2, -5],
    ['Cem', 2, -4],
    ['Dee', 1, 0],
  ]);
  expect(tally?.pairs).toHaveLength(1);
});
