// Times and days in the reader's own zone and words. A time that is not today is never shown without its day.

import { language } from './language.svelte';

const sameDay = (a: Date, b: Date): boolean => a.getFullYear() === b.getFullYear() && a.getMonth() === b.getMonth() && a.getDate() === b.getDate();

const timeOf = (at: Date): string => at.toLocaleTimeString(language.tag, { hour: '2-digit', minute: '2-digit' });

/** "Sat, Nov 28", with the year where it is another one. */
function dayOf(at: Date): string {
  const otherYear = at.getFullYear() !== new Date().getFullYear();
  return at.toLocaleDateString(language.tag, { weekday: 'short', day: 'numeric', month: 'short', ...(otherYear && { year: 'numeric' }) });
}

/** A sentence with a time (ms): `today` where that is today, else `otherDay`, which says the day too. */
export function atTime(ms: number, today: (slots: { time: string }) => string, otherDay: (slots: { day: string; time: string }) => string): string {
  const at = new Date(ms);
  return sameDay(at, new Date()) ? today({ time: timeOf(at) }) : otherDay({ day: dayOf(at), time: timeOf(at) });
}
