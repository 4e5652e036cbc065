// The desks beside the tables: the house rules editor.

import { ask } from './api';
import type { EditedRules, OptionInfo } from './types';

/** A preset's name, or overrides on `preset` by dotted key. */
export type RulesSpec = string | { readonly preset: string; readonly [key: string]: unknown };

/** What the pages beside the tables ask of the server. */
export interface Desks {
  options(): Promise<readonly OptionInfo[]>;
  editRules(spec: RulesSpec): Promise<EditedRules>;
  readRules(toml: string): Promise<EditedRules>;
}

export const httpDesks: Desks = {
  options: () => ask('GET', '/api/rules/options'),
  editRules: (spec) => ask('POST', '/api/rules/edit', { spec }),
  readRules: (toml) => ask('POST', '/api/rules/read', { toml }),
};
