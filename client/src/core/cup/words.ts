// How a tournament stands, in a few words.

import type { CupLine, CupView } from '../../wire/types';
import { language, m } from '../shared/language.svelte';

export const clockTime = (ms: number): string => new Date(ms).toLocaleTimeString(language.tag, { hour: '2-digit', minute: '2-digit' });

/** Before it: who comes, and when; while it is on: who is left; after it: who has won. */
export function standing(cup: CupLine): string {
  if (cup.phase === 'cancelled') return m.cup_cancelled();
  if (cup.phase === 'over') return m.cup_won({ name: cup.winner });
  if (cup.phase === 'running') return m.cup_left({ left: cup.left, n: cup.players });
  const when = cup.starts_at === null ? m.cup_begins_full() : m.cup_begins_at({ time: clockTime(cup.starts_at) });
  return `${m.cup_registered({ n: cup.players, most: cup.most })} · ${when}`;
}

/** The level and what ends it. */
export function levelLine(view: CupView): string {
  if (view.rest_ends !== null) return m.cup_break_until({ time: clockTime(view.rest_ends) });
  if (view.rest_due) return m.cup_break_due();
  const { number, chips, next_chips, next_at, deals_left } = view.level;
  const now = m.level_worth({ number, chips });
  if (next_chips === null) return now;
  if (next_at !== null) return `${now} ${m.next_level_when({ chips: next_chips, when: m.from_on({ clock: clockTime(next_at) }) })}`;
  const left = deals_left === null ? '' : ` ${m.cup_deals_left({ n: deals_left })}.`;
  return `${now} ${m.next_level({ chips: next_chips })}${left}`;
}
