// Rules as the server's editor answers: a few options, and whatever is set stands.

import type { ToolsApi } from '../src/api/http';
import type { EditedRules, OptionInfo, WireError } from '../src/api/generated/types';
import { ApiError } from '../src/api/http';

export const option = (key: string, more: Partial<OptionInfo> = {}): OptionInfo => ({
  key,
  words: key.split('.').map((part) => part.replaceAll('_', ' ')),
  kind: 'number',
  expects: '',
  about: `About ${key}.`,
  choices: [],
  low: 0,
  high: 1000,
  whole: true,
  above: false,
  resets: [],
  ...more,
});

const choices = (...values: readonly (readonly [string | number, string])[]): OptionInfo['choices'] =>
  values.map(([value, about]) => ({ value, about }));

export const OPTIONS: readonly OptionInfo[] = [
  option('title', { kind: 'text' }),
  option('scoring.rows', {
    kind: 'choice',
    low: null,
    high: null,
    choices: choices(['per_row', 'A point a row.'], ['custom', 'Points of your own.']),
    resets: ['scoring.points'],
  }),
  option('scoring.points', { kind: 'rows', low: null, high: null }),
  option('scoring.bonus'),
  option('foul.points', { kind: 'choice', choices: choices(['scoop', 'As a scoop.']) }),
  option('royalties.table.back.quads'),
  option('royalties.table.back.flush'),
  option('fantasyland.kind', {
    kind: 'choice',
    low: null,
    high: null,
    choices: choices(['unlimited', 'From queens on.'], ['custom', 'As below.']),
    resets: ['fantasyland.entry', 'fantasyland.repeat'],
  }),
  option('fantasyland.entry', { kind: 'conditions', low: null, high: null }),
  option('fantasyland.entry.row', {
    kind: 'choice',
    low: null,
    high: null,
    choices: choices(['front', 'Front.'], ['middle', 'Middle.'], ['back', 'Back.']),
  }),
  option('fantasyland.entry.least', {
    kind: 'text',
    low: null,
    high: null,
    choices: choices(['full_house', 'A full house.']),
  }),
  option('fantasyland.entry.royalties'),
  option('fantasyland.entry.cards', { low: 13, high: 17 }),
  option('naturals.also', {
    kind: 'list',
    low: null,
    high: null,
    choices: choices(['dragon', 'A dragon.'], ['six_pairs', 'Six pairs.']),
  }),
  option('match.length', {
    kind: 'choice',
    low: null,
    high: null,
    choices: choices(['deal', 'One deal.'], ['deals:N', 'N deals.']),
  }),
  option('stake.point', { low: 0, high: 1_000_000, whole: false, above: true }),
  option('clock.seconds', { low: 1, high: 86_400 }),
  option('seats.max', { low: 2, high: 4 }),
];

export const VALUES: Readonly<Record<string, unknown>> = {
  title: 'Pineapple',
  'scoring.rows': 'per_row',
  'scoring.points': [1, 1, 1],
  'scoring.bonus': 3,
  'foul.points': 'scoop',
  'royalties.table.back.quads': 10,
  'royalties.table.back.flush': 4,
  'fantasyland.kind': 'unlimited',
  'fantasyland.entry': [{ row: 'front', least: 'QQ', cards: 14 }],
  'naturals.also': ['dragon'],
  'match.length': 'deal',
  'stake.point': 1,
  'clock.seconds': 30,
  'seats.max': 3,
};

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The editor's desk: `refuse` and `problems` say what it finds wrong with overrides. */
export class RulesDesk {
  readonly asked: Record<string, unknown>[] = [];
  refuse: (spec: Record<string, unknown>) => WireError | null = () => null;
  problems: (spec: Record<string, unknown>) => EditedRules['problems'] = () => [];

  readonly tools = {
    options: () => Promise.resolve(OPTIONS),
    editRules: (spec: Record<string, unknown>) => this.edited(spec),
  } as unknown as ToolsApi;

  private edited(spec: Record<string, unknown>): Promise<EditedRules> {
    this.asked.push(spec);
    const wrong = this.refuse(spec);
    if (wrong !== null) return Promise.reject(new ApiError(wrong));
    const values = { ...VALUES, ...spec };
    const changed = Object.keys(VALUES).filter((key) => !same(values[key], VALUES[key]));
    return Promise.resolve({
      preset: String(spec['preset']),
      preset_title: 'Pineapple',
      title: String(values['title']),
      overrides: Object.fromEntries(changed.map((key) => [key, values[key]])),
      values,
      sections: [],
      problems: this.problems(spec),
      toml: '',
      changes: changed.map((key) => ({ key, now: values[key], before: VALUES[key] })),
    } as unknown as EditedRules);
  }
}
