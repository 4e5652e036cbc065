import type { Api, Desks } from './http';
import type { Cups } from './tournaments';
import type { Connect } from './connection';
import type { People } from './account';

/** The outside world as the pages see it; `main.ts` names the real one. */
export interface Services {
  readonly api: Api;
  readonly desks: Desks;
  readonly people: People;
  readonly cups: Cups;
  readonly connect: Connect;
}
