// Whether a player of a tournament is to be taken to a table now. Pure.

import type { TournamentView } from '../../../api/generated/types';

/** Nothing more comes of it for the viewer. */
export const isDone = ({ phase, you, may }: TournamentView): boolean =>
  phase === 'over' || phase === 'cancelled' || you.player === '' || (you.out && !may.includes('register'));

/** The table that the viewer is taken to, null where they are at it, or there is none; `last`: where they were taken. */
export const tableToGoTo = (view: TournamentView, last: string, here: string | null): string | null => {
  const { table } = view.you;
  return view.phase === 'running' && table !== '' && table !== last && table !== here ? table : null;
};
