// A deal of a solo match as the review takes it: what seat 0 knew at each of its placements. Pure.

import type { RulesSpec } from '../../../api/http';
import type { Layout, ReviewSetup, ReviewHand, ReviewStreet } from '../../../api/generated/types';
import { positionText } from '../../analyse/model/position';
import { byRow } from '../../../sheet/sheet';
import type { State } from './types';
import { playerNames } from './view';

const UNBOUND = btoa('\0\0\0\0'); // no stacks bound what is paid, as the server packs it

/** Whether there is a deal to be reviewed. */
export const isReviewable = ({ placed, form }: State): boolean =>
  placed.length > 0 && form.player !== null && form.weights !== null;

/** `rules`: what the match is played by. */
export function toReviewSetup(state: State, rules: RulesSpec): ReviewSetup {
  const { form, placed } = state;
  const who = playerNames(state);
  const worth = state.scored?.hands.map(({ next }) => form.land_value[next] ?? 0) ?? [];
  const all = worth.reduce((sum, value) => sum + value, 0);
  const hands = state.hands.map(({ seat }, at): ReviewHand => {
    const own = worth[at] ?? 0;
    return {
      name: who[seat] ?? '',
      seat,
      result: (state.points[seat] ?? 0) + own * (worth.length - 1) - (all - own),
      player: null,
    };
  });
  const streets = placed.map(({ setUp, rows, discards, inRow }, step): ReviewStreet => {
    const inFantasyland = (setUp.hands[setUp.me]?.fantasyland ?? 0) > 0;
    const layout: Layout = byRow((_, row) => [...(rows[row] ?? [])]);
    return {
      step,
      hand: setUp.me,
      street: inFantasyland ? 0 : form.streets.length - placed.length + step + 1,
      position: positionText(setUp),
      layout,
      discards,
      in_row: inFantasyland ? inRow : 0,
    };
  });
  return {
    table: '',
    title: form.title,
    match: 0,
    number: state.deal,
    you: 0,
    seen_by: 'seat',
    rules,
    analysis: form,
    stacks: UNBOUND,
    hands,
    streets,
    levels: {},
  };
}
