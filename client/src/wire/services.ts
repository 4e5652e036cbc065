import type { Api, Desks } from './api';
import type { Cups } from './cups';
import type { Connect } from './link';
import type { People } from './people';

/** The outside world as the pages see it; `main.ts` names the real one. */
export interface Services {
  readonly api: Api;
  readonly desks: Desks;
  readonly people: People;
  readonly cups: Cups;
  readonly connect: Connect;
}
