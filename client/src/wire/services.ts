import type { Api, Desks } from './api';
import type { Connect } from './link';

/** The outside world as the pages see it; `main.ts` names the real one. */
export interface Services {
  readonly api: Api;
  readonly desks: Desks;
  readonly connect: Connect;
}
