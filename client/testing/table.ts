// Views of a table as the server would send them, and a connection in the test's hands.

import type { Channel, ChannelEvents, Connect } from '../src/api/connection';
import type {
  PremoveView,
  DealView,
  Layout,
  ScoreSheet,
  TableView,
  Task,
  ServerMessage,
  ClientMessage,
} from '../src/api/generated/types';

export const NOTHING: Layout = { front: [], middle: [], back: [] };

/** "Ah Kd" as cards. */
export const cards = (text: string): string[] => text.split(' ').filter(Boolean);

/** Cards to be placed, of which `discard` are thrown away. */
export function task(text: string, more: Partial<Task> = {}): Task {
  const all = cards(text);
  const discard = more.discard ?? (all.length === 3 ? 1 : 0);
  return {
    hand: 0,
    kind: 'place',
    street: all.length === 3 ? 2 : 1,
    cards: all,
    place: all.length - discard,
    discard,
    open: { front: 3, middle: 5, back: 5 },
    layout: NOTHING,
    legal: true,
    natural: '',
    surrender: 0,
    rows: [],
    ...more,
  };
}

export const deal = (number: number, tasks: readonly Task[], more: Partial<DealView> = {}): DealView => ({
  number,
  game: 'pineapple',
  phase: 'placing',
  street: 1,
  streets: 5,
  boards: [],
  tasks,
  ...more,
});

export const ahead = (one: Task, more: Partial<PremoveView> = {}): PremoveView => ({
  task: one,
  layout: NOTHING,
  kept: '',
  ...more,
});

export function view(more: Partial<TableView> = {}): TableView {
  return {
    ahead: [],
    dropped: false,
    turns: [],
    owner: '',
    fair: { number: 0, commitment: '', chains: [], dealt: 0, dropped: 0 },
    table: 'friday',
    v: 1,
    name: 'Our table',
    host: 'ann',
    rules: {
      preset: 'pineapple',
      title: 'Pineapple',
      summary: '',
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
    seats: [],
    you: 0,
    may: [],
    button: 0,
    match: null,
    deal: null,
    sheet: null,
    clocks: [],
    next_at: null,
    prompt: 'Your turn',
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
    talk: [],
    ...more,
  } as TableView;
}

type Hand = ScoreSheet['hands'][number];

/** A settled deal: what became of each hand. */
export const sheet = (number: number, ...hands: readonly Partial<Hand>[]): ScoreSheet =>
  ({
    deal: number,
    hands: hands.map((one, hand) => ({
      hand,
      seat: hand,
      player: ['Ann', 'Bob', 'Cem'][hand],
      status: 'legal',
      fantasyland: 0,
      points: 0,
      ...one,
    })),
    pairs: [],
    stacks: [],
  }) as unknown as ScoreSheet;

/** The other end of a table's connection. */
export class Line {
  readonly sent: ClientMessage[] = [];
  /** How often the page has connected. */
  dialled = 0;
  /** What every command is answered with; null: nobody answers. */
  answer: ((message: ClientMessage & { t: 'do' }) => ServerMessage) | null = ({ cmd_id, table }) => ({
    t: 'ack',
    cmd_id,
    table,
    v: 0,
  });
  private events: ChannelEvents | null = null;

  readonly connect: Connect = (events): Channel => {
    this.dialled += 1;
    this.events = events;
    return {
      send: (message) => {
        this.sent.push(message);
        if (message.t === 'do' && this.answer !== null) events.received(this.answer(message));
      },
      close: () => (this.events = null),
    };
  };

  /** The connection stands, and the server has greeted. */
  open(): void {
    this.events?.opened();
    this.tell({ t: 'hello', player: 'ann', name: 'Ann', now: 0 });
  }

  tell(message: ServerMessage): void {
    this.events?.received(message);
  }

  show(now: TableView): void {
    this.tell({ t: 'update', table: now.table, v: now.v, now: 0, events: [], view: now });
  }

  cut(): void {
    this.events?.closed();
  }

  /** What the page has asked of the table. */
  get asked(): unknown[] {
    return this.sent.flatMap((message) => (message.t === 'do' ? [message.action] : []));
  }

  get watches(): ClientMessage[] {
    return this.sent.filter(({ t }) => t === 'watch');
  }
}
