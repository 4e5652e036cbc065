// What the form for a new table says, as the server is asked for it. Pure.

import type { NewTable, PointPrice, PresetItem } from '../../../api/generated/types';
import type { RulesSpec } from '../../../api/http';
import { pointPrice } from '../../../shared/format';

export type Visibility = 'link' | 'lobby' | 'password';

/** The rules that the form starts from. */
export interface Game {
  readonly spec: RulesSpec;
  readonly seats: number;
  readonly low: number;
  /** 0: nobody buys in. */
  readonly high: number;
  /** Null: points are only points. */
  readonly price: PointPrice | null;
}

const PLAIN: PointPrice = { point: 1, unit: 'point' };

/** A preset, with options of one's own laid over it. */
export function gameOf(preset: PresetItem, overrides: Readonly<Record<string, unknown>>): Game {
  const number = (key: string, otherwise: number): number => {
    const value = overrides[key];
    return typeof value === 'number' ? value : otherwise;
  };
  const unit = overrides['stake.unit'];
  return {
    spec: { ...overrides, preset: preset.preset },
    seats: number('seats.max', preset.seats_max),
    low: number('seats.buy_in_min', preset.buy_in_min),
    high: overrides['settlement.credit'] === true ? 0 : number('seats.buy_in_max', preset.buy_in_max),
    price: pointPrice(number('stake.point', PLAIN.point), typeof unit === 'string' ? unit : PLAIN.unit),
  };
}

/** The price at the table that would be created. */
export function priceIn(form: CreateForm, game: Game): PointPrice | null {
  const { point, unit } = game.price ?? PLAIN;
  return pointPrice(form.point ?? point, form.unit.trim() || unit);
}

/** Whether a typed price names nothing that it is counted in. */
export const lacksUnit = (form: CreateForm, game: Game): boolean =>
  form.point !== null && priceIn(form, game)?.unit === PLAIN.unit;

export interface CreateForm {
  readonly sits: boolean;
  /** How many bots sit down at once; the other seats wait for people. */
  readonly bots: number;
  readonly level: string;
  readonly visibility: Visibility;
  readonly password: string;
  /** Null: as the game has it. */
  readonly seats: number | null;
  readonly buyIn: number | null;
  readonly point: number | null;
  readonly unit: string;
  readonly low: number | null;
  readonly high: number | null;
  readonly clock: number | null;
  readonly bank: number | null;
  readonly name: string;
  readonly botsAllowed: boolean;
  readonly startsItself: boolean;
  readonly arranging: boolean;
  readonly hints: boolean;
}

export const EMPTY_FORM: CreateForm = {
  sits: true,
  bots: 0,
  level: 'medium',
  visibility: 'link',
  password: '',
  seats: null,
  buyIn: null,
  point: null,
  unit: '',
  low: null,
  high: null,
  clock: null,
  bank: null,
  name: '',
  botsAllowed: true,
  startsItself: false,
  arranging: false,
  hints: false,
};

/** The seats of the table that would be created. */
export const seatsOf = (form: CreateForm, game: Game): number => Math.min(form.seats ?? game.seats, game.seats);

/** How many bots there can be. */
export const mostBots = (form: CreateForm, game: Game): number => seatsOf(form, game) - Number(form.sits);

/** How many seats wait for people. */
export const freeSeats = (form: CreateForm, game: Game): number => mostBots(form, game) - botsOf(form, game);

export const botsOf = (form: CreateForm, game: Game): number =>
  form.botsAllowed ? Math.min(form.bots, mostBots(form, game)) : 0;

export function newTable(form: CreateForm, game: Game, proposedName: string): NewTable {
  const rules: Record<string, unknown> = { ...game.spec };
  const set = (key: string, value: unknown): void => {
    if (value !== null && value !== '') rules[key] = value;
  };
  if (seatsOf(form, game) !== game.seats) set('seats.max', seatsOf(form, game));
  set('seats.buy_in_min', form.low);
  set('seats.buy_in_max', form.high);
  set('clock.seconds', form.clock);
  set('clock.bank', form.bank);
  set('stake.point', form.point);
  set('stake.unit', form.unit.trim());
  return {
    name: form.name.trim() || proposedName.slice(0, 40),
    rules: rules as RulesSpec,
    bots_allowed: form.botsAllowed,
    private: form.visibility !== 'lobby',
    password: form.visibility === 'password' ? form.password : '',
    arranging: form.arranging,
    hints: form.hints,
    start: form.startsItself ? 'full' : 'host',
    sit: form.sits,
    bots: Array.from({ length: botsOf(form, game) }, () => form.level),
    ...(form.buyIn === null || !form.sits ? {} : { buy_in: form.buyIn }),
  };
}
