import type { Api } from '../wire/api';
import type { Desks } from '../wire/desks';
import type { Connect } from '../wire/link';

/** The outside world as the pages see it; `main.ts` names the real one. */
export interface Services {
  readonly api: Api;
  readonly desks: Desks;
  readonly connect: Connect;
}
