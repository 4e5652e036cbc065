// This page without a network: the service worker is registered, and fetches what practice, the analysis board and a
// match on this device need.
// On plain http under another name than localhost there is none, and nothing is missed.

import { fetchBytes } from './fetchBytes';
import { LatestRequest } from './latestRequest';
import { PRESET } from '../features/analyse/model/link';
import { lastCollection } from '../features/practice/model/game';
import type { ToolsApi } from '../api/http';

const SCRIPT = '/sw.js';
const QUIET = 2_000; // milliseconds after the page has come

const state = $state<{ waiting: ServiceWorker | null }>({ waiting: null });
let reloads = false;

export const offline = {
  /** A newer version has come and waits until somebody wants it. */
  get isNewer(): boolean {
    return state.waiting !== null;
  },
  /** Let it begin, and load this page anew; no other page is loaded anew. */
  begin(): void {
    reloads = true;
    state.waiting?.postMessage('begin');
  },
  later(): void {
    state.waiting = null;
  },
  /** Whether this page is kept for when nothing answers. */
  get isKept(): boolean {
    return navigator.serviceWorker?.controller != null;
  },
};

/** `isQuiet`: nobody is in a deal, which needs the line for itself. */
export function workOffline(tools: ToolsApi, presets: () => Promise<unknown>, isQuiet: () => boolean): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (reloads) location.reload();
  });
  // A browser may refuse, as in a private window: then there is only the network.
  rest()
    .then(() => quiet(isQuiet))
    .then(register)
    .then(() => keepAll(tools, presets, isQuiet))
    .catch(() => undefined);
}

const rest = (): Promise<void> => new Promise((rested) => setTimeout(rested, QUIET));

async function quiet(isQuiet: () => boolean): Promise<void> {
  while (!isQuiet()) await rest();
}

async function register(): Promise<void> {
  const registration = await navigator.serviceWorker.register(SCRIPT, { updateViaCache: 'none' });
  const look = (worker: ServiceWorker | null): void => {
    // The first one of all waits for nobody.
    if (worker?.state === 'installed' && navigator.serviceWorker.controller !== null) state.waiting = worker;
  };
  look(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => look(installing));
  });
  await navigator.serviceWorker.ready;
  if (navigator.serviceWorker.controller !== null) return;
  await new Promise((begun) => navigator.serviceWorker.addEventListener('controllerchange', begun, { once: true }));
}

/**
 * Ask once for what the pages ask for; the worker keeps the answers. First what most of them need, then, while nothing else
 * is to be done, what the first lessons play and closed hands are measured with. Who pays for each byte fetches only what
 * they open.
 */
async function keepAll(tools: ToolsApi, presets: () => Promise<unknown>, isQuiet: () => boolean): Promise<void> {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } };
  if (connection?.saveData === true) return;
  const [{ GAMES }, { FIRST_PRESET }] = await Promise.all([
    import('../features/lessons/model/lessons'),
    import('../features/scorer/model/line'),
  ]);
  const [collections] = await Promise.all([tools.puzzles(), presets()]);
  await keepGame(tools, PRESET);
  // Of the puzzles those of one game, not of all.
  await keepFile(lastCollection(collections)?.file);
  // One after the other: what is worked out for a visitor is worked out once at a time.
  for (const preset of [FIRST_PRESET, PRESET]) await new LatestRequest().ask(() => tools.scoreForm({ preset }));
  await idle(isQuiet);
  // Of closed hands those against one other are measured most.
  const { closed } = await tools.analysisForm({ preset: FIRST_PRESET });
  await keepFile(closed?.fields[0]);
  for (const preset of new Set(GAMES)) {
    if (preset === PRESET) continue;
    await idle(isQuiet);
    await keepGame(tools, preset);
  }
}

/** The analysis board takes the one form of a game, a match on this device the other; both play by its learned table. */
async function keepGame(tools: ToolsApi, preset: string): Promise<void> {
  const forms = [await tools.analysisForm({ preset }), await tools.analysisForm({ preset }, true)];
  for (const { weights } of forms) await keepFile(weights);
}

async function keepFile(file: string | null | undefined): Promise<void> {
  if (file != null && (await caches.match(file)) === undefined) await fetchBytes(file);
}

/** When nobody is in a deal and the browser has nothing else to do. */
async function idle(isQuiet: () => boolean): Promise<void> {
  await quiet(isQuiet);
  // Not every browser says when.
  if ('requestIdleCallback' in window) await new Promise((rested) => requestIdleCallback(rested, { timeout: QUIET }));
}
