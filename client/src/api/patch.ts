// A view kept by its parts: what did not change stays the very same object, so that only what did is drawn anew.

import type { TableView } from './generated/types';

type Tree = Readonly<Record<string, unknown>> | readonly unknown[];

type Parts = Readonly<Record<string, unknown>>;

/** The view in which each part stands at its path, such as `deal.tasks`; `deal.boards.1.` leads to several parts. */
export function applyPatch(view: TableView, parts: Parts): TableView {
  return applyParts(view as unknown as Tree, parts) as unknown as TableView;
}

function applyParts(tree: Tree, parts: Parts): Tree {
  let now = tree;
  for (const [path, value] of Object.entries(parts)) now = put(now, path.split('.'), 0, value);
  return now;
}

function put(tree: Tree, path: readonly string[], at: number, value: unknown): Tree {
  const name = path[at] as string;
  if (name === '') return applyParts(tree, value as Parts);
  if (name === '+') {
    const [gone, lines] = value as [number, unknown[]];
    return [...(tree as unknown[]).slice(gone), ...lines];
  }
  const inside =
    at + 1 === path.length ? value : put((tree as Record<string, unknown>)[name] as Tree, path, at + 1, value);
  return Array.isArray(tree)
    ? tree.map((old: unknown, place) => (place === Number(name) ? inside : old))
    : { ...tree, [name]: inside };
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
