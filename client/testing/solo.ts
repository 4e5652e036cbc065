// Solo matches in the test's own thread: the kernel is the browser's, what bots have learned is left out, and they fill
// their rows from the back.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { vi } from 'vitest';
import { SoloThread } from '../src/features/solo/model/thread';
import type { LocalGameServer } from '../src/features/solo/model/localServer';
import type { SoloResponse, State, SoloRequest } from '../src/features/solo/model/types';
import { ROWS, SLOTS } from '../src/cards/rows';
import { Kernel } from '../src/engine/kernel';
import { SoloGame } from '../src/engine/solo';
import type { AnalysisSetup } from '../src/api/generated/types';
import type { ToolsApi } from '../src/api/http';
import forms from './forms.json';

export type Preset = keyof typeof forms;

/** What the server answers for a game (tests/client_logic/test_forms.py holds it right). */
export const formOf = (preset: Preset): AnalysisSetup => forms[preset] as unknown as AnalysisSetup;

export const formDesks = {
  analysisForm: ({ preset }: { preset: string }) => Promise.resolve(formOf(preset as Preset)),
} as unknown as ToolsApi;

const kernelBytes = (): Buffer => gunzipSync(readFileSync('../native/web/kernel.wasm.gz'));
let module: Promise<WebAssembly.Module> | null = null;

/** A worker that plays in this thread. */
class ThreadWorker {
  onmessage: ((event: { data: SoloResponse }) => void) | null = null;
  private gone = false;
  private readonly thread = new SoloThread((said) => {
    if (!this.gone) this.onmessage?.({ data: structuredClone(said) });
  });
  postMessage(told: SoloRequest): void {
    this.thread.handle(structuredClone(told));
  }
  terminate(): void {
    this.gone = true;
  }
}

/** A worker of another kind, which does nothing by itself. */
export class IdleWorker {
  static readonly made: IdleWorker[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: { message: string }) => void) | null = null;
  readonly posted: unknown[] = [];
  constructor() {
    IdleWorker.made.push(this);
  }
  postMessage(message: unknown): void {
    this.posted.push(structuredClone(message));
  }
  terminate(): void {
    this.onmessage = null;
  }
}

/** Let solo matches be played here, each with other cards and every time with the same; called before each test. */
export function playHere(): void {
  IdleWorker.made.length = 0;
  let dealt = 0;
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
    dealt += 1;
    new Uint32Array((bytes as Uint8Array).buffer)[0] = dealt;
    return bytes;
  });
  vi.stubGlobal('Worker', function (address: URL | string) {
    return /solo/.test(String(address)) ? new ThreadWorker() : new IdleWorker();
  });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(new Uint8Array(8))));
  vi.spyOn(WebAssembly, 'compileStreaming').mockImplementation(
    () => (module ??= WebAssembly.compile(new Uint8Array(kernelBytes()))),
  );
  const store = Kernel.prototype.store;
  vi.spyOn(Kernel.prototype, 'store').mockImplementation(function (this: Kernel, name, request) {
    return name === 'keep_player' ? 0 : store.call(this, name, request);
  });
  vi.spyOn(SoloGame.prototype, 'choose').mockImplementation(function (this: SoloGame) {
    const { hands, turn } = this.look();
    const hand = hands[turn];
    if (hand === undefined) throw new Error('nobody is to place');
    const free = [2, 1, 0].flatMap((row) =>
      Array.from({ length: SLOTS[ROWS[row] ?? 'front'] - (hand.rows[row]?.length ?? 0) }, () => row),
    );
    return hand.draws.map((_, at) => (at < hand.draws.length - hand.toDiscard ? (free[at] ?? 3) : 3));
  });
}

const RANKS = '23456789TJQKA';

/** Where a street's cards go: the highest ones into the row that is filled first; what is left over is thrown away. */
export function filled(state: State, order: readonly number[]): string[][] {
  const { asked, form, hands } = state;
  if (asked === null) throw new Error('nothing is asked');
  const cards = asked.cards
    .map((card) => form.deck[card] ?? '')
    .toSorted((a, b) => RANKS.indexOf(b.charAt(0)) - RANKS.indexOf(a.charAt(0)));
  const keep = cards.slice(0, cards.length - asked.discard);
  const rows: string[][] = [[], [], []];
  for (const row of order) {
    const lying = hands[asked.hand]?.rows[row]?.cards.length ?? 0;
    rows[row] = keep.splice(0, SLOTS[ROWS[row] ?? 'front'] - lying);
  }
  return rows;
}

/** Place a street as the table's page does: front, middle, back. */
export function place(
  house: LocalGameServer,
  [front = [], middle = [], back = []]: readonly (readonly string[])[],
): void {
  const channel = house.connect({ opened: () => undefined, received: () => undefined, closed: () => undefined });
  const hand = house.state?.asked?.hand ?? 0;
  channel.send({
    t: 'do',
    cmd_id: 'place',
    table: house.table,
    seen: 0,
    action: { do: 'place', hand, layout: { front, middle, back } },
  });
}

/** Wait until something is asked of me, or the deal is scored; the state then. */
export function mine(house: () => LocalGameServer | null, after = -1): Promise<State> {
  return vi.waitFor(
    () => {
      const state = house()?.state ?? null;
      if (state === null || state.version <= after || (state.asked === null && state.scored === null))
        throw new Error('not yet');
      return state;
    },
    { interval: 1, timeout: 10_000 },
  );
}
