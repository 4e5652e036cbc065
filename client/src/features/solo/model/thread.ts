// A solo match in a thread of its own: it holds the cards, lets the bots play, keeps the match, and tells the page what
// seat 0 sees.

import { compiled, Kernel } from '../../../engine/kernel';
import { fetchBytes } from '../../../shared/fetchBytes';
import { begun, SoloMatch, type Kept } from './match';
import type { SoloResponse, Setup, SoloRequest } from './types';
import { newSeed } from './seed';
import { saveMatch, loadMatch } from './savedMatch';

const PACE = 350; // milliseconds between the moves of bots: so that each is seen

export class SoloThread {
  private match: SoloMatch | null = null;
  private key = '';
  private pace = PACE;
  private turn: Promise<void> = Promise.resolve();

  constructor(private readonly say: (said: SoloResponse) => void) {}

  /** Do what the page asks, after what it asked before. */
  hear(told: SoloRequest): void {
    this.turn = this.turn
      .then(() => this.done(told))
      .catch((error: unknown) =>
        this.say({ kind: 'failed', why: error instanceof Error ? error.message : String(error) }),
      );
  }

  private async done(message: SoloRequest): Promise<void> {
    if (message.kind === 'open') {
      this.key = message.key;
      this.pace = message.still ? 0 : PACE;
      await this.open(message.setup);
      return;
    }
    const { match } = this;
    if (match === null) return;
    if (message.kind === 'hint') return this.say({ kind: 'hint', rows: match.hint() });
    try {
      if (message.kind === 'arrange') match.arrange(message.rows);
      else if (message.kind === 'place') match.place(message.rows);
      else match.next();
    } catch (error) {
      this.say({ kind: 'refused', id: message.id, why: String(error) });
      return;
    }
    if (message.kind === 'arrange') this.told(match);
    const after = message.kind === 'arrange' ? Promise.resolve() : this.went(match);
    this.say({ kind: 'done', id: message.id, version: match.state.version });
    await after;
  }

  private async open(setup: Setup | null): Promise<void> {
    const kept: Kept | null = setup === null ? await loadMatch(this.key) : begun(setup, setup.seed ?? newSeed());
    if (kept === null) return this.say({ kind: 'nothing' });
    const { bare, form } = kept.setup;
    const [module, weights] = await Promise.all([
      compiled(),
      bare === true || form.weights === null ? null : fetchBytes(form.weights),
    ]);
    this.match = new SoloMatch(new Kernel(module), weights, kept);
    await this.went(this.match);
  }

  /** After each move: kept, told, and the bots play on. */
  private async went(match: SoloMatch): Promise<void> {
    await saveMatch(this.key, match.record);
    this.told(match);
    while (match.waits) {
      await new Promise((resolve) => setTimeout(resolve, this.pace));
      match.bot();
      await saveMatch(this.key, match.record);
      this.told(match);
    }
  }

  private told(match: SoloMatch): void {
    this.say({ kind: 'state', state: match.state });
  }
}
