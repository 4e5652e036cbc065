// The HTTP side of the server: the guest, the lobby, what is read on demand, and the tools (the house
// rules editor, the live scorer, the replay).

import { language, m } from '../shared/i18n.svelte';
import type {
  AnalysisSetup,
  BoardReach,
  DealRecord,
  EditedRules,
  ErrorBody,
  ScoredSession,
  Guide,
  LevelItem,
  LobbyTable,
  Me,
  NewTable,
  OptionInfo,
  PresetItem,
  Proofs,
  PuzzleCollection,
  Replay,
  ReviewSetup,
  SavedReview,
  ScorerSetup,
  ScoreSheet,
  StrategyInfo,
  TableLink,
  TableLinkCode,
  ViewerItem,
  TableRules,
  WireError,
} from './generated/types';

/** What the pages ask of the server; a test or a fixture gives another one. */
export interface Api {
  me(): Promise<Me>;
  rename(name: string): Promise<Me>;
  viewers(table: string): Promise<readonly ViewerItem[]>;
  presets(): Promise<readonly PresetItem[]>;
  tables(): Promise<readonly LobbyTable[]>;
  create(table: NewTable): Promise<TableLink>;
  rules(table: string): Promise<TableRules>;
  /** The address of a table's page as a QR code. */
  linkCode(table: string): Promise<TableLinkCode>;
  deals(table: string): Promise<readonly DealRecord[]>;
  levels(): Promise<readonly LevelItem[]>;
  strategy(table: string): Promise<StrategyInfo>;
  /** A table against a bot, at which this guest sits. */
  play(): Promise<TableLink>;
  /** What the guide says to a hand of one's own. */
  guide(table: string, hand: number): Promise<Guide>;
  /** How the deck on the table came about, with proofs of the cards that are shown. */
  proofs(table: string): Promise<Proofs>;
  /** The review of a deal that one's account keeps; its text is empty without one. */
  savedReview(table: string, deal: number): Promise<SavedReview>;
  saveReview(table: string, deal: number, text: string): Promise<SavedReview>;
  /** The royalties that a board of one's own can still make. */
  reach(table: string, hand: number): Promise<BoardReach>;
}

/** Overrides on `preset` by dotted key. */
export type RulesSpec = { readonly preset: string; readonly [key: string]: unknown };

/** A deal of the scoring contract: what `triptych score` reads on a line. */
export type DealLine = Readonly<Record<string, unknown>>;

/** What the pages beside the tables ask of the server. */
export interface ToolsApi {
  options(): Promise<readonly OptionInfo[]>;
  editRules(spec: RulesSpec): Promise<EditedRules>;
  readRules(toml: string): Promise<EditedRules>;
  /** `play`: also what whole deals are played by. */
  analysisForm(rules: RulesSpec, play?: boolean): Promise<AnalysisSetup>;
  scoreForm(rules: RulesSpec): Promise<ScorerSetup>;
  scoreDeal(deal: DealLine, number: number): Promise<ScoreSheet>;
  scoreSession(deals: readonly DealLine[]): Promise<ScoredSession>;
  replay(table: string, deal: number): Promise<Replay>;
  replayText(text: string): Promise<Replay>;
  puzzles(): Promise<readonly PuzzleCollection[]>;
  /** A collection's file, one puzzle a line. */
  puzzleFile(address: string): Promise<string>;
  /** What a finished deal is reviewed with, as far as this guest knew its cards. */
  review(table: string, deal: number): Promise<ReviewSetup>;
  reviewText(text: string): Promise<ReviewSetup>;
}

/** An answer that says no: a sentence for the person, a code and a path for the program. */
export class ApiError extends Error {
  constructor(readonly error: WireError) {
    super(error.message);
  }
}

export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method, headers: { accept: 'application/json', 'accept-language': language.tag } };
  if (body !== undefined) {
    init.headers = { ...init.headers, 'content-type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new ApiError({ code: 'offline', message: m.common_server_unreachable(), path: '$' });
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as T;
  const error = (answer as Partial<ErrorBody> | null)?.error;
  throw new ApiError(error ?? { code: `http_${response.status}`, message: m.common_failed(), path: '$' });
}

async function askText(path: string): Promise<string> {
  const response = await fetch(path).catch(() => null);
  if (response?.ok === true) return response.text();
  throw new ApiError({
    code: response === null ? 'offline' : `http_${response.status}`,
    message: response === null ? m.common_server_unreachable() : m.common_failed(),
    path: '$',
  });
}

const savedReviewAt = (table: string, deal: number): string =>
  `/api/tables/${encodeURIComponent(table)}/deals/${deal}/saved-review`;

export const http: Api = {
  me: () => ask('GET', '/api/me'),
  viewers: (table) => ask('GET', `/api/tables/${encodeURIComponent(table)}/viewers`),
  rename: (name) => ask('PUT', '/api/me', { name }),
  presets: () => ask('GET', '/api/presets'),
  tables: () => ask('GET', '/api/tables'),
  create: (table) => ask('POST', '/api/tables', table),
  rules: (table) => ask('GET', `/api/tables/${encodeURIComponent(table)}/rules`),
  linkCode: (table) => ask('GET', `/api/tables/${encodeURIComponent(table)}/link`),
  deals: (table) => ask('GET', `/api/tables/${encodeURIComponent(table)}/deals`),
  levels: () => ask('GET', '/api/levels'),
  strategy: (table) => ask('GET', `/api/tables/${table}/strategy`),
  play: () => ask('POST', '/api/play'),
  guide: (table, hand) => ask('GET', `/api/tables/${encodeURIComponent(table)}/guide?hand=${hand}`),
  proofs: (table) => ask('GET', `/api/tables/${encodeURIComponent(table)}/proofs`),
  reach: (table, hand) => ask('GET', `/api/tables/${encodeURIComponent(table)}/reach?hand=${hand}`),
  savedReview: (table, deal) => ask('GET', savedReviewAt(table, deal)),
  saveReview: (table, deal, text) => ask('PUT', savedReviewAt(table, deal), { text }),
};

export const httpTools: ToolsApi = {
  options: () => ask('GET', '/api/rules/options'),
  editRules: (spec) => ask('POST', '/api/rules/edit', { spec }),
  readRules: (toml) => ask('POST', '/api/rules/read', { toml }),
  analysisForm: (rules, play = false) => ask('POST', '/api/analysis', { rules, play }),
  scoreForm: (rules) => ask('POST', '/api/score/form', { rules }),
  scoreDeal: (deal, number) => ask('POST', '/api/score/deal', { deal, number }),
  scoreSession: (deals) => ask('POST', '/api/score/evening', { deals }),
  replay: (table, deal) => ask('GET', `/api/tables/${encodeURIComponent(table)}/deals/${deal}/replay`),
  replayText: (text) => ask('POST', '/api/history/replay', { text }),
  puzzles: () => ask('GET', '/api/puzzles'),
  puzzleFile: (address) => askText(address),
  review: (table, deal) => ask('GET', `/api/tables/${encodeURIComponent(table)}/deals/${deal}/review`),
  reviewText: (text) => ask('POST', '/api/history/review', { text }),
};

/** A finished deal as a text file, for `triptych history` and for this page. */
export const historyFile = (table: string, deal: number): string =>
  `/api/tables/${encodeURIComponent(table)}/deals/${deal}/history`;
