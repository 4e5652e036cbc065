// How a tournament stands, in a few words.

import type { TournamentItem, TournamentView } from '../../../api/generated/types';
import { atTime } from '../../../shared/dates';
import { language, m } from '../../../shared/i18n.svelte';

/** When it begins: at its time, or when it is full. */
export const begins = (startsAt: number | null): string =>
  startsAt === null
    ? m.common_tournament_begins_full()
    : atTime(startsAt, m.common_tournament_begins_at, m.common_tournament_begins_on);

export const breakUntil = (ends: number): string =>
  atTime(ends, m.common_tournament_break_until, m.common_tournament_break_until_day);

/** Who has won; several share the first place. */
export const wonBy = (winners: readonly string[]): string =>
  winners.length > 1
    ? m.common_tournament_shared({ names: listed(winners) })
    : m.common_tournament_won({ name: winners[0] ?? '' });

export const listed = (names: readonly string[]): string => new Intl.ListFormat(language.tag).format(names);

/** Before it: who comes, and when; while it is on: who is left; after it: who has won. */
export function tournamentStatus(cup: TournamentItem): string {
  if (cup.phase === 'cancelled') return m.common_tournament_cancelled();
  if (cup.phase === 'over') return wonBy(cup.winners);
  if (cup.phase === 'running') return m.common_tournament_left({ left: cup.left, n: cup.players });
  return `${m.common_tournament_registered({ n: cup.players, most: cup.most })} · ${begins(cup.starts_at)}`;
}

/** The level and what ends it. */
export function levelText(view: TournamentView): string {
  if (view.rest_ends !== null) return breakUntil(view.rest_ends);
  if (view.rest_due) return m.common_tournament_break_due();
  const { number, chips, next_chips, next_at, deals_left } = view.level;
  const now = m.common_level_worth({ number, chips });
  if (next_chips === null) return now;
  if (next_at !== null)
    return `${now} ${m.common_next_level_when({ chips: next_chips, when: atTime(next_at, m.common_from_time, m.common_from_day) })}`;
  const left = deals_left === null ? '' : ` ${m.common_tournament_deals_left({ n: deals_left })}.`;
  return `${now} ${m.common_next_level({ chips: next_chips })}${left}`;
}
