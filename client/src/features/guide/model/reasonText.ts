// The guide's reason in words: one sentence, its cards apart so that they are drawn as cards.

import { chances, type Reason } from './reason';
import type { AnalysisLine } from '../../analyse/model/analysis.svelte';
import type { Difference } from '../../analyse/model/difference';
import { language, m } from '../../../shared/i18n.svelte';
import { formatPercent } from '../../analyse/model/format';

const CARDS = '\u{e000}'; // where the cards stand in the sentence

/** "fantasyland (31%, not 12%)" where the chance says it, else "your royalties". */
function partText(part: Difference, best: AnalysisLine, other: AnalysisLine): string {
  const chance = chances(part, best, other);
  if (chance !== null) {
    const shares = { share: formatPercent(chance.best), other: formatPercent(chance.other) };
    return part.part === 'fouls' ? m.guide_why_fouls(shares) : m.guide_why_fantasyland(shares);
  }
  if (part.part === 'rows') return m.guide_part_rows();
  return (
    part.side === 'opponents'
      ? {
          royalties: m.guide_part_opponents_royalties,
          fantasyland: m.guide_part_opponents_fantasyland,
          fouls: m.guide_part_opponents_fouls,
        }
      : { royalties: m.guide_part_royalties, fantasyland: m.guide_part_fantasyland, fouls: m.guide_part_fouls }
  )[part.part]();
}

const listed = (parts: readonly string[]): string => new Intl.ListFormat(language.tag).format(parts);

/** The sentence before its cards, and after them; `short` names the largest gain and the largest cost alone. */
export function reasonText(
  { row, gains, costs }: Reason,
  best: AnalysisLine,
  other: AnalysisLine,
  short = false,
): readonly [string, string] {
  const partsText = (parts: readonly Difference[]): string =>
    listed(parts.slice(0, short ? 1 : undefined).map((part) => partText(part, best, other)));
  const where = { front: m.guide_why_front, middle: m.guide_why_middle, back: m.guide_why_back }[row]({
    cards: CARDS,
  });
  const text =
    costs.length === 0
      ? m.guide_why({ where, gains: partsText(gains) })
      : m.guide_why_but({ where, gains: partsText(gains), costs: partsText(costs) });
  const [before = '', after = ''] = text.split(CARDS);
  return [before, after];
}
