// The person's preferences, kept in this browser.

import type { Sorting } from '../cards/cards';
import { save, load } from './storage';

export type Theme = 'system' | 'dark' | 'light';

interface Stored {
  fourColours: boolean;
  /** A letter beside each suit, for who cannot rely on colour and small shapes. */
  letters: boolean;
  motion: boolean;
  theme: Theme;
  sorting: Sorting;
  /** The guide at tables with bots alone; null: nobody has switched it yet. */
  guide: boolean | null;
  /** The names of the rows and the royalties in reach, beside the own board. */
  rows: boolean;
  sound: boolean;
  vibration: boolean;
  /** Only after the person has asked for them. */
  notifications: boolean;
}

const KEY = 'triptych.prefs';
const DEFAULTS: Stored = {
  fourColours: true,
  letters: false,
  motion: true,
  theme: 'system',
  sorting: 'rank',
  guide: null,
  rows: false,
  sound: true,
  vibration: true,
  notifications: false,
};

const stored = $state<Stored>({ ...DEFAULTS, ...(load(KEY) as Partial<Stored> | null) });
const still = window.matchMedia('(prefers-reduced-motion: reduce)');
const system = $state({ still: still.matches });
still.addEventListener('change', () => (system.still = still.matches));

export const prefs = {
  get fourColours(): boolean {
    return stored.fourColours;
  },
  get letters(): boolean {
    return stored.letters;
  },
  get theme(): Theme {
    return stored.theme;
  },
  get sorting(): Sorting {
    return stored.sorting;
  },
  get sound(): boolean {
    return stored.sound;
  },
  get vibration(): boolean {
    return stored.vibration;
  },
  get notifications(): boolean {
    return stored.notifications;
  },
  get rows(): boolean {
    return stored.rows;
  },
  get guide(): boolean | null {
    return stored.guide;
  },
  /** The person's own switch. */
  get motion(): boolean {
    return stored.motion;
  },
  /** Whether anything may move: the switch, unless the system asks for stillness. */
  get moves(): boolean {
    return stored.motion && !system.still;
  },
  set(change: Partial<Stored>): void {
    Object.assign(stored, change);
    save(KEY, stored);
  },
};
