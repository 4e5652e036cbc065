import type { Api, Desks } from './api';
import type { Connect } from './link';
import type { People } from './people';

/** The outside world as the pages see it; `main.ts` names the real one. */
export interface Services {
  readonly api: Api;
  readonly desks: Desks;
  readonly people: People;
  readonly connect: Connect;
}
