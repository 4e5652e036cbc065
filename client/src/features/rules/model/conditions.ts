// What brings a fantasyland, as the editor shows it: parts that must all hold, and the cards. Nothing here knows which
// hand a name is.

import type { FantasylandEntry, FantasylandCondition, FantasylandRepeat } from '../../../api/generated/types';
import { RANKS } from '../../../cards/cards';

export type Condition = FantasylandEntry | FantasylandRepeat;
export type Row = NonNullable<FantasylandCondition['row']>;

/** One thing that a board must have: a least hand in a row, or royalties. */
export type ConditionPart =
  { readonly row: Exclude<Row, ''>; readonly least: string } | { readonly royalties: number };

export interface ConditionForm {
  readonly asked: readonly ConditionPart[];
  readonly cards: Condition['cards'];
}

function partsOf({ row, least, royalties }: FantasylandCondition): ConditionPart[] {
  const hand: ConditionPart[] = row === undefined || row === '' ? [] : [{ row, least: least ?? '' }];
  return royalties === undefined || royalties === 0 ? hand : [...hand, { royalties }];
}

export function toFormValue(condition: Condition): ConditionForm {
  return { asked: [condition, ...(condition.all ?? [])].flatMap(partsOf), cards: condition.cards };
}

/** The shortest way to write it: one part stands in the condition itself. */
export function fromFormValue({ asked, cards }: ConditionForm): Record<string, unknown> {
  return asked.length === 1 ? { ...asked[0], cards } : { all: asked, cards };
}

/** A hand as it was typed, ranks as capitals: "qq" is "QQ". */
export function handName(typed: string): string {
  const name = typed.trim();
  const ranks = name.toUpperCase();
  return [...ranks].every((letter) => RANKS.includes(letter)) ? ranks : name.toLowerCase().replaceAll(/[ -]+/g, '_');
}
