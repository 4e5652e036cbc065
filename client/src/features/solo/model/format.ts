// Levels in words.

import { m } from '../../../shared/i18n.svelte';
import { LEVELS, type LevelName } from './types';

const LEVEL_NAMES: Readonly<Record<LevelName, () => string>> = {
  novice: m.solo_level_novice,
  fast: m.solo_level_fast,
  medium: m.solo_level_medium,
  strong: m.solo_level_strong,
};
export const levelName = (level: LevelName): string => LEVEL_NAMES[level]();
export const isLevel = (text: unknown): text is LevelName => LEVELS.some((level) => level === text);
