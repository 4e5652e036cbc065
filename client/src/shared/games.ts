// Games: which are open, and what a list says of one.

import { m } from './i18n.svelte';
import type { PresetItem } from '../api/generated/types';

const OPEN = ['classic', 'turbo', 'pineapple'];

/** Whether a game is placed street by street, on open boards. */
export const isOpenFace = (game: string): boolean => OPEN.includes(game);

/** "2–3 players · 13 streets": for how many it is, and its rules in short. */
export const presetFacts = ({ seats_min, seats_max, summary }: PresetItem): string =>
  m.common_preset_facts({ seats: seats_min === seats_max ? seats_max : `${seats_min}–${seats_max}`, summary });
