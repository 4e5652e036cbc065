// What the room makes of the same deals and tables, where pytest runs these tests (tests/client_logic); `npm test` alone
// has no room and leaves them out.

import { readFileSync } from 'node:fs';
import { env } from 'node:process';
import type { DealLine } from '../src/api/http';
import type { ScoredSession, ScorerSetup, TableView } from '../src/api/generated/types';

export interface Room {
  readonly session: {
    readonly forms: Readonly<Record<string, ScorerSetup>>;
    readonly lines: readonly DealLine[];
    readonly session: ScoredSession;
  };
  readonly table: {
    readonly first: TableView;
    readonly steps: readonly {
      readonly parts: Readonly<Record<string, unknown>>;
      readonly proof: number;
      readonly whole: TableView;
    }[];
  };
}

const file = env['TRIPTYCH_ROOM'];
export const room: Room | null = file === undefined ? null : (JSON.parse(readFileSync(file, 'utf8')) as Room);
