// One WebSocket that reconnects by itself: it follows its table again and repeats every unanswered command
// under the same id.

import { language } from '../shared/i18n.svelte';
import { freshId } from '../shared/id';
import type { Command } from './pending';
import { savePending, loadPending } from './pending';
import { proofOf, applyPatch, type Paths } from './patch';
import type { ViewPatch, PlayerRequest, TableView, ServerMessage, ClientMessage, WireError } from './generated/types';

/** A raw two-way channel; the real one is a WebSocket, a fixture gives another. */
export interface Channel {
  send(message: ClientMessage): void;
  close(): void;
}

export interface ChannelEvents {
  opened(): void;
  received(message: ServerMessage): void;
  closed(): void;
}

export type Connect = (events: ChannelEvents) => Channel;

export const webSocket: Connect = (events) => {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const socket = new WebSocket(`${scheme}://${location.host}/ws`);
  socket.onopen = () => events.opened();
  socket.onmessage = (event) => events.received(JSON.parse(String(event.data)) as ServerMessage);
  socket.onclose = () => events.closed();
  return {
    send: (message) => socket.send(JSON.stringify(message)),
    close: () => socket.close(),
  };
};

export interface ConnectionEvents {
  onStatus(open: boolean): void;
  received(message: ServerMessage): void;
}

export type Answer = { readonly ok: true; readonly v: number } | { readonly ok: false; readonly error: WireError };

interface Unanswered {
  readonly message: Command;
  readonly settle: (answer: Answer) => void;
}

const FIRST_WAIT = 400;
const MAX_WAIT = 6_000;
// A network can fail silently. After QUIET ms without a message the server is pinged, and without an answer within
// PATIENCE ms the connection counts as lost: together less than 5 s, and less than any street.
const QUIET = 2_000;
const PATIENCE = 2_000;
// A proxy may open a socket on which the server's greeting never arrives: that is not a connection.
const GREETING = 5_000;

export class TableConnection {
  private channel: Channel | null = null;
  private open = false;
  private closed = false;
  private wait = FIRST_WAIT;
  private lastMessageAt = 0;
  /** When a ping was sent that has no answer yet; 0: none. */
  private pingSentAt = 0;
  /** When this socket opened, while the server has not greeted it; 0: it has. */
  private openedAt = 0;
  private timer = 0;
  private pulse = 0;
  private readonly unanswered = new Map<string, Unanswered>();
  /** The last view of the table; null until a full one arrives. */
  private view: TableView | null = null;
  private paths: Paths = [];

  constructor(
    private readonly table: string,
    private readonly connect: Connect,
    private readonly events: ConnectionEvents,
  ) {
    for (const message of loadPending(table)) {
      this.unanswered.set(message.cmd_id, { message, settle: () => undefined });
    }
    window.addEventListener('online', this.hurry);
    document.addEventListener('visibilitychange', this.hurry);
    this.dial();
  }

  /** Ask something of the table; the promise is settled by the server's answer, however long that takes. */
  do(version: number, action: PlayerRequest): Promise<Answer> {
    const cmd_id = freshId();
    const message = { t: 'do', cmd_id, table: this.table, seen: version, action } as const;
    return new Promise((settle) => {
      this.unanswered.set(cmd_id, { message, settle });
      this.storePending();
      if (this.open) this.channel?.send(message);
    });
  }

  /** Ask for the full view of the table again. */
  requestFullView(): void {
    this.view = null;
    this.follow();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.pulse);
    clearTimeout(this.timer);
    window.removeEventListener('online', this.hurry);
    document.removeEventListener('visibilitychange', this.hurry);
    this.channel?.close();
  }

  private dial(): void {
    clearTimeout(this.timer);
    const channel = this.connect({
      opened: () => {
        if (channel === this.channel) this.opened();
      },
      received: (message) => {
        if (channel === this.channel) this.received(message);
      },
      closed: () => {
        if (channel === this.channel) this.lost();
      },
    });
    this.channel = channel;
  }

  private opened(): void {
    this.open = true;
    this.lastMessageAt = performance.now();
    this.pingSentAt = 0;
    this.openedAt = this.lastMessageAt;
    this.beat();
    this.follow();
    for (const { message } of this.unanswered.values()) this.channel?.send(message);
  }

  /** Follow the table, in the current language. */
  follow(): void {
    if (this.open) this.channel?.send({ t: 'watch', table: this.table, whole: false, language: language.code });
  }

  private received(message: ServerMessage): void {
    this.lastMessageAt = performance.now();
    this.pingSentAt = 0;
    if (message.t === 'hello') {
      // Only now: a proxy may have opened a socket to nowhere.
      this.openedAt = 0;
      this.wait = FIRST_WAIT;
      this.events.onStatus(true);
    }
    if (message.t === 'update' && message.table === this.table) {
      this.view = message.view;
      this.paths = (message.paths ?? []) as Paths;
    }
    if (message.t === 'ack') this.answer(message.cmd_id, { ok: true, v: message.v });
    if (message.t === 'refused') this.answer(message.cmd_id, { ok: false, error: message.error });
    if (message.t === 'parts') this.patchView(message);
    else this.events.received(message);
  }

  /** Apply a patch to the view; when it does not fit, or its proof fails, ask for the full view. */
  private patchView(message: ViewPatch): void {
    if (this.view === null || message.table !== this.table) return;
    const view = this.view.v === message.after ? applyPatch(this.view, message, this.paths) : null;
    if (view === null || (message.proof != null && proofOf(view) !== message.proof)) {
      this.requestFullView();
      return;
    }
    this.view = view;
    const { table, v, now } = message;
    this.events.received({ t: 'update', table, v, now, events: [], view });
  }

  private answer(cmd_id: string, answer: Answer): void {
    this.unanswered.get(cmd_id)?.settle(answer);
    if (this.unanswered.delete(cmd_id)) this.storePending();
  }

  private storePending(): void {
    savePending(
      this.table,
      [...this.unanswered.values()].map((command) => command.message),
    );
  }

  private lost(): void {
    this.channel = null;
    this.open = false;
    clearTimeout(this.pulse);
    if (this.closed) return;
    this.events.onStatus(false);
    this.timer = window.setTimeout(() => this.dial(), this.wait);
    this.wait = Math.min(this.wait * 1.7, MAX_WAIT);
  }

  /** Check whether the connection is alive, and check again when something may be due. */
  private beat(): void {
    const now = performance.now();
    // Not by silence alone: browsers run the timers of a hidden page rarely, and then no ping was sent for long.
    const silent = this.pingSentAt !== 0 && now - this.pingSentAt >= PATIENCE;
    if (silent || (this.openedAt !== 0 && now - this.openedAt >= GREETING)) {
      const dead = this.channel;
      this.lost();
      dead?.close();
      return;
    }
    if (this.pingSentAt === 0 && now - this.lastMessageAt >= QUIET) {
      this.pingSentAt = now;
      this.channel?.send({ t: 'ping' });
    }
    const due = this.pingSentAt === 0 ? this.lastMessageAt + QUIET : this.pingSentAt + PATIENCE;
    const greeting = this.openedAt === 0 ? due : this.openedAt + GREETING;
    this.pulse = window.setTimeout(() => this.beat(), Math.min(due, greeting) - now + 1);
  }

  private readonly hurry = (): void => {
    if (this.channel !== null || this.closed || document.hidden) return;
    this.wait = FIRST_WAIT;
    this.dial();
  };
}
