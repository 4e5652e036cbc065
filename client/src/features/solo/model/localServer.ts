// A solo match's worker as the table's page sees a server: it takes commands and answers with views. Only what seat 0 may
// know comes from there.

import type { ChannelEvents, Connect } from '../../../api/connection';
import type { Layout, PlayerRequest, ClientMessage } from '../../../api/generated/types';
import { ROWS } from '../../../cards/cards';
import { byRow } from '../../../sheet/sheet';
import type { SoloResponse, Setup, State, SoloRequest } from './types';
import { soloView } from './view';

/** A worker as the page knows it. */
export interface WorkerPort {
  postMessage(request: SoloRequest): void;
  onmessage: ((event: MessageEvent<SoloResponse>) => void) | null;
  terminate(): void;
}

export const createSoloWorker = (): WorkerPort =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }) as WorkerPort;

export interface ServerEvents {
  /** A match is on: for the first time, and after each move. */
  onState(state: State): void;
  onNothingSaved(): void;
  onFailure(why: string): void;
}

export class LocalGameServer {
  state: State | null = null;
  private channel: ChannelEvents | null = null;
  private resolveHint: (rows: readonly (readonly number[])[] | null) => void = () => undefined;

  constructor(
    readonly table: string,
    private readonly title: () => string,
    private readonly events: ServerEvents,
    private readonly port: WorkerPort = createSoloWorker(),
  ) {
    port.onmessage = ({ data }) => this.handleResponse(data);
  }

  /** Begin a match, or go on with what is kept under the key. */
  open(key: string, setup: Setup | null, still: boolean): void {
    this.port.postMessage({ kind: 'open', key, setup, still });
  }

  /** Deal on after a deal was shown, as the table's own button does. */
  next(): void {
    this.port.postMessage({ kind: 'next', id: 'next' });
  }

  /** How a bot would place my street; null where none can be asked. */
  hint(): Promise<Layout | null> {
    return new Promise((resolve) => {
      this.resolveHint = (rows) => {
        const deck = this.state?.form.deck ?? [];
        resolve(rows === null ? null : byRow((_, at) => (rows[at] ?? []).map((card) => deck[card] ?? '')));
      };
      this.port.postMessage({ kind: 'hint', id: 'hint' });
    });
  }

  close(): void {
    this.port.terminate();
  }

  readonly connect: Connect = (events) => {
    this.channel = events;
    queueMicrotask(() => {
      events.opened();
      events.received({ t: 'hello', player: 'you', name: '', now: Date.now() });
    });
    return {
      send: (message) => this.handleMessage(message),
      close: () => (this.channel = null),
    };
  };

  private handleMessage(message: ClientMessage): void {
    if (message.t === 'ping') this.channel?.received({ t: 'pong', now: Date.now() });
    else if (message.t === 'watch') this.sendUpdate();
    else if (message.t === 'do') this.command(message.cmd_id, message.action);
  }

  private command(id: string, action: PlayerRequest): void {
    if (action.do === 'arrange' || action.do === 'place')
      this.port.postMessage({ kind: action.do, id, rows: this.numbers(action.layout) });
    else if (action.do === 'ready') this.port.postMessage({ kind: 'next', id });
    else this.refuse(id, action.do);
  }

  private numbers(layout: Layout): number[][] {
    const deck = this.state?.form.deck ?? [];
    return ROWS.map((row) => layout[row].map((card) => deck.indexOf(card)));
  }

  private handleResponse(response: SoloResponse): void {
    if (response.kind === 'state') {
      this.state = response.state;
      this.events.onState(response.state);
      this.sendUpdate();
    } else if (response.kind === 'done')
      this.channel?.received({ t: 'ack', cmd_id: response.id, table: this.table, v: response.version });
    else if (response.kind === 'refused') this.refuse(response.id, response.why);
    else if (response.kind === 'hint') this.resolveHint(response.rows);
    else if (response.kind === 'failed') this.events.onFailure(response.why);
    else this.events.onNothingSaved();
  }

  private refuse(id: string, why: string): void {
    this.channel?.received({
      t: 'refused',
      cmd_id: id,
      table: this.table,
      error: { code: 'solo.refused', message: why, path: '$' },
    });
  }

  private sendUpdate(): void {
    const { state } = this;
    if (state === null) return;
    const view = soloView(state, this.table, this.title());
    this.channel?.received({ t: 'update', table: this.table, v: view.v, now: Date.now(), events: [], view });
  }
}
