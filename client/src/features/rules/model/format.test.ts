import { describe, expect, test } from 'vitest';
import { option, OPTIONS } from '../../../../testing/rules';
import { handName, toFormValue, fromFormValue, type Condition } from './conditions';
import { readFragment, rulesPath, writeSettings } from './link';
import {
  bounds,
  grouped,
  partLabels,
  registerOptions,
  matchesSearch,
  optionAt,
  optionName,
  optionsOf,
  pattern,
  valueText,
  locatedMessage,
  labelFor,
} from './format';

describe('rules as an address', () => {
  test('text stands bare, the rest as JSON, and all is read again', () => {
    const overrides = {
      'scoring.rows': 'two_four',
      'seats.max': 2,
      'clock.kind': 'none',
      title: '3',
      list: [1, 2],
      ends: true,
      name: 'Sunday & more=1',
    };
    const path = rulesPath('pine apple', overrides);
    expect(path).toContain('/rules/pine%20apple#scoring.rows=two_four&seats.max=2');
    expect(readFragment(path.slice(path.indexOf('#')))).toEqual(overrides);
    expect(rulesPath('turbo', {})).toBe('/rules/turbo');
    expect(writeSettings({ title: '3' })).toEqual(['title=%223%22']);
  });

  test('what is not a setting is left out', () => {
    expect(readFragment('#a&=3&b=%E0%A4%A&c=1')).toEqual({ c: 1 });
  });
});

describe('options', () => {
  test('are laid out by their headings: tables as tiles, entries of lists with their list, the file’s own last', () => {
    const groups = grouped(OPTIONS);
    expect(groups.map(({ id }) => id)).toEqual([
      'scoring',
      'foul',
      'royalties',
      'fantasyland',
      'naturals',
      'match',
      'stake',
      'clock',
      'seats',
      '',
    ]);
    const [tiles] = groups.find(({ id }) => id === 'royalties')?.items ?? [];
    expect(tiles).toMatchObject({ kind: 'tiles', key: 'royalties.table.back' });
    expect(tiles && optionsOf(tiles).map(({ key }) => key)).toEqual([
      'royalties.table.back.quads',
      'royalties.table.back.flush',
    ]);
    const [, entry] = groups.find(({ id }) => id === 'fantasyland')?.items ?? [];
    expect(entry?.kind === 'option' && entry.parts.map(({ key }) => key)).toEqual([
      'fantasyland.entry.row',
      'fantasyland.entry.least',
      'fantasyland.entry.royalties',
      'fantasyland.entry.cards',
    ]);
  });

  test('are found by every word of a search, also in what their choices say', () => {
    const items = grouped(OPTIONS).flatMap((group) => group.items);
    const matches = (query: string): string[] =>
      items
        .filter((item) => matchesSearch(item, query))
        .map((item) => (item.kind === 'tiles' ? item.key : item.option.key));
    expect(matches('quads')).toEqual(['royalties.table.back']);
    expect(matches('full HOUSE')).toEqual(['fantasyland.entry']);
    expect(matches('dragon six')).toEqual(['naturals.also']);
    expect(matches('dragon clock')).toEqual([]);
    expect(matches('')).toHaveLength(items.length);
  });

  test('are called as the server says', () => {
    expect(labelFor('pays_nothing_yet')).toBe('Pays nothing yet');
    registerOptions([option('foul.pays_royalties', { words: ['Foul', 'Pays royalties'] })]);
    expect(optionName('foul.pays_royalties')).toBe('Pays royalties');
    expect(optionName('royalties.table.back')).toBe('Table, back');
  });

  test('a path names the option that it is about, the longest that fits', () => {
    expect(optionAt(OPTIONS, '$.rules.fantasyland.entry[2].cards')).toBe('fantasyland.entry.cards');
    expect(optionAt(OPTIONS, '$.fantasyland.entry[0].all[1].row')).toBe('fantasyland.entry');
    expect(optionAt(OPTIONS, '$.seats.max')).toBe('seats.max');
    expect(optionAt(OPTIONS, '$.seats')).toBeNull();
    expect(locatedMessage('$.rules.seats.max', 'too many')).toBe('seats.max: too many');
    expect(locatedMessage('$', 'nothing')).toBe('nothing');
  });

  test('a number field takes what the option allows', () => {
    expect(bounds(option('seats.max', { low: 2, high: 4 }))).toEqual({ low: 2, high: 4, step: 1, above: false });
    expect(bounds(option('stake.point', { low: 0, high: 9, whole: false, above: true }))).toEqual({
      low: 0,
      high: 9,
      step: 'any',
      above: true,
    });
  });
});

describe('values as a person reads them', () => {
  const choice = option('match.length', {
    kind: 'choice',
    choices: [
      { value: 'deal', about: 'One deal.' },
      { value: 'deals:N', about: 'N deals.' },
    ],
  });

  test.each([
    [choice, 'deal', 'One deal'],
    [choice, 'deals:12', '12 deals'],
    [choice, 'other', 'other'],
    [undefined, true, 'Yes'],
    [undefined, false, 'No'],
    [undefined, 7, '7'],
    [option('x', { kind: 'rows' }), [1, 2, 3], 'Front 1, Middle 2, Back 3'],
    [option('x', { kind: 'ranks' }), [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9], '6 1, A 9'],
    [option('x', { kind: 'ranks' }), Array.from({ length: 13 }, () => 0), 'None'],
    [option('x', { kind: 'list' }), [], 'None'],
    [option('x', { kind: 'list' }), ['six_pairs', 'dragon'], 'six pairs, dragon'],
    [option('x', { kind: 'conditions' }), [{ row: 'front', least: 'KK', cards: 14 }], 'front KK 14'],
  ])('%#', (of, value, text) => {
    expect(valueText(of, value).toLowerCase()).toBe(text.toLowerCase());
  });

  test('labels stand for ranks and rows alone; a number of one’s own has its pattern', () => {
    expect(partLabels('rows')).toEqual(['Front', 'Middle', 'Back']);
    expect(partLabels('ranks')).toHaveLength(13);
    expect(partLabels('number')).toBeNull();
    expect(pattern('deals:N')?.pattern.exec('deals:7')?.[1]).toBe('7');
    expect(pattern('deal')).toBeNull();
    expect(pattern(3)).toBeNull();
  });
});

describe('conditions of fantasyland', () => {
  test('of one part and of several are shown alike, and written as short as they can be', () => {
    const single: Condition = { row: 'front', least: 'QQ', cards: 14 } as Condition;
    const several: Condition = {
      all: [{ row: 'middle', least: 'full_house' }, { royalties: 20 }],
      cards: 16,
    } as Condition;
    expect(toFormValue(single)).toEqual({ asked: [{ row: 'front', least: 'QQ' }], cards: 14 });
    expect(toFormValue(several)).toEqual({
      asked: [{ row: 'middle', least: 'full_house' }, { royalties: 20 }],
      cards: 16,
    });
    expect(fromFormValue(toFormValue(single))).toEqual(single);
    expect(fromFormValue(toFormValue(several))).toEqual(several);
  });

  test.each([
    ['qq', 'QQ'],
    [' kk ', 'KK'],
    ['Full house', 'full_house'],
    ['straight-flush', 'straight_flush'],
    ['QJ', 'QJ'],
  ])('a hand typed as %s is %s', (typed, name) => {
    expect(handName(typed)).toBe(name);
  });
});
