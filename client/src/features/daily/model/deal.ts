// The deal of a day: its cards follow from the date alone, so they are the same for everybody, and no server says them.

import { sha256 } from '@noble/hashes/sha2.js';
import type { AnalysisSetup } from '../../../api/generated/types';
import { seedToHex } from '../../solo/model/seed';
import type { LevelName, Setup } from '../../solo/model/types';

/** Strong enough, and quick: the others play against it too, on the visitor's processor. */
export const OPPONENT: LevelName = 'medium';

/** "2026-11-23", in the time of Greenwich: a day begins everywhere at the same moment. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** 64 bits in hex. */
export const seedOf = (day: string): string => seedToHex(sha256(new TextEncoder().encode(`triptych ${day}`)));

/** One deal and the fantasylands that it brings. */
export const setupOf = (form: AnalysisSetup, day: string): Setup => ({
  form,
  levels: [OPPONENT],
  seed: seedOf(day),
  games: 1,
});
