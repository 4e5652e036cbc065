import type { Api, ToolsApi } from './http';
import type { TournamentsApi } from './tournaments';
import type { Connect } from './connection';
import type { AccountApi } from './account';

/** The outside world as the pages see it; `main.ts` names the real one. */
export interface Services {
  readonly api: Api;
  readonly tools: ToolsApi;
  readonly people: AccountApi;
  readonly cups: TournamentsApi;
  readonly connect: Connect;
}
