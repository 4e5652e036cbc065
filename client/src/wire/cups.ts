// What the pages ask of the server about tournaments; following one goes over the live link, as `cup:<id>`.

import { ask } from './api';
import type { CupLine, CupLink, CupRequest, CupView, NewCup } from './types';

export interface Cups {
  all(): Promise<readonly CupLine[]>;
  announce(cup: NewCup): Promise<CupLink>;
  ask(cup: string, request: CupRequest): Promise<CupView>;
}

export const httpCups: Cups = {
  all: () => ask('GET', '/api/cups'),
  announce: (cup) => ask('POST', '/api/cups', cup),
  ask: (cup, request) => ask('POST', `/api/cups/${encodeURIComponent(cup)}`, request),
};
