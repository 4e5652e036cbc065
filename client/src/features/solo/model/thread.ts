// A solo match in a thread of its own: it holds the cards, lets the bots play, keeps the match, and tells the page what
// seat 0 sees.

import { compileKernel, Kernel } from '../../../engine/kernel';
import { fetchBytes } from '../../../shared/fetchBytes';
import { newMatch, SoloMatch, type SavedMatch } from './match';
import type { SoloResponse, Setup, SoloRequest } from './types';
import { newSeed } from './seed';
import { saveMatch, loadMatch } from './savedMatch';

const PACE = 350; // milliseconds between the moves of bots: so that each is seen

export class SoloThread {
  private match: SoloMatch | null = null;
  private key = '';
  private pace = PACE;
  private turn: Promise<void> = Promise.resolve();

  constructor(private readonly send: (response: SoloResponse) => void) {}

  /** Handle the page's requests one after the other. */
  handle(request: SoloRequest): void {
    this.turn = this.turn
      .then(() => this.process(request))
      .catch((error: unknown) =>
        this.send({ kind: 'failed', why: error instanceof Error ? error.message : String(error) }),
      );
  }

  private async process(message: SoloRequest): Promise<void> {
    if (message.kind === 'open') {
      this.key = message.key;
      this.pace = message.still ? 0 : PACE;
      await this.open(message.setup);
      return;
    }
    const { match } = this;
    if (match === null) return;
    if (message.kind === 'hint') return this.send({ kind: 'hint', rows: match.hint() });
    try {
      if (message.kind === 'arrange') match.arrange(message.rows);
      else if (message.kind === 'place') match.place(message.rows);
      else match.next();
    } catch (error) {
      this.send({ kind: 'refused', id: message.id, why: String(error) });
      return;
    }
    if (message.kind === 'arrange') this.sendState(match);
    const after = message.kind === 'arrange' ? Promise.resolve() : this.afterMove(match);
    this.send({ kind: 'done', id: message.id, version: match.state.version });
    await after;
  }

  private async open(setup: Setup | null): Promise<void> {
    const saved: SavedMatch | null =
      setup === null ? await loadMatch(this.key) : newMatch(setup, setup.seed ?? newSeed());
    if (saved === null) return this.send({ kind: 'nothing' });
    const { bare, form } = saved.setup;
    const [module, weights] = await Promise.all([
      compileKernel(),
      bare === true || form.weights === null ? null : fetchBytes(form.weights),
    ]);
    this.match = new SoloMatch(new Kernel(module), weights, saved);
    await this.afterMove(this.match);
  }

  /** After each move: save, send the state, and let the bots play on. */
  private async afterMove(match: SoloMatch): Promise<void> {
    await saveMatch(this.key, match.record);
    this.sendState(match);
    while (match.isBotsTurn) {
      await new Promise((resolve) => setTimeout(resolve, this.pace));
      match.playBot();
      await saveMatch(this.key, match.record);
      this.sendState(match);
    }
  }

  private sendState(match: SoloMatch): void {
    this.send({ kind: 'state', state: match.state });
  }
}
