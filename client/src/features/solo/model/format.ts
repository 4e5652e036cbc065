// Levels in words.

import { m } from '../../../shared/i18n.svelte';
import { LEVELS, type LevelName } from './types';

const LEVEL_NAMES: Readonly<Record<LevelName, () => string>> = {
  novice: m.level_novice,
  fast: m.level_fast,
  medium: m.level_medium,
  strong: m.level_strong,
};
export const levelName = (level: LevelName): string => LEVEL_NAMES[level]();
export const isLevel = (text: unknown): text is LevelName => LEVELS.some((level) => level === text);
