// The guide's reason in words: one sentence, its cards apart so that they are drawn as cards.

import { chances, type Reason } from './reason';
import type { Line } from '../../analyse/model/analysis.svelte';
import type { Difference } from '../../analyse/model/difference';
import { language, m } from '../../../shared/i18n.svelte';
import { points, share, sideName } from '../../analyse/model/format';

const CARDS = '\u{e000}'; // where the cards stand in the sentence

/** "fantasyland 31 % instead of 12 %" where the chance says it, else "own royalties +0.80". */
function partText(part: Difference, best: Line, other: Line): string {
  const chance = chances(part, best, other);
  if (chance !== null) {
    const shares = { share: share(chance.best), other: share(chance.other) };
    return part.part === 'fouls' ? m.guide_why_fouls(shares) : m.guide_why_fantasyland(shares);
  }
  return m.guide_why_part({
    part: part.side === 'both' ? sideName(part.part, 'own') : sideName(part.part, part.side),
    points: points(part.points),
  });
}

const listed = (parts: readonly string[]): string =>
  new Intl.ListFormat(language.tag, { type: 'unit' }).format(parts);

/** The sentence before its cards, and after them. */
export function reasonText({ row, gains, costs }: Reason, best: Line, other: Line): readonly [string, string] {
  const said = (parts: readonly Difference[]): string => listed(parts.map((part) => partText(part, best, other)));
  const where = { front: m.guide_why_front, middle: m.guide_why_middle, back: m.guide_why_back }[row]({
    cards: CARDS,
  });
  const text =
    costs.length === 0
      ? m.guide_why({ where, gains: said(gains) })
      : m.guide_why_but({ where, gains: said(gains), costs: said(costs) });
  const [before = '', after = ''] = text.split(CARDS);
  return [before, after];
}
