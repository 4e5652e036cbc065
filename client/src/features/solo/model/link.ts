// A solo match as an address: /solo/pineapple#POSITION&scoring.rows=two_four. The position, as the analysis board writes it,
// is where its first deal begins; empty for a shuffled deck.

import type { RulesSpec } from '../../../api/http';
import { PRESET } from '../../analyse/model/link';
import { readPosition, type BoardPosition } from '../../analyse/model/position';
import { readFragment } from '../../rules/model/link';

export interface SoloAddress {
  readonly rules: RulesSpec;
  readonly position: BoardPosition | null;
  /** There is a position, and it cannot be read. */
  readonly broken: boolean;
}

export function readSolo(preset: string | null, fragment: string): SoloAddress {
  const [written = '', ...settings] = fragment.replace(/^#/, '').split('&');
  let text = written;
  try {
    text = decodeURIComponent(written);
  } catch {
    // Read as it stands.
  }
  const position = text === '' ? null : readPosition(text);
  return {
    rules: { ...readFragment(settings.join('&')), preset: preset ?? PRESET },
    position,
    broken: text !== '' && position === null,
  };
}
