// Deals as lines of the scoring contract, the form that `triptych score` and `triptych session` read; and back.

import { m } from '../../../shared/i18n.svelte';
import type { DealLine, RulesSpec } from '../../../api/http';
import type { RowName } from '../../../api/generated/types';
import { ROWS } from '../../../cards/cards';
import { emptyHand, readCards, type DraftHand } from './hand';

type Json = Readonly<Record<string, unknown>>;

/** The rules that a session begins with. */
export const FIRST_PRESET = 'closed_1_6';

export type Stakes = Readonly<Record<string, number>>;

function player(hand: DraftHand, declare: boolean): Json {
  if (hand.mode === 'surrender') return { surrender: true };
  if (hand.mode === 'natural') return { natural: hand.natural.join('') };
  const rows = Object.fromEntries(ROWS.map((row) => [row, hand.rows[row].join('')]));
  const fantasyland = hand.fantasyland > 0 ? { fantasyland: { cards: hand.fantasyland, in_row: hand.inRow } } : {};
  return { ...rows, ...fantasyland, ...(declare ? { declared: hand.declared } : {}) };
}

/** A finished deal as its line; `stakes` only where a pair's differs from 1. */
export function dealLine(rules: RulesSpec, hands: readonly DraftHand[], stakes: Stakes, declare: boolean): DealLine {
  const owners = [...new Set(hands.map((hand) => hand.owner))];
  const pairs = owners.flatMap((a, i) => owners.slice(i + 1).map((b) => `${a}-${b}`));
  const agreed = Object.fromEntries(
    pairs.flatMap((pair) => (stakes[pair] === undefined || stakes[pair] === 1 ? [] : [[pair, stakes[pair]]])),
  );
  return {
    rules,
    players: Object.fromEntries(hands.map((hand) => [hand.name, player(hand, declare)])),
    ...(hands.some((hand) => hand.owner !== hand.name)
      ? { owners: Object.fromEntries(hands.map((hand) => [hand.name, hand.owner])) }
      : {}),
    ...(Object.keys(agreed).length > 0 ? { stakes: agreed } : {}),
    order: hands.map((hand) => hand.name),
  };
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
const asTable = (value: unknown): Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Json) : {};

function cards(value: unknown): string[] {
  try {
    return readCards(asText(value));
  } catch {
    return [];
  }
}

/** The hands of a line, to be changed again; what cannot be read is left empty. */
export function handsOf(line: DealLine): DraftHand[] {
  const players = asTable(line['players']);
  const owners = asTable(line['owners']);
  const order = Array.isArray(line['order']) ? line['order'].map(String) : Object.keys(players);
  return order.map((name): DraftHand => {
    const from = asTable(players[name]);
    const fantasyland = asTable(from['fantasyland']);
    return {
      ...emptyHand(name, asText(owners[name]) || name),
      mode: from['surrender'] === true ? 'surrender' : 'natural' in from ? 'natural' : 'board',
      natural: cards(from['natural']),
      rows: { front: cards(from['front']), middle: cards(from['middle']), back: cards(from['back']) },
      fantasyland: typeof fantasyland['cards'] === 'number' ? fantasyland['cards'] : 0,
      inRow: typeof fantasyland['in_row'] === 'number' ? fantasyland['in_row'] : 1,
      declared: Array.isArray(from['declared'])
        ? ROWS.filter((row) => (from['declared'] as unknown[]).includes(row))
        : ([] as RowName[]),
    };
  });
}

export function rulesOf(line: DealLine): RulesSpec {
  const { rules } = line;
  if (typeof rules === 'string') return { preset: rules };
  const table = asTable(rules);
  return { ...table, preset: asText(table['preset']) || asText(table['extends']) || 'pineapple' };
}

export function stakesOf(line: DealLine): Stakes {
  const stakes = asTable(line['stakes']);
  return Object.fromEntries(
    Object.entries(stakes).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number' && entry[0] !== 'default',
    ),
  );
}

/** JSON Lines, one deal a line. Throws with the line's number. */
export function readLines(text: string): DealLine[] {
  return text
    .split('\n')
    .map((line, at): DealLine | null => {
      if (line.trim() === '') return null;
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch {
        throw new Error(m.scorer_error_json({ x: at + 1 }));
      }
      if (Object.keys(asTable(value)).length === 0) throw new Error(m.scorer_error_deal({ x: at + 1 }));
      // Numbered anew when they are written again.
      return Object.fromEntries(Object.entries(asTable(value)).filter(([key]) => key !== 'id'));
    })
    .filter((line) => line !== null);
}

export const writeLines = (deals: readonly DealLine[]): string =>
  deals.map((deal, at) => `${JSON.stringify({ id: `${at + 1}`, ...deal })}\n`).join('');
