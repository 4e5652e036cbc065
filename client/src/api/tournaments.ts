// What the pages ask of the server about tournaments; following one goes over the live link, as `cup:<id>`.

import { ask } from './http';
import type {
  TournamentItem,
  TournamentLink,
  TournamentRequest,
  TournamentView,
  NewTournament,
} from './generated/types';

export interface TournamentsApi {
  all(): Promise<readonly TournamentItem[]>;
  announce(cup: NewTournament): Promise<TournamentLink>;
  ask(cup: string, request: TournamentRequest): Promise<TournamentView>;
}

export const httpTournaments: TournamentsApi = {
  all: () => ask('GET', '/api/cups'),
  announce: (cup) => ask('POST', '/api/cups', cup),
  ask: (cup, request) => ask('POST', `/api/cups/${encodeURIComponent(cup)}`, request),
};
