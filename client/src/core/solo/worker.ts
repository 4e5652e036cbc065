// The thread of a solo match: it holds the cards, lets the bots play, keeps the match, and tells the page what seat 0 sees.

import { compiled, Kernel } from '../../kernel/kernel';
import { fetched } from '../shared/fetched';
import { begun, SoloMatch, type Kept } from './match';
import type { Said, Setup, Told } from './shapes';
import { newSeed } from './seed';
import { keepMatch, keptMatch } from './store';

const PACE = 350; // milliseconds between the moves of bots: so that each is seen

let match: SoloMatch | null = null;
let key = '';
let pace = PACE;
let turn: Promise<void> = Promise.resolve();

const say = (said: Said): void => postMessage(said);
const told = (of: SoloMatch): void => say({ kind: 'state', state: of.state });

async function open(setup: Setup | null): Promise<void> {
  const kept: Kept | null = setup === null ? await keptMatch(key) : begun(setup, setup.seed ?? newSeed());
  if (kept === null) return say({ kind: 'nothing' });
  const { bare, form } = kept.setup;
  const [module, weights] = await Promise.all([compiled(), bare === true || form.weights === null ? null : fetched(form.weights)]);
  match = new SoloMatch(new Kernel(module), weights, kept);
  await went(match);
}

/** After each move: kept, told, and the bots play on. */
async function went(of: SoloMatch): Promise<void> {
  await keepMatch(key, of.record);
  told(of);
  while (of.waits) {
    await new Promise((resolve) => setTimeout(resolve, pace));
    of.bot();
    await keepMatch(key, of.record);
    told(of);
  }
}

async function done(message: Told): Promise<void> {
  if (message.kind === 'open') {
    ({ key } = message);
    pace = message.still ? 0 : PACE;
    await open(message.setup);
    return;
  }
  if (match === null) return;
  try {
    if (message.kind === 'arrange') match.arrange(message.rows);
    else if (message.kind === 'place') match.place(message.rows);
    else match.next();
  } catch (error) {
    say({ kind: 'refused', id: message.id, why: String(error) });
    return;
  }
  if (message.kind === 'arrange') told(match);
  const after = message.kind === 'arrange' ? Promise.resolve() : went(match);
  say({ kind: 'done', id: message.id, version: match.state.version });
  await after;
}

addEventListener('message', ({ data }: MessageEvent<Told>) => {
  turn = turn.then(() => done(data)).catch((error: unknown) => say({ kind: 'failed', why: error instanceof Error ? error.message : String(error) }));
});
