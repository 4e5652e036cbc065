import type { Api } from './api';
import type { Desks } from './desks';
import type { Connect } from './link';

/** The outside world as the pages see it; `main.ts` names the real one. */
export interface Services {
  readonly api: Api;
  readonly desks: Desks;
  readonly connect: Connect;
}
