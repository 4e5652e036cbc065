// What a puzzle is about, in words.

import { m } from '../../../shared/i18n.svelte';
import type { Theme } from './puzzle';

const NAMES: Readonly<Record<Theme, () => string>> = {
  fantasyland_or_safety: () => m.practice_fantasyland_or_safety(),
  front_pair: () => m.practice_front_pair(),
  flush_draw: () => m.practice_flush_draw(),
  late_foul: () => m.practice_late_foul(),
  blocking: () => m.practice_blocking(),
  outs: () => m.practice_outs(),
};

/** A theme that this page does not know yet has its own name. */
export const themeName = (theme: string): string =>
  (NAMES as Readonly<Record<string, () => string>>)[theme]?.() ?? theme;
