// Times and days in the reader's own zone and words. A time that is not today is never shown without its day.

import { language } from './i18n.svelte';

const sameDay = (a: Date, b: Date): boolean =>
  a.getFullYear() === b.getFullYear() && a.getMonth() === b.getMonth() && a.getDate() === b.getDate();

const timeOf = (at: Date): string => at.toLocaleTimeString(language.tag, { hour: '2-digit', minute: '2-digit' });

/** A day as `options` say, with the year where it is another one: "Sat, Nov 28". */
export function dayOf(
  ms: number,
  options: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' },
): string {
  const at = new Date(ms);
  return at.toLocaleDateString(language.tag, {
    ...options,
    ...(at.getFullYear() !== new Date().getFullYear() && { year: 'numeric' }),
  });
}

/** A sentence with a time (ms): `today` where that is today, else `otherDay`, which says the day too. */
export function atTime(
  ms: number,
  today: (slots: { time: string }) => string,
  otherDay: (slots: { day: string; time: string }) => string,
): string {
  const at = new Date(ms);
  return sameDay(at, new Date()) ? today({ time: timeOf(at) }) : otherDay({ day: dayOf(ms), time: timeOf(at) });
}

/** A time (ms) as a field for date and time has it, in the reader's zone: "2026-11-28T19:05". */
export function localDateTime(ms: number): string {
  const at = new Date(ms);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
