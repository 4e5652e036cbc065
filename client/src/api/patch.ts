// A view kept by its parts: what did not change stays the very same object, so that only what did is drawn anew.

import type { TableView, ViewPatch } from './generated/types';

type Tree = Readonly<Record<string, unknown>> | readonly unknown[];

/** How a value is to be read: 0 as it is, 1 a time after `now`, 2 a boolean, 3 cards; a list of such, an object's values. */
type Form = number | readonly Form[] | { readonly [field: string]: Form };

/** The paths that parts name by number, with the forms of what stands there. */
export type Paths = readonly (readonly [string, Form])[];

/** The view in which each part stands at its path, such as `deal.tasks`; `deal.boards.1.` leads to several parts. */
export function applyPatch(
  view: TableView,
  message: Pick<ViewPatch, 'v' | 'now' | 'parts'>,
  paths: Paths,
): TableView {
  const tree = applyParts({ ...view, v: message.v } as unknown as Tree, message.parts, paths, message.now);
  return tree as unknown as TableView;
}

function applyParts(tree: Tree, parts: readonly unknown[], paths: Paths, now: number): Tree {
  let result = tree;
  for (let at = 0; at < parts.length; at += 2) {
    const key = parts[at] as number | string;
    const [path, form] = typeof key === 'number' ? (paths[key] as Paths[number]) : ([key, 0] as const);
    const value = parts[at + 1];
    const change = path.endsWith('.')
      ? (inside: unknown) => applyParts(inside as Tree, value as unknown[], paths, now)
      : () => unpack(form, value, now);
    result = put(result, path.split('.'), 0, change);
  }
  return result;
}

function put(tree: Tree, path: readonly string[], at: number, change: (inside: unknown) => unknown): Tree {
  const name = path[at] as string;
  if (name === '') return change(tree) as Tree;
  if (name === '+') return [...(tree as unknown[]), ...(change(null) as unknown[])];
  if (name === '~') {
    const [start, gone, ...others] = change(null) as [number, number, ...unknown[]];
    const list = [...(tree as unknown[])];
    list.splice(start, gone, ...others);
    return list;
  }
  const old = (tree as Record<string, unknown>)[name];
  const inside = at + 1 === path.length ? change(old) : put(old as Tree, path, at + 1, change);
  return Array.isArray(tree)
    ? tree.map((item: unknown, place) => (place === Number(name) ? inside : item))
    : { ...tree, [name]: inside };
}

function unpack(form: Form, value: unknown, now: number): unknown {
  if (value === null || form === 0) return value;
  if (form === 1) return (value as number) + now;
  if (form === 2) return value === 1;
  if (form === 3) return typeof value === 'number' ? Array(value).fill('??') : ((value as string).match(/../g) ?? []);
  if (Array.isArray(form)) return (value as unknown[]).map((item) => unpack(form[0] as Form, item, now));
  const fields = Object.entries(form as { readonly [field: string]: Form }).slice(0, (value as unknown[]).length);
  return Object.fromEntries(
    fields.map(([name, inside], at) => [name, unpack(inside, (value as unknown[])[at], now)]),
  );
}

/** The CRC-32 of the view's text, as the server tells it now and then. Not crypto.subtle: pages on plain http have none. */
export function proofOf(view: TableView): number {
  let crc = -1;
  for (const byte of new TextEncoder().encode(JSON.stringify(view))) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
