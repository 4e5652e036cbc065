// This page without a network: the service worker is registered, and fetches what practice, the analysis board and a
// match on this device need.
// On plain http under another name than localhost there is none, and nothing is missed.

import { fetched } from '../shared/fetched';
import { Latest } from '../shared/latest';
import { PRESET } from '../analyse/link';
import { practised } from '../practice/game';
import type { Desks } from '../../wire/api';

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
export function workOffline(desks: Desks, presets: () => Promise<unknown>, isQuiet: () => boolean): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (reloads) location.reload();
  });
  const begin = (): void => {
    setTimeout(() => {
      if (!isQuiet()) return begin();
      // A browser may refuse, as in a private window: then there is only the network.
      register().then(() => keepAll(desks, presets)).catch(() => undefined);
    }, QUIET);
  };
  begin();
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

/** Ask once for what the pages ask for; the worker keeps the answers. Who pays for each byte fetches only what they open. */
async function keepAll(desks: Desks, presets: () => Promise<unknown>): Promise<void> {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } };
  if (connection?.saveData === true) return;
  const [{ GAMES }, { FIRST_PRESET }] = await Promise.all([import('../learn/lessons'), import('../scorer/line')]);
  const forms = [...new Set([PRESET, ...GAMES])].flatMap((preset) => [desks.analysisForm({ preset }), desks.analysisForm({ preset }, true)]);
  // The analysis board takes the one form of a game, a match on this device the other.
  const [collections, , ...all] = await Promise.all([desks.puzzles(), presets(), ...forms]);
  // Of the puzzles those of one game, not of all.
  const files = new Set([...all.map((form) => form.weights), practised(collections)?.file ?? null].filter((file) => file !== null));
  for (const file of files) if ((await caches.match(file)) === undefined) await fetched(file);
  // One after the other: what is worked out for a visitor is worked out once at a time.
  for (const preset of [FIRST_PRESET, PRESET]) await new Latest().ask(() => desks.scoreForm({ preset }));
}
