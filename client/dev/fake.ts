// A server that plays one scene: it answers every command, and shows the effect of arranging and placing.

import type { Api } from '../src/api/http';
import type { Channel, ChannelEvents, Connect } from '../src/api/connection';
import type { Layout, TableView, ClientMessage } from '../src/api/generated/types';
import { ROWS } from '../src/cards/cards';
import { SCENES, SHEET } from './scenes';

const PRESETS = [
  {
    preset: 'pineapple',
    title: 'Pineapple',
    game: 'pineapple',
    summary: 'Five cards, then four times three: place two, discard one. Queens in front bring fantasyland.',
    seats_min: 2,
    seats_max: 3,
    buy_in_min: 50,
    buy_in_max: 200,
    playable: true,
  },
  {
    preset: 'pineapple_progressive',
    title: 'Pineapple, progressive',
    game: 'pineapple',
    summary: 'The better the front, the more cards in fantasyland: 14 to 17.',
    seats_min: 2,
    seats_max: 3,
    buy_in_min: 50,
    buy_in_max: 200,
    playable: true,
  },
];

export function fakeApi(scene: string): Api {
  const tables = [
    {
      table: 'friday',
      name: 'Friday evening',
      preset: 'pineapple',
      title: 'Pineapple',
      seats: [{ seat: 0, name: 'Ann', bot: false }, null, { seat: 2, name: 'Bot · strong', bot: true }],
      phase: 'playing',
      watching: 1,
      mine: false,
      turn: false,
      private: false,
      changes: 0,
    },
    {
      table: 'attic',
      name: 'The attic',
      preset: 'pineapple',
      title: 'Pineapple, progressive',
      seats: [
        { seat: 0, name: 'Ludwig', bot: false },
        { seat: 1, name: 'Mo', bot: false },
        { seat: 2, name: 'Bot', bot: true },
      ],
      phase: 'playing',
      watching: 0,
      mine: false,
      turn: false,
      private: false,
      changes: 2,
    },
  ];
  return {
    me: () => Promise.resolve({ player: 'p-you', name: 'Nora' }),
    savedReview: () => Promise.resolve({ text: '' }),
    saveReview: () => Promise.resolve({ text: '' }),
    viewers: () => Promise.resolve([]),
    rename: (name) => Promise.resolve({ player: 'p-you', name }),
    presets: () => Promise.resolve(PRESETS),
    tables: () => Promise.resolve(scene === 'lobby-empty' ? [] : tables),
    create: () => Promise.resolve({ table: 'friday', link: '/t/friday' }),
    rules: () =>
      Promise.resolve({
        preset: 'pineapple',
        title: 'Pineapple',
        summary: [
          { text: '1 per row, 3 for a scoop', about: ['Each row won is a point; all three bring three more.'] },
        ],
        sections: [
          {
            heading: 'The deal',
            sentences: ['Everyone gets five cards, then four times three: two are placed, one is discarded.'],
          },
        ],
        chart: { ranking: [], fives: [], lows: [], front: [], fantasyland: [] },
        toml: '[deal]\ngame = "pineapple"\n',
        differences: [],
        coming: '',
      }),
    linkCode: (table) =>
      Promise.resolve({ link: `https://example.org/t/${table}`, qr: { size: 21, path: 'M0 0h7v1h-7z' } }),
    deals: () =>
      Promise.resolve([
        { match: 4, sheet: SHEET },
        { match: 3, sheet: { ...SHEET, deal: 8 } },
      ]),
    proofs: () => Promise.reject(new Error('no deck was committed')),
    reach: () => Promise.resolve({ front: [], middle: [], back: [] }),
    play: () => Promise.resolve({ table: 'friday', link: '/t/friday' }),
    guide: (_, hand) =>
      Promise.resolve({ hand, street: 1, lines: [{ kind: 'next' as const, text: 'Lay 5 cards.' }], proposal: null }),
    strategy: () => Promise.resolve({ own: true, like: '' }),
    levels: () =>
      Promise.resolve([
        { level: 'easy', title: 'Easy', note: 'Any legal card.' },
        { level: 'steady', title: 'Steady', note: 'Rarely fouls, likes fantasyland.' },
      ]),
  };
}

const without = (cards: readonly string[], drop: readonly string[]): string[] =>
  cards.filter((card) => !drop.includes(card));

function arranged(view: TableView, hand: number, layout: Layout): TableView {
  const { deal } = view;
  const task = deal?.tasks.find((one) => one.hand === hand);
  if (!deal || task === undefined) return view;
  const boards = deal.boards.map((board) => {
    if (board.hand !== hand) return board;
    const rows = Object.fromEntries(
      ROWS.map((row) => {
        const cards = [...without(board[row].cards, board.pending), ...layout[row]];
        const full = row === 'front' ? 3 : 5;
        return [
          row,
          {
            ...board[row],
            cards,
            name: cards.length > 1 ? `${cards.length} of ${full}` : '',
            royalty: cards.length === full ? 4 : 0,
          },
        ];
      }),
    );
    const pending = ROWS.flatMap((row) => layout[row]);
    return { ...board, ...rows, pending, draws: without(task.cards, pending) };
  });
  return {
    ...view,
    deal: { ...deal, boards, tasks: deal.tasks.map((one) => (one.hand === hand ? { ...one, layout } : one)) },
  };
}

export function fakeConnect(scene: string): Connect {
  return (events: ChannelEvents): Channel => {
    const steps = SCENES[scene] ?? [];
    let at = 0;
    let view = steps[0];
    let v = 100;
    const show = (next: TableView | undefined): void => {
      if (next === undefined) return;
      v += 1;
      view = { ...next, v };
      events.received({ t: 'update', table: view.table, v, now: Date.now(), events: [], view });
    };
    const advance = (): void => {
      at += 1;
      const step = steps[at];
      if (step === undefined) return;
      show(step);
      setTimeout(advance, 900);
    };
    const receive = (message: ClientMessage): void => {
      if (message.t === 'watch') {
        show(view);
        if (scene === 'showdown') setTimeout(advance, 900);
      }
      if (message.t !== 'do' || view === undefined) return;
      const { action, cmd_id, table } = message;
      setTimeout(() => {
        if (action.do === 'arrange' && view !== undefined) show(arranged(view, action.hand, action.layout));
        events.received({ t: 'ack', cmd_id, table, v });
        if (action.do === 'place' || action.do === 'ready') advance();
      }, 60);
    };
    queueMicrotask(() => {
      events.received({ t: 'hello', player: 'p-you', name: 'Nora', now: Date.now() });
      events.opened();
    });
    // `window.cut()` in the console: the connection is lost.
    Object.assign(window, { cut: () => events.closed(), advance });
    return { send: (message) => setTimeout(() => receive(message), 10), close: () => undefined };
  };
}
