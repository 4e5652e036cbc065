// Which options the rules as they stand can use. What a game cannot use has no effect, so the editor leaves it out.

type Value = (key: string) => unknown;
type Test = (value: Value) => boolean;

const isClosed: Test = (value) => ['closed', 'criss_cross'].includes(String(value('deal.game')));
const isOpen: Test = (value) => !isClosed(value);
const hasJokers: Test = (value) => Number(value('deal.jokers')) > 0;
const isLow: Test = (value) => value('rows.middle') === 'deuce_to_seven';
const hasFantasyland: Test = (value) => isOpen(value) && value('fantasyland.kind') !== 'none';
const hasClock: Test = (value) => value('clock.kind') !== 'none';
const hasLevels: Test = (value) => value('tournament.levels') !== 'off';

/** What must hold for an option, or for all options that begin with it and a full stop; every line counts. */
const NEEDS: readonly (readonly [string, Test])[] = [
  ['deal.first_street', isOpen],
  ['deal.first_cards', isOpen],
  ['rows.tie_break', isClosed],
  ['rows.suits', (value) => value('rows.tie_break') === 'suits'],
  ['rows.low_limit', isLow],
  ['rows.joker_value', hasJokers],
  ['rows.joker_domain', hasJokers],
  ['rows.five_of_a_kind', hasJokers],
  ['foul.still_plays', isClosed],
  ['scoring.points', (value) => value('scoring.rows') === 'custom'],
  ['scoring.bonus', (value) => value('scoring.rows') === 'custom'],
  ['scoring.match_tied', (value) => String(value('scoring.rows')).startsWith('match_')],
  ['royalties.table.low', isLow],
  ['royalties.table.back.five_of_a_kind', (value) => hasJokers(value) && value('rows.five_of_a_kind') === true],
  ['royalties.table.middle.five_of_a_kind', (value) => hasJokers(value) && value('rows.five_of_a_kind') === true],
  ['royalties.broken_up', isClosed],
  ['royalties.declare', isClosed],
  ['naturals', isClosed],
  ['surrender', isClosed],
  ['fantasyland', isOpen],
  ['fantasyland.entry', hasFantasyland],
  ['fantasyland.repeat', hasFantasyland],
  ['fantasyland.repeat_limit', hasFantasyland],
  ['fantasyland.order', hasFantasyland],
  ['fantasyland.button', hasFantasyland],
  ['match.prize', (value) => String(value('match.kind')).startsWith('points:')],
  ['clock.seconds', hasClock],
  ['clock.setting', hasClock],
  ['clock.bank', hasClock],
  ['clock.bank_refill', hasClock],
  ['clock.bank_reset', hasClock],
  ['clock.new_table', hasClock],
  ['tournament.chips_per_point', hasLevels],
];

/** Whether the option decides anything under these values. */
export const isUsed = (key: string, value: Value): boolean =>
  NEEDS.every(([of, holds]) => (key !== of && !key.startsWith(`${of}.`)) || holds(value));
