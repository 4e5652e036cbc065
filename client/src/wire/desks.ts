// The desks beside the tables: the house rules editor, the live scorer, the replay.

import { ask } from './api';
import type { EditedRules, Evening, OptionInfo, Replay, ScoreForm, ScoreSheet } from './types';

/** Overrides on `preset` by dotted key. */
export type RulesSpec = { readonly preset: string; readonly [key: string]: unknown };

/** A deal of the scoring contract: what `triptych score` reads on a line. */
export type DealLine = Readonly<Record<string, unknown>>;

/** What the pages beside the tables ask of the server. */
export interface Desks {
  options(): Promise<readonly OptionInfo[]>;
  editRules(spec: RulesSpec): Promise<EditedRules>;
  readRules(toml: string): Promise<EditedRules>;
  scoreForm(rules: RulesSpec): Promise<ScoreForm>;
  scoreDeal(deal: DealLine, number: number): Promise<ScoreSheet>;
  scoreEvening(deals: readonly DealLine[]): Promise<Evening>;
  replay(table: string, deal: number): Promise<Replay>;
  replayText(text: string): Promise<Replay>;
}

export const httpDesks: Desks = {
  options: () => ask('GET', '/api/rules/options'),
  editRules: (spec) => ask('POST', '/api/rules/edit', { spec }),
  readRules: (toml) => ask('POST', '/api/rules/read', { toml }),
  scoreForm: (rules) => ask('POST', '/api/score/form', { rules }),
  scoreDeal: (deal, number) => ask('POST', '/api/score/deal', { deal, number }),
  scoreEvening: (deals) => ask('POST', '/api/score/evening', { deals }),
  replay: (table, deal) => ask('GET', `/api/tables/${encodeURIComponent(table)}/deals/${deal}/replay`),
  replayText: (text) => ask('POST', '/api/history/replay', { text }),
};

/** A finished deal as a text file, for `triptych history` and for this page. */
export const historyFile = (table: string, deal: number): string =>
  `/api/tables/${encodeURIComponent(table)}/deals/${deal}/history`;
