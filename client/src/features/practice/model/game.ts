// Whose puzzles are practised: those of the game that was practised last, at first Pineapple's.

import type { PuzzleCollection } from '../../../api/generated/types';
import { PRESET } from '../../analyse/model/link';
import { save, load } from '../../../shared/storage';

// A file's name changes when there are more puzzles; its rules do not.
const KEY = 'triptych.practice.game';
const gameOf = ({ rules }: Pick<PuzzleCollection, 'rules'>): string =>
  typeof rules === 'string' ? rules : JSON.stringify(Object.entries(rules).toSorted());
const FIRST = gameOf({ rules: { preset: PRESET } });

export const rememberCollection = (collection: PuzzleCollection): boolean => save(KEY, gameOf(collection));

/** Undefined where there is none at all. */
export function lastCollection(collections: readonly PuzzleCollection[]): PuzzleCollection | undefined {
  const last = load(KEY);
  return (
    collections.find((collection) => gameOf(collection) === last) ??
    collections.find((collection) => gameOf(collection) === FIRST) ??
    collections[0]
  );
}
