// Levels in words.

import { m } from '../shared/language.svelte';
import { LEVELS, type LevelName } from './shapes';

const LEVEL_NAMES: Readonly<Record<LevelName, () => string>> = { novice: m.level_novice, fast: m.level_fast, medium: m.level_medium, strong: m.level_strong };
export const levelName = (level: LevelName): string => LEVEL_NAMES[level]();
export const isLevel = (text: unknown): text is LevelName => LEVELS.some((level) => level === text);
