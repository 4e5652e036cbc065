// What the room makes of the same deals and tables, where pytest runs these tests (tests/client_logic); `npm test` alone
// has no room and leaves them out.

import { readFileSync } from 'node:fs';
import { env } from 'node:process';
import type { DealLine } from '../src/api/http';
import type { Paths } from '../src/api/patch';
import type { ScoredSession, ScorerSetup, TableView, ViewPatch } from '../src/api/generated/types';

export interface Room {
  readonly session: {
    readonly forms: Readonly<Record<string, ScorerSetup>>;
    readonly lines: readonly DealLine[];
    readonly session: ScoredSession;
  };
  readonly table: {
    readonly first: TableView;
    readonly paths: Paths;
    readonly steps: readonly {
      readonly message: ViewPatch;
      readonly whole: TableView;
    }[];
  };
}

const file = env['TRIPTYCH_ROOM'];
export const room: Room | null = file === undefined ? null : (JSON.parse(readFileSync(file, 'utf8')) as Room);
