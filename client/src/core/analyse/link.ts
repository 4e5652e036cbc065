// The address of the analysis board with a position under some rules.

import type { RulesSpec } from '../../wire/api';
import { writeSettings } from '../rules/link';
import { positionLink, type SetUp } from './notation';

/** What is analysed where nothing else is said. */
export const PRESET = 'pineapple';

/** `setUp` null: the empty board. */
export function analysePath({ preset, ...overrides }: RulesSpec, setUp: SetUp | null): string {
  const fragment = [setUp === null ? '' : positionLink(setUp), ...writeSettings(overrides)].join('&');
  return `/analyse/${encodeURIComponent(preset)}${fragment === '' ? '' : `#${fragment}`}`;
}
