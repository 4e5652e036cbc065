// How the options of the rules are laid out and called. Nothing here knows what an option means.

import { m } from '../../../shared/i18n.svelte';
import type { OptionInfo } from '../../../api/generated/types';

const RANKS = ['2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A'];

/** What each number of an option stands for; null where an option is not a row of numbers. */
export const partLabels = (kind: OptionInfo['kind']): readonly string[] | null =>
  kind === 'ranks' ? RANKS : kind === 'rows' ? [m.common_front(), m.common_middle(), m.common_back()] : null;

/** What a number field takes of an option. */
export const bounds = ({
  low,
  high,
  whole,
  above,
}: OptionInfo): { low: number; high: number | null; step: number | 'any'; above: boolean } => ({
  low: low ?? 0,
  high,
  step: whole ? 1 : 'any',
  above,
});

/** One option with its control; `parts` are the options of a list's entries. */
export interface OptionItem {
  readonly kind: 'option';
  readonly option: OptionInfo;
  readonly parts: readonly OptionInfo[];
}

/** Numbers of one table row, side by side. */
export interface TilesItem {
  readonly kind: 'tiles';
  readonly key: string;
  readonly title: string;
  readonly options: readonly OptionInfo[];
}

export type Item = OptionItem | TilesItem;

export interface OptionGroup {
  readonly id: string;
  readonly title: string;
  readonly items: readonly Item[];
}

const parent = (key: string): string => key.slice(0, key.lastIndexOf('.'));

// What the parts of the options' keys are called, as the server said it last.
const labels = new Map<string, string>();

/** Learn what the parts of the options' keys are called. */
export function registerOptions(options: readonly OptionInfo[]): void {
  for (const option of options) option.key.split('.').forEach((part, i) => labels.set(part, option.words[i] ?? part));
}

/** "pays_royalties" as "Pays royalties". */
export function labelFor(name: string): string {
  const label = labels.get(name);
  if (label !== undefined) return label;
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "Pays royalties" of `foul.pays_royalties`; deeper keys keep what leads to them: "Table, front, pair". */
export function optionName(key: string): string {
  const path = key.split('.');
  return labelFor((path.length > 2 ? path.slice(1) : path.slice(-1)).join(', '));
}

const inTable = (option: OptionInfo): boolean => option.kind === 'number' && option.key.split('.').length > 3;

export function grouped(options: readonly OptionInfo[]): OptionGroup[] {
  const groups = new Map<string, Item[]>();
  for (const option of options) {
    const id = option.key.includes('.') ? option.key.slice(0, option.key.indexOf('.')) : '';
    const items = groups.get(id) ?? [];
    groups.set(id, items);
    const last = items.at(-1);
    if (
      last?.kind === 'option' &&
      option.key.startsWith(`${last.option.key}.`) &&
      (last.option.kind === 'list' || last.option.kind === 'conditions')
    ) {
      items[items.length - 1] = { ...last, parts: [...last.parts, option] };
    } else if (!inTable(option)) {
      items.push({ kind: 'option', option, parts: [] });
    } else if (last?.kind === 'tiles' && last.key === parent(option.key)) {
      items[items.length - 1] = { ...last, options: [...last.options, option] };
    } else {
      items.push({
        kind: 'tiles',
        key: parent(option.key),
        title: optionName(parent(option.key)),
        options: [option],
      });
    }
  }
  // What stands under no heading is the file's own name: last, because few care.
  const named = [...groups].toSorted(([a], [b]) => Number(a === '') - Number(b === ''));
  return named.map(([id, items]) => ({ id, title: id === '' ? m.rules_file() : labelFor(id), items }));
}

export const optionsOf = (item: Item): readonly OptionInfo[] =>
  item.kind === 'tiles' ? item.options : [item.option];

const searched = (option: OptionInfo): string =>
  [
    option.key,
    optionName(option.key),
    option.about,
    ...option.choices.flatMap((choice) => [`${choice.value}`, choice.about]),
  ]
    .join(' ')
    .toLowerCase();

/** Whether every word of a search stands somewhere in the item's words. */
export function matchesSearch(item: Item, query: string): boolean {
  const text = [...optionsOf(item), ...(item.kind === 'option' ? item.parts : [])].map(searched).join(' ');
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** "deals:N" splits into what stands before and after the number; null for a plain choice. */
export function pattern(value: string | number): { before: string; pattern: RegExp } | null {
  if (typeof value !== 'string' || !/:N$/.test(value)) return null;
  const before = value.slice(0, -1);
  return { before, pattern: new RegExp(`^${before}(\\d+)$`) };
}

/** A value as a person reads it; `option` gives the words of a choice. */
export function valueText(option: OptionInfo | undefined, value: unknown): string {
  if (typeof value === 'boolean') return value ? m.rules_yes() : m.common_no();
  if (Array.isArray(value)) return listText(option, value);
  for (const choice of option?.choices ?? []) {
    if (choice.value === value) return choice.about.replace(/\.$/, '');
    const free = pattern(choice.value)?.pattern.exec(String(value));
    if (free) return choice.about.replace(/\bN\b/, free[1] ?? 'N').replace(/\.$/, '');
  }
  return value === '' ? m.rules_value_nothing() : String(value);
}

function listText(option: OptionInfo | undefined, value: readonly unknown[]): string {
  const labels = option === undefined ? null : partLabels(option.kind);
  if (labels !== null) {
    const paid = value.flatMap((count, at) => (count === 0 ? [] : [`${labels[at] ?? ''} ${String(count)}`]));
    return paid.length > 0 ? paid.join(', ') : m.rules_value_none();
  }
  return value.length > 0 ? value.map(entryText).join(', ') : m.rules_value_none();
}

/** An entry of a list: its parts side by side, lists inside it with "and". */
function entryText(entry: unknown): string {
  if (Array.isArray(entry))
    return entry.map(entryText).reduce((first, second) => m.rules_list_and({ first, second }));
  if (entry !== null && typeof entry === 'object') return Object.values(entry).map(entryText).join(' ');
  return String(entry).replaceAll('_', ' ');
}

/** "scoring.colour: unknown key": what is wrong, after where it stands. */
export function locatedMessage(path: string, message: string): string {
  const key = path.replace(/^\$\.?(rules\.?)?/, '');
  return key === '' ? message : `${key}: ${message}`;
}

/** The option that a path such as `$.rules.naturals.table.entries[2].kind` is about: the longest key it begins with. */
export function optionAt(options: readonly OptionInfo[], path: string): string | null {
  const key = path.replace(/^\$\.?(rules\.)?/, '').replace(/\[\d+\]/g, '');
  const matches = options.filter((option) => key === option.key || key.startsWith(`${option.key}.`));
  return matches.toSorted((a, b) => b.key.length - a.key.length)[0]?.key ?? null;
}
