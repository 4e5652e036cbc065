// Recorded views of one table, made by hand.

import type {
  BoardView,
  ClockView,
  DealView,
  Layout,
  RowView,
  ScoreSheet,
  SeatView,
  TableView,
  Task,
} from '../src/api/generated/types';

const cards = (text: string): string[] => text.split(' ').filter(Boolean);
const row = (text: string, name = '', royalty = 0, warning = ''): RowView => ({
  cards: cards(text),
  name,
  royalty,
  warning,
});
const NONE: Layout = { front: [], middle: [], back: [] };

function board(
  hand: number,
  seat: number,
  front: RowView,
  middle: RowView,
  back: RowView,
  more: Partial<BoardView> = {},
): BoardView {
  return {
    hand,
    seat,
    front,
    middle,
    back,
    street: 3,
    acting: false,
    done: false,
    face_down: false,
    fantasyland: 0,
    in_row: 0,
    draws: [],
    pending: [],
    discards: [],
    status: 'playing',
    natural: '',
    laid: [],
    ...more,
  };
}

function seat(n: number, name: string, stack: number, more: Partial<SeatView> = {}): SeatView {
  return {
    seat: n,
    player: name === '' ? '' : `p-${name}`,
    name,
    bot: false,
    level: '',
    stack,
    in_match: true,
    sitting_out: false,
    leaving: false,
    connected: true,
    away: false,
    ready: false,
    fantasyland: 0,
    bank_ms: 60_000,
    program: false,
    planned_buy_in: 0,
    ...more,
  };
}

const SEATS = [
  seat(0, 'Nora', 185),
  seat(1, 'Ann', 184),
  seat(2, 'Bot · strong', 131, { bot: true, level: 'steady' }),
];

const cell = (points: number, why: string) => ({ points, why });

export const SHEET: ScoreSheet = {
  deal: 9,
  hands: [
    {
      hand: 0,
      seat: 1,
      player: 'Ann',
      status: 'legal',
      front: null,
      middle: null,
      back: null,
      natural: '',
      royalties: 4,
      points: -23,
      fantasyland: 0,
      fantasyland_why: '',
    },
    {
      hand: 1,
      seat: 2,
      player: 'Bot · strong',
      status: 'legal',
      front: null,
      middle: null,
      back: null,
      natural: '',
      royalties: 7,
      points: 4,
      fantasyland: 0,
      fantasyland_why: '',
    },
    {
      hand: 2,
      seat: 0,
      player: 'Nora',
      status: 'legal',
      front: null,
      middle: null,
      back: null,
      natural: '',
      royalties: 12,
      points: 19,
      fantasyland: 14,
      fantasyland_why: 'queens in front',
    },
  ],
  pairs: [
    {
      a: 0,
      b: 1,
      front: cell(-1, 'Sevens lose to queens.'),
      middle: cell(-1, 'Two pair beats a pair.'),
      back: cell(-1, 'A flush beats a straight.'),
      scoop: cell(-3, 'All three rows.'),
      royalties: cell(-3, 'Ann has 4 (flush 4), Bot has 7 (queens 7).'),
      other: cell(0, ''),
      points: -9,
      stake: 1,
      moved: cell(-9, 'Both stacks cover it.'),
      won: [0, 0, 0],
    },
    {
      a: 0,
      b: 2,
      front: cell(-1, 'Sevens lose to queens.'),
      middle: cell(-1, 'Two pair beats a pair.'),
      back: cell(-1, 'A full house beats a straight.'),
      scoop: cell(-3, 'All three rows.'),
      royalties: cell(-8, 'Ann has 4, Nora has 12.'),
      other: cell(0, ''),
      points: -14,
      stake: 1,
      moved: cell(-14, 'Both stacks cover it.'),
      won: [0, 0, 0],
    },
    {
      a: 1,
      b: 2,
      front: cell(1, 'Kings beat queens.'),
      middle: cell(-1, 'Two pair beats a pair.'),
      back: cell(0, 'Both have the same flush.'),
      scoop: cell(0, 'Nobody won all three rows.'),
      royalties: cell(-5, 'Bot has 7, Nora has 12.'),
      other: cell(0, ''),
      points: -5,
      stake: 1,
      moved: cell(-5, 'Both stacks cover it.'),
      won: [0, 0, 0],
    },
  ],
  stacks: [
    { seat: 1, player: 'Ann', before: 207, change: -23, after: 184 },
    { seat: 2, player: 'Bot · strong', before: 127, change: 4, after: 131 },
    { seat: 0, player: 'Nora', before: 166, change: 19, after: 185 },
  ],
};

const clock = (hand: number, n: number): ClockView => ({
  hand,
  seat: n,
  started: Date.now() - 11_000,
  street_ends: Date.now() + 19_000,
  bank_ends: Date.now() + 79_000,
});

function table(more: Partial<TableView>): TableView {
  return {
    ahead: [],
    dropped: false,
    turns: [],
    owner: '',
    fair: { number: 0, commitment: '', chains: [], dealt: 0, dropped: 0 },
    table: 'friday',
    v: 1,
    name: 'Friday evening',
    host: 'p-Nora',
    rules: {
      preset: 'pineapple',
      title: 'Pineapple',
      summary: '1 per row, 3 for a scoop · American royalties · fantasyland 14',
      game: 'pineapple',
      seats_min: 2,
      seats_max: 3,
      buy_in_min: 50,
      buy_in_max: 200,
      stake_point: 1,
      stake_unit: 'point',
      purse: 'stacks',
      bank: false,
      clocked: true,
    },
    phase: 'playing',
    seats: SEATS,
    you: 0,
    may: ['say', 'leave', 'sit_out'],
    button: 1,
    match: { number: 4, deal: 1, kind: 'deal_group', text: 'a deal and its fantasylands' },
    deal: null,
    sheet: SHEET,
    clocks: [],
    next_at: null,
    prompt: '',
    yours: false,
    stakes: [],
    level: null,
    accounts: [],
    debts: [],
    places: [],
    begun: true,
    paused: null,
    locked: false,
    private: false,
    closing: false,
    coming: '',
    password: false,
    arranging: false,
    hints: false,
    cup: '',
    guided: false,
    talk: [
      { at: 0, who: 'Ann', text: 'queens up top, wish me luck', seat: 0 },
      { at: 0, who: '', text: 'Bot placed 8♥ back, 3♠ middle.', seat: null },
    ],
    ...more,
  };
}

const deal = (boards: BoardView[], tasks: Task[], more: Partial<DealView> = {}): DealView => ({
  number: 10,
  game: 'pineapple',
  phase: 'placing',
  street: 3,
  streets: 5,
  boards,
  tasks,
  ...more,
});
const task = (
  hand: number,
  street: number,
  text: string,
  place: number,
  open: [number, number, number],
  more: Partial<Task> = {},
): Task => {
  const all = cards(text);
  return {
    hand,
    kind: 'place',
    street,
    cards: all,
    place,
    discard: all.length - place,
    open: { front: open[0], middle: open[1], back: open[2] },
    layout: NONE,
    legal: true,
    natural: '',
    surrender: 0,
    rows: [],
    ...more,
  };
};

const ANN = board(0, 1, row('Qh Qd', 'Queens', 7), row('9s 9d 4c', 'Nines'), row('Kc Tc 6c 2c', '4 clubs'));
const BOT = board(1, 2, row('Ac'), row('7h 7c 3s', 'Sevens'), row('Js Jd 8s 8h', 'Two pair'));
const MINE = board(2, 0, row('Kd', 'King high'), row('Ah As', 'Aces'), row('9h Th Jh Qs', '4 to a straight'), {
  acting: true,
  draws: cards('Kh 6s 5d'),
});
const street3 = table({
  deal: deal([ANN, BOT, MINE], [task(2, 3, 'Kh 6s 5d', 2, [2, 3, 1])]),
  clocks: [clock(2, 0)],
  prompt: 'Your turn: place two, discard one',
  yours: true,
});

const FULL_ANN = board(
  0,
  1,
  row('7h 7d 2c', 'Sevens', 2),
  row('Qh Qd 9s 9d 4c', 'Two pair'),
  row('Kc Tc 6c 2h Ac', 'King high'),
  { done: true, status: 'foul' },
);
const FULL_BOT = board(
  1,
  2,
  row('Kd Ks 3c', 'Kings', 8),
  row('Ah As 7c 6s 2s', 'Aces'),
  row('Js Jd 8s 8h 8d', 'Full house', 6),
  { done: true, status: 'legal' },
);
const FULL_MINE = board(
  2,
  0,
  row('Qs Qc 5d', 'Queens', 7),
  row('Th Td 4h 4s 9c', 'Two pair'),
  row('9h Jh 3h 6h Kh', 'Flush', 4),
  { done: true, status: 'legal', discards: cards('2d 3d 5c 6d') },
);
const HIDDEN = (n: number): RowView => row(Array.from({ length: n }, () => '??').join(' '));
const DOWN = board(1, 2, HIDDEN(3), HIDDEN(5), HIDDEN(5), {
  done: true,
  face_down: true,
  fantasyland: 14,
  status: 'set',
});
const setting = table({ deal: deal([FULL_ANN, DOWN, FULL_MINE], []), prompt: 'Ann sets her last cards' });
const showdown = table({
  phase: 'showdown',
  deal: deal([FULL_ANN, { ...FULL_BOT, fantasyland: 14 }, FULL_MINE], [], { phase: 'done' }),
  sheet: { ...SHEET, deal: 10 },
  seats: [
    seat(0, 'Nora', 204, { fantasyland: 14 }),
    seat(1, 'Ann', 161),
    seat(2, 'Bot · strong', 135, { bot: true }),
  ],
  may: ['say', 'ready', 'leave', 'sit_out'],
  next_at: Date.now() + 12_000,
  prompt: 'You win 19 points.',
});

const FL = 'Ah Ad Kh Ks Kc Qs Jd Td Th 9c 8c 5h 4h 2s 7d 7c 3h';
const fantasyland = (n: number): TableView => {
  const hand = cards(FL).slice(0, n);
  const me = board(2, 0, row(''), row(''), row(''), { acting: true, draws: hand, fantasyland: n });
  return table({
    deal: deal([FULL_ANN, FULL_BOT, me], [task(2, 1, hand.join(' '), 13, [3, 5, 5])]),
    seats: [seat(0, 'Nora', 185, { fantasyland: 0 }), SEATS[1] as SeatView, SEATS[2] as SeatView],
    clocks: [clock(2, 0)],
    prompt: `Fantasyland: set 13 of your ${n} cards`,
    yours: true,
  });
};
const fantasylandHalf = (n: number): TableView => {
  const view = fantasyland(n);
  const layout: Layout = { front: cards('Kh Ks Kc'), middle: cards('Td Th 9c'), back: cards('Ah Ad') };
  const me = view.deal?.boards[2] as BoardView;
  const used = [...layout.front, ...layout.middle, ...layout.back];
  const boards = [
    FULL_ANN,
    FULL_BOT,
    {
      ...me,
      front: row('Kh Ks Kc', 'Three kings', 21, 'front now beats back'),
      middle: row('Td Th 9c', 'Tens'),
      back: row('Ah Ad', 'Aces'),
      pending: used,
      draws: me.draws.filter((c) => !used.includes(c)),
    },
  ];
  return {
    ...view,
    deal: { ...(view.deal as DealView), boards, tasks: [{ ...(view.deal?.tasks[0] as Task), layout, legal: false }] },
  };
};

export const SCENES: Readonly<Record<string, readonly TableView[]>> = {
  street1: [
    table({
      deal: deal(
        [
          board(0, 1, row('Qh'), row('9s'), row('Kc Tc 2c', '3 clubs')),
          board(1, 2, row(''), row(''), row(''), {}),
          board(2, 0, row(''), row(''), row(''), { acting: true }),
        ],
        [task(2, 1, 'Ah Ks Kd 9c 5d', 5, [3, 5, 5])],
        { street: 1 },
      ),
      clocks: [clock(2, 0)],
      prompt: 'Your turn: place five cards',
      yours: true,
    }),
  ],
  street3: [street3, setting, showdown],
  theirs: [
    table({
      deal: deal(
        [{ ...ANN, acting: true, draws: cards('?? ?? ??') }, BOT, { ...MINE, acting: false, draws: [] }],
        [],
      ),
      clocks: [clock(0, 1)],
      prompt: 'Ann places two of three cards',
    }),
  ],
  setting: [setting, showdown],
  showdown: [setting, showdown],
  result: [showdown],
  fl14: [fantasyland(14)],
  fl15: [fantasyland(15)],
  fl16: [fantasyland(16)],
  fl17: [fantasyland(17)],
  flhalf: [fantasylandHalf(15)],
  waiting: [
    table({
      phase: 'waiting',
      seats: [seat(0, 'Nora', 100, { in_match: false }), seat(1, '', 0), seat(2, '', 0)],
      may: ['say', 'seat_bot', 'leave', 'close_table'],
      button: null,
      match: null,
      sheet: null,
      talk: [],
      prompt: 'Waiting for one more player',
    }),
  ],
  newcomer: [
    table({
      phase: 'waiting',
      seats: [seat(0, 'Ann', 100, { in_match: false }), seat(1, '', 0), seat(2, '', 0)],
      you: null,
      may: ['sit'],
      button: null,
      match: null,
      sheet: null,
      talk: [],
      prompt: 'Take a seat to play',
    }),
  ],
  watch: [
    {
      ...street3,
      you: null,
      may: [],
      yours: false,
      prompt: 'Nora places two of three cards',
      deal: deal([ANN, BOT, { ...MINE, draws: cards('?? ?? ??') }], []),
    },
  ],
  headsup: [
    table({
      seats: [SEATS[0] as SeatView, SEATS[1] as SeatView],
      deal: deal([ANN, { ...MINE, hand: 1 }], [task(1, 3, 'Kh 6s 5d', 2, [2, 3, 1])]),
      clocks: [clock(1, 0)],
      prompt: 'Your turn: place two, discard one',
      yours: true,
    }),
  ],
  announce: [
    table({
      deal: deal([FULL_ANN, DOWN, FULL_MINE], [task(2, 1, '', 0, [0, 0, 0], { kind: 'announce', surrender: 3 })], {
        phase: 'announcing',
      }),
      prompt: 'Play your board, or surrender it',
      yours: true,
    }),
  ],
};
