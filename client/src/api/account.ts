// What the pages ask of the server about people: who one is, how one is known again, what came of one's deals, a table's
// password.

import { ask } from './http';
import type {
  Arranged,
  DailyRankings,
  DeviceLinkStatus,
  DeviceLine,
  DeviceOwner,
  DeviceLink,
  SessionDeals,
  Sessions,
  Me,
  SignInMethods,
  MyResults,
  CreatedToken,
  PasskeyOptions,
  Proof,
  TokenItem,
} from './generated/types';

export interface AccountApi {
  enter(table: string, password: string): Promise<unknown>;
  choosePassword(table: string, password: string): Promise<unknown>;
  arranged(table: string, hand: number): Promise<Arranged>;
  keys(): Promise<SignInMethods>;
  keepName(name: string, password: string, proof: Proof): Promise<SignInMethods>;
  passkeyOptions(): Promise<PasskeyOptions>;
  keepPasskey(credential: unknown, proof: Proof): Promise<SignInMethods>;
  dropKey(key: string, proof: Proof): Promise<SignInMethods>;
  signIn(name: string, password: string): Promise<Me>;
  signInOptions(): Promise<PasskeyOptions>;
  signInPasskey(credential: unknown): Promise<Me>;
  signOut(): Promise<Me>;
  forgetMe(): Promise<Me>;
  devices(): Promise<readonly DeviceLine[]>;
  signOutDevice(device: string): Promise<readonly DeviceLine[]>;
  signOutEverywhere(): Promise<Me>;
  deviceLink(): Promise<DeviceLink>;
  deviceFate(): Promise<DeviceLinkStatus>;
  takeDevice(token: string): Promise<Me>;
  deviceOwner(token: string): Promise<DeviceOwner>;
  tokens(): Promise<readonly TokenItem[]>;
  makeToken(label: string, scopes: TokenItem['scopes']): Promise<CreatedToken>;
  dropToken(token: string): Promise<readonly TokenItem[]>;
  results(): Promise<MyResults>;
  sessions(before: string): Promise<Sessions>;
  session(table: string, after: number): Promise<SessionDeals>;
  dailyRankings(day: string): Promise<DailyRankings>;
  shareDaily(day: string, points: number): Promise<DailyRankings>;
  withdrawDaily(): Promise<DailyRankings>;
}

const at = (table: string): string => `/api/tables/${encodeURIComponent(table)}`;

export const httpAccount: AccountApi = {
  enter: (table, password) => ask('POST', `${at(table)}/enter`, { password }),
  choosePassword: (table, password) => ask('PUT', `${at(table)}/password`, { password }),
  arranged: (table, hand) => ask('GET', `${at(table)}/arranged?hand=${hand}`),
  keys: () => ask('GET', '/api/me/keys'),
  keepName: (name, password, proof) => ask('POST', '/api/me/keys', { name, password, proof }),
  passkeyOptions: () => ask('POST', '/api/me/keys/passkey/options'),
  keepPasskey: (credential, proof) => ask('POST', '/api/me/keys/passkey', { credential, proof }),
  dropKey: (key, proof) => ask('DELETE', `/api/me/keys/${encodeURIComponent(key)}`, { proof }),
  signIn: (name, password) => ask('POST', '/api/signin', { name, password }),
  signInOptions: () => ask('POST', '/api/signin/passkey/options'),
  signInPasskey: (credential) => ask('POST', '/api/signin/passkey', { credential }),
  signOut: () => ask('POST', '/api/signout'),
  forgetMe: () => ask('DELETE', '/api/me'),
  devices: () => ask('GET', '/api/me/devices'),
  signOutDevice: (device) => ask('DELETE', `/api/me/devices/${encodeURIComponent(device)}`),
  signOutEverywhere: () => ask('DELETE', '/api/me/devices'),
  deviceLink: () => ask('POST', '/api/me/device'),
  deviceFate: () => ask('GET', '/api/me/device'),
  deviceOwner: (token) => ask('POST', '/api/me/device/owner', { token }),
  takeDevice: (token) => ask('POST', '/api/me/device/take', { token }),
  tokens: () => ask('GET', '/api/me/tokens'),
  makeToken: (label, scopes) => ask('POST', '/api/me/tokens', { label, scopes }),
  dropToken: (token) => ask('DELETE', `/api/me/tokens/${encodeURIComponent(token)}`),
  results: () => ask('GET', '/api/me/results'),
  sessions: (before) => ask('GET', `/api/me/evenings?before=${encodeURIComponent(before)}`),
  session: (table, after) => ask('GET', `/api/me/evenings/${encodeURIComponent(table)}?after=${after}`),
  dailyRankings: (day) => ask('GET', `/api/daily/${day}`),
  shareDaily: (day, points) => ask('PUT', `/api/daily/${day}`, { points }),
  withdrawDaily: () => ask('DELETE', '/api/daily'),
};

/** Files to take along. */
export const RESULTS_FILE = '/api/me/results.csv';
export const DEALS_FILE = '/api/me/deals.zip';
