// The HTTP side of the server: who I am, the lobby, and what is read on demand.

import type { DealRecord, ErrorBody, LevelLine, LobbyTable, Me, NewTable, PresetLine, TableLink, TableRules, WireError } from './types';

/** What the pages ask of the server; a test or a fixture gives another one. */
export interface Api {
  me(): Promise<Me>;
  rename(name: string): Promise<Me>;
  presets(): Promise<readonly PresetLine[]>;
  tables(): Promise<readonly LobbyTable[]>;
  create(table: NewTable): Promise<TableLink>;
  rules(table: string): Promise<TableRules>;
  deals(table: string): Promise<readonly DealRecord[]>;
  levels(): Promise<readonly LevelLine[]>;
}

/** An answer that says no: a sentence for the person, a code and a path for the program. */
export class ApiError extends Error {
  constructor(readonly error: WireError) {
    super(error.message);
  }
}

export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method, headers: { accept: 'application/json' } };
  if (body !== undefined) {
    init.headers = { ...init.headers, 'content-type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new ApiError({ code: 'offline', message: 'The server does not answer. Try again in a moment.', path: '$' });
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as T;
  const error = (answer as Partial<ErrorBody> | null)?.error;
  throw new ApiError(error ?? { code: `http_${response.status}`, message: 'That did not work. Try again.', path: '$' });
}

export const http: Api = {
  me: () => ask('GET', '/api/me'),
  rename: (name) => ask('PUT', '/api/me', { name }),
  presets: () => ask('GET', '/api/presets'),
  tables: () => ask('GET', '/api/tables'),
  create: (table) => ask('POST', '/api/tables', table),
  rules: (table) => ask('GET', `/api/tables/${encodeURIComponent(table)}/rules`),
  deals: (table) => ask('GET', `/api/tables/${encodeURIComponent(table)}/deals`),
  levels: () => ask('GET', '/api/levels'),
};
