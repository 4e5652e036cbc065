import { describe, expect, test } from 'vitest';
import type { PresetItem } from '../../../api/generated/types';
import {
  EMPTY_FORM,
  botsOf,
  freeSeats,
  gameOf,
  lacksUnit,
  mostBots,
  newTable,
  priceIn,
  seatsOf,
  type CreateForm,
  type Game,
} from './createTable';

const PRESET: PresetItem = {
  preset: 'pineapple',
  title: 'Pineapple',
  game: 'pineapple',
  summary: '',
  seats_min: 2,
  seats_max: 4,
  buy_in_min: 50,
  buy_in_max: 200,
  playable: true,
};
const GAME: Game = gameOf(PRESET, {});
const form = (more: Partial<CreateForm>): CreateForm => ({ ...EMPTY_FORM, ...more });
const tableOf = (more: Partial<CreateForm>, game = GAME) => newTable(form(more), game, 'Ann’s table');

describe('a new table', () => {
  test('as the form opens: who creates it sits, only people with the link find it, all other seats are free', () => {
    expect(tableOf({})).toEqual({
      name: 'Ann’s table',
      rules: { preset: 'pineapple' },
      bots_allowed: true,
      private: true,
      password: '',
      arranging: false,
      hints: false,
      start: 'host',
      sit: true,
      bots: [],
    });
    expect(freeSeats(EMPTY_FORM, GAME)).toBe(3);
  });

  test('bots fill seats of their own, no more than there are', () => {
    expect(tableOf({ bots: 9, level: 'strong' }).bots).toEqual(['strong', 'strong', 'strong']);
    expect(tableOf({ bots: 2 }).bots).toEqual(['medium', 'medium']);
    expect(freeSeats(form({ bots: 2 }), GAME)).toBe(1);
    expect(mostBots(form({ sits: false }), GAME)).toBe(4);
    expect(botsOf(form({ bots: 3, botsAllowed: false }), GAME)).toBe(0);
  });

  test('fewer seats are a rule of the table, as many as the game has are none', () => {
    expect(tableOf({ seats: 3 }).rules).toEqual({ preset: 'pineapple', 'seats.max': 3 });
    expect(tableOf({ seats: 4 }).rules).toEqual({ preset: 'pineapple' });
    expect(seatsOf(form({ seats: 4 }), { ...GAME, seats: 2 })).toBe(2);
  });

  test('who finds it', () => {
    expect(tableOf({ visibility: 'lobby', password: 'secret' })).toMatchObject({ private: false, password: '' });
    expect(tableOf({ visibility: 'password', password: 'secret' })).toMatchObject({
      private: true,
      password: 'secret',
    });
  });

  test('price, buy-in and clock are laid over the rules; what is empty stays as the game has it', () => {
    const own = { ...GAME, spec: { preset: 'pineapple', 'scoring.rows': 'two_four' } };
    expect(
      tableOf({ point: 0.25, unit: ' EUR ', buyIn: 100, low: 10, high: 100, clock: 30, bank: 60 }, own),
    ).toMatchObject({
      rules: {
        preset: 'pineapple',
        'scoring.rows': 'two_four',
        'seats.buy_in_min': 10,
        'seats.buy_in_max': 100,
        'clock.seconds': 30,
        'clock.bank': 60,
        'stake.point': 0.25,
        'stake.unit': 'EUR',
      },
      buy_in: 100,
    });
    expect(tableOf({ buyIn: 100, sits: false })).not.toHaveProperty('buy_in');
    expect(own.spec).toEqual({ preset: 'pineapple', 'scoring.rows': 'two_four' });
  });

  test('rules of one’s own bring their seats, buy-in and price; points on the book are not bought', () => {
    const own = gameOf(PRESET, { 'seats.max': 3, 'seats.buy_in_max': 40, 'stake.point': 0.25, 'stake.unit': 'EUR' });
    expect(own).toEqual({
      spec: { preset: 'pineapple', 'seats.max': 3, 'seats.buy_in_max': 40, 'stake.point': 0.25, 'stake.unit': 'EUR' },
      seats: 3,
      low: 50,
      high: 40,
      price: { point: 0.25, unit: 'EUR' },
    });
    expect(gameOf(PRESET, { 'settlement.credit': true }).high).toBe(0);
    expect(GAME.price).toBeNull();
    expect(priceIn(EMPTY_FORM, own)).toEqual({ point: 0.25, unit: 'EUR' });
    expect(priceIn(form({ point: 0.5 }), own)).toEqual({ point: 0.5, unit: 'EUR' });
    expect(priceIn(EMPTY_FORM, GAME)).toBeNull();
    expect(newTable(EMPTY_FORM, own, '').rules).toEqual(own.spec);
  });

  test('a price needs a currency, from the form or from the rules', () => {
    expect(lacksUnit(form({ point: 0.5 }), GAME)).toBe(true);
    expect(lacksUnit(form({ point: 0.5, unit: 'EUR' }), GAME)).toBe(false);
    expect(lacksUnit(form({ point: 0.5 }), gameOf(PRESET, { 'stake.unit': 'EUR' }))).toBe(false);
    expect(lacksUnit(form({ point: 1 }), GAME)).toBe(false);
    // Rules may count in points at another worth: nothing is asked while the form is left alone.
    expect(lacksUnit(EMPTY_FORM, gameOf(PRESET, { 'stake.point': 2 }))).toBe(false);
  });

  test('a name of its own, and no name is longer than a table’s', () => {
    expect(tableOf({ name: ' Friday ' }).name).toBe('Friday');
    expect(newTable(EMPTY_FORM, GAME, 'x'.repeat(50)).name).toHaveLength(40);
  });
});
