// The address of a page that takes a position under some rules: /analyse/pineapple#POSITION&scoring.rows=two_four.

import type { RulesSpec } from '../../../api/http';
import { writeSettings } from '../../rules/model/link';
import { positionLink, type BoardPosition } from './position';

/** What is analysed, and played, where nothing else is said. */
export const PRESET = 'pineapple';

/** `setUp` null: none; the address says the rules alone. */
const pathOf =
  (page: string) =>
  ({ preset, ...overrides }: RulesSpec, setUp: BoardPosition | null = null): string => {
    const fragment = [setUp === null ? '' : positionLink(setUp), ...writeSettings(overrides)].join('&');
    return `/${page}/${encodeURIComponent(preset)}${fragment === '' ? '' : `#${fragment}`}`;
  };

export const analysePath = pathOf('analyse');
/** A match on this device that begins there. */
export const soloPath = pathOf('solo');
/** Where a duplicate match is set up. */
export const duplicateSetUp = pathOf('duplicate');
