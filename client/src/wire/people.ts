// What the pages ask of the server about people: who one is, how one is known again, a table's password.

import { ask } from './api';

export interface People {
  enter(table: string, password: string): Promise<unknown>;
  choosePassword(table: string, password: string): Promise<unknown>;
}

const at = (table: string): string => `/api/tables/${encodeURIComponent(table)}`;

export const httpPeople: People = {
  enter: (table, password) => ask('POST', `${at(table)}/enter`, { password }),
  choosePassword: (table, password) => ask('PUT', `${at(table)}/password`, { password }),
};
