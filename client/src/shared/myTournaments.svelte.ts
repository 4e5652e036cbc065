// The tournaments that this browser's person takes part in, so that every page can take them to their table.

import { load, save } from './storage';

const KEY = 'tournaments';
const MOST = 8;

const storedIds = (): readonly string[] => {
  const stored = load(KEY);
  return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === 'string') : [];
};

export const myTournaments = $state<{ ids: readonly string[] }>({ ids: storedIds() });

const keep = (ids: readonly string[]): void => {
  myTournaments.ids = ids.slice(-MOST);
  save(KEY, myTournaments.ids);
};

export function followTournament(id: string): void {
  if (!myTournaments.ids.includes(id)) keep([...myTournaments.ids, id]);
}

export function leaveTournament(id: string): void {
  if (myTournaments.ids.includes(id)) keep(myTournaments.ids.filter((other) => other !== id));
}
