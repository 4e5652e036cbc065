// The scorer where no server answers: the same kernel counts the same points, and says in fewer words what for.

import { RequestWriter } from '../../../engine/bytes';
import { compileKernel, Kernel } from '../../../engine/kernel';
import { scoreDeal } from '../../../engine/solo';
import { ApiError, type DealLine, type ToolsApi, type RulesSpec } from '../../../api/http';
import type {
  PairPoints,
  PointsSheet,
  ScoredSession,
  ScoredDeal,
  ScorerSetup,
  ScoreSheet,
} from '../../../api/generated/types';
import { ROWS } from '../../../cards/cards';
import { m } from '../../../shared/i18n.svelte';
import { toApiError } from '../../../shared/latestRequest';
import { sheetOf } from '../../../sheet/sheet';
import { decoded } from '../../solo/model/match';
import { allCards, type DraftHand } from './hand';
import { tallies, type RecordedDeal } from './ledger';
import { contentOf, isRemoved } from './corrections';
import { handsOf, rulesOf, stakesOf } from './line';
import { amountsOf, entryOf, signedPoints, sum } from './points';

export type Scoring = Pick<ToolsApi, 'scoreForm' | 'scoreDeal' | 'scoreSession'>;

const KINDS = { board: 0, surrender: 1, natural: 2 } as const;
const [ALL_ROWS, CARDS] = [7, 13];
const KNOWN = new Set(['id', 'rules', 'players', 'owners', 'stakes', 'order']);
const KNOWN_OF_POINTS = new Set(['id', 'rules', 'points', 'pairs', 'stakes', 'order']);

let kernel: Promise<Kernel> | null = null;
const opened = (): Promise<Kernel> => (kernel ??= compileKernel().then((module) => new Kernel(module)));

const refused = (path: string): ApiError =>
  new ApiError({ code: 'score.own', message: m.scorer_deal_unscored(), path });

type Forms = Scoring['scoreForm'];

/** A deal's sheet and what the ledger counts of it. Throws ApiError; `failure` where these rules are not counted here. */
async function countDeal(
  forms: Forms,
  line: DealLine,
  number: number,
  failure: ApiError,
): Promise<RecordedDeal & { readonly sheet: ScoreSheet }> {
  const form = await forms(rulesOf(line));
  if (form.own === null || Object.keys(line).some((key) => !KNOWN.has(key))) throw failure;
  const hands = handsOf(line);
  const owners = hands.map(({ owner }) => owner);
  const names = [...new Set(owners)];
  const seats = owners.map((owner) => names.indexOf(owner));
  const own = await opened();
  const rules = own.store('keep_rules', new RequestWriter().raw(decoded(form.own.rules)));
  try {
    const bytes = hands.flatMap((hand, at) => packed(form, hand, seats[at] ?? at));
    if (new Set(hands.flatMap(allCards)).size !== hands.flatMap(allCards).length) throw refused('$.players');
    const scored = scoreDeal(own, rules, Uint8Array.from(bytes));
    const wrong = hands.findIndex((hand, at) => hand.mode === 'natural' && (scored.hands[at]?.natural ?? -1) < 0);
    if (wrong >= 0) throw refused(`$.players.${hands[wrong]?.name ?? ''}.natural`);
    const parties = hands.map(({ name }, at) => ({ seat: seats[at] ?? at, player: name }));
    const sheet = sheetOf(number, scored, parties, {
      deck: form.deck,
      lowMiddle: form.own.low_middle,
      scoring: form.own.scoring,
      banker: form.own.banker,
      naturals: form.own.naturals,
    });
    const paid = staked(sheet, line, hands);
    const points = new Map<string, number>();
    for (const { hand, points: won } of paid.hands) {
      const owner = owners[hand] ?? '';
      points.set(owner, (points.get(owner) ?? 0) + won);
    }
    const pairs = paid.pairs.map(({ a, b, points: won, moved }) => ({
      a: owners[a] ?? '',
      b: owners[b] ?? '',
      points: won,
      moved: moved.points,
    }));
    return { sheet: paid, points, pairs, point: form.point, unit: form.unit };
  } finally {
    own.drop(rules);
  }
}

/** A deal of which only the points are known, as src/triptych/scoring/session.py counts it. Throws ApiError. */
async function countedPoints(
  forms: Forms,
  line: DealLine,
  number: number,
  failure: ApiError,
): Promise<RecordedDeal & { readonly sheet: PointsSheet }> {
  const form = await forms(rulesOf(line));
  if (form.own === null || Object.keys(line).some((key) => !KNOWN_OF_POINTS.has(key))) throw failure;
  const players = (line['order'] ?? Object.keys(line['points'] ?? {})) as readonly string[];
  const pairs = entryOf(line) === 'pairs' ? pairPoints(line, players, form.own.banker) : [];
  const points = new Map(
    players.map((player) => [
      player,
      entryOf(line) === 'points'
        ? (signedPoints([player], amountsOf(line))[player] ?? 0)
        : sum(Object.fromEntries(pairs.map((pair, at) => [at, won(pair, player)]))),
    ]),
  );
  if (sum(Object.fromEntries(points)) !== 0) throw refused('$.points');
  const [first = '', second = ''] = players;
  const own = points.get(first) ?? 0;
  const between =
    players.length === 2 && pairs.length === 0 ? [{ a: first, b: second, points: own, stake: 1, moved: own }] : pairs;
  const sheet = { deal: number, players, points: players.map((player) => points.get(player) ?? 0), pairs: between };
  return { sheet, points, pairs: between, point: form.point, unit: form.unit };
}

const won = ({ a, b, points }: PairPoints, player: string): number =>
  a === player ? points : b === player ? -points : 0;

function pairPoints(line: DealLine, players: readonly string[], banker: boolean): PairPoints[] {
  const [amounts, stakes] = [amountsOf(line), stakesOf(line)];
  const points = signedPoints(Object.keys(amounts), amounts);
  const usual = (line['stakes'] as Readonly<Record<string, number>> | undefined)?.['default'] ?? 1;
  return players.flatMap((a, i) =>
    players.slice(i + 1).flatMap((b) => {
      if (banker && b !== players.at(-1)) return [];
      const amount = points[`${a}-${b}`];
      if (amount === undefined) throw refused(`$.pairs.${a}-${b}`);
      const stake = stakes[`${a}-${b}`] ?? stakes[`${b}-${a}`] ?? usual;
      return [{ a, b, points: amount, stake, moved: Number((amount * stake).toFixed(9)) }];
    }),
  );
}

function packed(form: ScorerSetup, hand: DraftHand, seat: number): number[] {
  const { mode, name, fantasyland, inRow } = hand;
  const cards = allCards(hand).map((card) => form.deck.indexOf(card));
  if (mode === 'surrender' ? form.surrender === 0 : cards.length !== CARDS || cards.includes(-1))
    throw refused(`$.players.${name}`);
  const declared = form.declare
    ? ROWS.reduce((bits, row, at) => bits | (hand.declared.includes(row) ? 1 << at : 0), 0)
    : ALL_ROWS;
  const fantasylandBytes = mode === 'board' && fantasyland > 0 ? [fantasyland, inRow] : [0, 0];
  return [
    KINDS[mode],
    declared,
    ...fantasylandBytes,
    seat,
    ...(mode === 'surrender' ? Array.from({ length: CARDS }, () => 0) : cards),
  ];
}

/** What each pair agreed that a point is worth, by the names of hands or of who owns them. */
function staked(sheet: ScoreSheet, { stakes }: DealLine, hands: readonly DraftHand[]): ScoreSheet {
  const agreed = (stakes ?? {}) as Readonly<Record<string, unknown>>;
  const pairs = sheet.pairs.map((pair) => {
    const [a, b] = [hands[pair.a] as DraftHand, hands[pair.b] as DraftHand];
    const keys = [
      [a.name, b.name],
      [a.owner, b.owner],
    ].flatMap(([first, second]) => [`${first}-${second}`, `${second}-${first}`]);
    const stake = agreed[keys.find((key) => key in agreed) ?? 'default'] ?? 1;
    if (typeof stake !== 'number' || !(stake >= 0)) throw refused('$.stakes');
    // As scoring/settle.py: without the noise of binary fractions.
    return { ...pair, stake, moved: { points: Number((pair.points * stake).toFixed(9)), why: '' } };
  });
  return { ...sheet, pairs };
}

async function session(forms: Forms, lines: readonly DealLine[], failure: ApiError): Promise<ScoredSession> {
  const [deals, good]: [ScoredDeal[], RecordedDeal[]] = [[], []];
  for (const line of lines) {
    const number = deals.length + 1;
    try {
      if (isRemoved(line)) {
        deals.push({ sheet: null, error: null, points: null });
      } else if (entryOf(line) === 'cards') {
        const scoredHere = await countDeal(forms, contentOf(line), number, failure);
        good.push(scoredHere);
        deals.push({ sheet: scoredHere.sheet, error: null, points: null });
      } else {
        const countedHere = await countedPoints(forms, contentOf(line), number, failure);
        good.push(countedHere);
        deals.push({ sheet: null, error: null, points: countedHere.sheet });
      }
    } catch (error) {
      deals.push({ sheet: null, error: toApiError(error), points: null });
    }
  }
  return { deals, tallies: tallies(good) };
}

/** What is asked under rules of which only the price of a point is new. */
async function priced(forms: Forms, rules: RulesSpec, failure: ApiError): Promise<ScorerSetup> {
  const { 'stake.point': price, 'stake.unit': unit, ...others } = rules;
  if (price === undefined && unit === undefined) throw failure;
  const form = await forms(others);
  const [point, name] = [price ?? form.point, unit ?? form.unit];
  if (typeof point !== 'number' || !(point > 0) || typeof name !== 'string') throw failure;
  return { ...form, point, unit: name };
}

/** The server's scorer, and one's own where it does not answer. */
export function withOfflineFallback(tools: Scoring): Scoring {
  const setups = new Map<string, ScorerSetup>();
  const orOwn = async <T>(request: Promise<T>, own: (failure: ApiError) => Promise<T>): Promise<T> => {
    try {
      return await request;
    } catch (error) {
      if (error instanceof ApiError && /^(offline|http_50[234])$/.test(error.error.code)) return own(error);
      throw error;
    }
  };
  const cachedForms: Forms = async (rules) => {
    const key = JSON.stringify(rules);
    const form = setups.get(key) ?? (await tools.scoreForm(rules));
    setups.set(key, form);
    return form;
  };
  const forms: Forms = (rules) => orOwn(cachedForms(rules), (failure) => priced(cachedForms, rules, failure));
  return {
    scoreForm: forms,
    scoreDeal: (line, number) =>
      orOwn(tools.scoreDeal(line, number), async (failure) => (await countDeal(forms, line, number, failure)).sheet),
    scoreSession: (lines) => orOwn(tools.scoreSession(lines), (failure) => session(forms, lines, failure)),
  };
}
