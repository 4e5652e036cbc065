// A position measured better and better: first the field is halved, as the learned table and few rollouts see it; then
// the best are measured anew with other cards. The best by these comes first, with what is not told apart from it.

import { EACH, type WorkerPool } from '../../../engine/pool';
import type { EvaluatedPlacement } from '../../../engine/decision';
import { gap, withinError, type Gap } from '../../../engine/measurement';
import type { Brought, Placement, Position, StreetOutcome, CandidateStats } from '../../../engine/analysis';
import { error, mean } from '../../../engine/analysis';
import type { AnalysisSetup } from '../../../api/generated/types';
import type { Closed, Ranked, Ranking } from '../../../engine/closed';
import type { Solution, Objective } from '../../../engine/setting';
import type { EngineQuery } from './buildQuery';
import { AnalysisWorkers } from './workers';

/** One placement and what it brings on average, in points from all opponents. */
export interface Line {
  /** Its number in the position: the same as long as the position is. */
  readonly which: number;
  readonly rows: readonly (readonly string[])[];
  readonly thrown: readonly string[];
  readonly value: number;
  readonly error: number;
  readonly rollouts: number;
  readonly parts: Parts;
  /** What each side brings itself: the parts are the own ones less the opponents'. Unknown of puzzles, closed deals and whole settings. */
  readonly sides?: { readonly own: Parts; readonly opponents: Parts };
  readonly foul: number;
  readonly enters: number;
  /** It is not told apart from the best; so is the best itself. */
  readonly close: boolean;
  /** Of a closed deal: how its rows do. */
  readonly ranked?: Ranked;
  /** Of a solved fantasyland: the cards of the next one that it earns. */
  readonly next?: number;
}

export interface Parts {
  readonly rows: number;
  readonly royalties: number;
  readonly fantasyland: number;
  readonly fouls: number;
}

/** A placement that is not measured. */
export type Idea = Pick<Line, 'which' | 'rows' | 'thrown'>;

type Rows = readonly (readonly string[])[];
const sameRows = (a: Rows, b: Rows): boolean =>
  a.every((row, at) => row.toSorted().join() === b[at]?.toSorted().join());

export type Stage = 'idle' | 'loading' | 'sorting' | 'measuring' | 'done' | 'failed';

export const SEED = 1n;
export const ENOUGH = 0.1; // standard error in points of the best
const BEST = 4; // which have to be known so well
const SHOWN = 8;
const MOST_SLICES = 1200;
const COURSES = 1_000; // rollouts of each of two placements
const DRAWN_EVERY = 120; // milliseconds

export class Search {
  stage = $state<Stage>('idle');
  lines = $state.raw<readonly Line[]>([]);
  count = $state(0);
  exact = $state(false);
  why = $state('');
  /** What the best setting of a fantasyland brings besides points; null outside one. */
  solved = $state.raw<Solution | null>(null);
  /** The placements that are not among the lines. */
  ideas = $state.raw<readonly Idea[]>([]);
  /** What a closed deal's cards can do besides being set. */
  ranking = $state.raw<Ranking | null>(null);
  /** The number of the placement that the reader has laid. */
  laid = $state<number | null>(null);
  private asked: { readonly form: AnalysisSetup; readonly asked: EngineQuery } | null = null;
  private field: readonly number[] = [];
  private team: WorkerPool | null = null;
  private again: ((mine: number) => Promise<void>) | null = null;
  private crew: AnalysisWorkers | null = null;
  private turn = 0;
  private under: Promise<void> = Promise.resolve();

  /** How many placements are not told apart from the best, itself among them. */
  get close(): number {
    return this.lines.filter(({ close }) => close).length;
  }

  /** Measure another position; what was under way stops. Null: nothing. */
  ask(form: AnalysisSetup | null, asked: EngineQuery | null, own: Rows | null = null): void {
    const mine = ++this.turn;
    this.asked = form === null || asked === null ? null : { form, asked };
    this.laid = null;
    this.lines = [];
    this.ideas = [];
    this.again = null;
    this.solved = null;
    this.ranking = null;
    this.team = null;
    this.count = 0;
    this.exact = false;
    const work = form === null || asked === null ? null : this.plan(mine, form, asked, own);
    this.stage = work === null ? 'idle' : 'loading';
    if (work !== null) this.under = this.under.then(() => this.work(mine, work));
  }

  private plan(
    mine: number,
    form: AnalysisSetup,
    { position, fantasyland, closed }: EngineQuery,
    own: Rows | null,
  ): ((crew: AnalysisWorkers) => Promise<void>) | null {
    const { player, weights } = form;
    const named = own?.map((row) => row.map((card) => form.deck.indexOf(card)));
    if (closed !== null) return (crew) => this.ranked(mine, crew, form, { ...closed, own: named });
    if (fantasyland !== null) return (crew) => this.completed(mine, crew, form, fantasyland, named);
    if (position === null || player === null || weights === null) return null;
    return async (crew) => {
      const team = await crew.ready({ ...form, player, weights });
      if (mine === this.turn) this.team = team;
      if (mine === this.turn)
        await this.measured(
          mine,
          team,
          form.deck,
          named === undefined ? position : { ...position, named: [named] },
          own,
        );
    };
  }

  /** Measure one more placement, with the cards that the others had. */
  add(which: number): void {
    const { again } = this;
    if (again === null || this.field.includes(which)) return;
    const mine = ++this.turn;
    this.field = [...this.field, which];
    this.stage = 'measuring';
    this.under = this.under.then(() => this.work(mine, () => again(mine)));
  }

  /** Measure a placement of the reader's own beside the others; its number, or null where something else was asked since. */
  async lay(own: Rows): Promise<number | null> {
    const known = [...this.lines, ...this.ideas].find(({ rows }) => sameRows(rows, own));
    if (known !== undefined) {
      this.laid = known.which;
      this.add(known.which);
      return known.which;
    }
    if (this.asked === null) return null;
    this.ask(this.asked.form, this.asked.asked, own);
    const mine = this.turn;
    await this.under;
    return mine === this.turn ? this.laid : null;
  }

  /** What two placements come to, street by street, with the same cards; null where that is not to be told. */
  async courses(pair: readonly number[]): Promise<readonly (readonly StreetOutcome[])[] | null> {
    const mine = this.turn;
    await this.under; // the workers do one thing at a time
    const { team } = this;
    if (mine !== this.turn || team === null) return null;
    const found = team.courses(pair, COURSES, SEED + 2n);
    this.under = found.then(
      () => undefined,
      () => undefined,
    );
    return found;
  }

  end(): void {
    this.turn += 1;
    this.crew?.end();
  }

  private async work(mine: number, work: (crew: AnalysisWorkers) => Promise<void>): Promise<void> {
    if (mine !== this.turn) return;
    try {
      this.crew ??= new AnalysisWorkers();
      await work(this.crew);
    } catch (fault) {
      this.crew?.end();
      this.crew = null;
      if (mine !== this.turn) return;
      this.stage = 'failed';
      this.why = fault instanceof Error ? fault.message : String(fault);
    }
  }

  private async ranked(mine: number, crew: AnalysisWorkers, form: AnalysisSetup, closed: Closed): Promise<void> {
    const found = await crew.rank(form, closed);
    if (mine !== this.turn) return;
    this.ranking = found;
    this.exact = true;
    this.count = found.legal;
    const told = (one: Ranked, which: number): Line => rankedLine(form.deck, one, which);
    const best = found.settings.map(told);
    const { own } = found;
    this.laid = own?.place ?? null;
    this.lines = own === null || own.place < best.length ? best : [...best, told(own.setting, own.place)];
    this.stage = 'done';
  }

  private async completed(
    mine: number,
    crew: AnalysisWorkers,
    form: AnalysisSetup,
    goal: Objective,
    own?: readonly (readonly number[])[],
  ): Promise<void> {
    const found = await crew.complete(form, goal);
    const laid =
      own === undefined
        ? null
        : {
            ...(await crew.complete(form, { ...goal, rows: own, cards: [], fantasyland: goal.cards.length })),
            rows: own,
          };
    if (mine !== this.turn) return;
    this.solved = found;
    this.exact = true;
    this.count = 1;
    const text = (cards: readonly number[]): string[] => cards.map((card) => form.deck[card] ?? '');
    const told = (one: Solution, which: number): Line => {
      const used = one.rows.flat();
      const thrown = text(goal.cards.filter((card) => !used.includes(card)));
      const parts = { rows: 0, royalties: one.royalties, fantasyland: 0, fouls: 0 };
      return {
        which,
        rows: one.rows.map(text),
        thrown,
        value: one.value,
        error: 0,
        rollouts: 1,
        parts,
        foul: one.legal ? 0 : 1,
        enters: one.next > 0 ? 1 : 0,
        close: which === 0,
        next: one.next,
      };
    };
    const best = told(found, 0);
    const mineToo = laid === null ? null : told(laid, 1);
    const same = mineToo !== null && sameRows(best.rows, mineToo.rows);
    this.laid = mineToo === null ? null : same ? 0 : 1;
    this.lines = mineToo === null || same ? [best] : [best, mineToo];
    this.stage = 'done';
  }

  private async measured(
    mine: number,
    team: WorkerPool,
    deck: readonly string[],
    position: Position,
    own: Rows | null,
  ): Promise<void> {
    this.stage = 'sorting';
    const { exact, placements } = await team.begin(position);
    if (mine !== this.turn) return;
    this.count = placements.length;
    this.exact = exact;
    const ideas = placements.map((one, which): Idea => ({ which, ...texts(deck, position, one) }));
    const laid = own === null ? -1 : ideas.findIndex(({ rows }) => sameRows(rows, own));
    this.laid = laid < 0 ? null : laid;
    const show = (
      chosen: readonly number[],
      sums: readonly CandidateStats[],
      batches: readonly (readonly number[])[] = [],
    ): void => {
      const best = sums.reduce((found, one, at) => (mean(one) > mean(sums[found] as CandidateStats) ? at : found), 0);
      const behind = (at: number): Gap =>
        exact
          ? { points: mean(sums[best] as CandidateStats) - mean(sums[at] as CandidateStats), error: 0 }
          : gapOf(batches, best, at);
      const lines = chosen.map((which, at) =>
        line(deck, position, placements[which] as Placement, {
          which,
          sums: sums[at] as CandidateStats,
          close: at === best || withinError(behind(at)),
        }),
      );
      this.lines = lines.toSorted((a, b) => b.value - a.value);
    };
    if (exact) {
      const all = Array.from(placements.keys());
      show(all, await team.measure(all, 1, SEED));
      this.stage = 'done';
      return;
    }
    const order = await team.sort(SEED, () => mine === this.turn);
    if (order === null || mine !== this.turn) return;
    const kept = order.slice(0, SHOWN);
    this.field = laid < 0 || kept.includes(laid) ? kept : [...kept, laid];
    this.again = async (turn) => {
      const chosen = this.field;
      this.stage = 'measuring';
      this.ideas = ideas.filter(({ which }) => !chosen.includes(which));
      let drawn = 0;
      const batches: number[][] = []; // points so far of each placement, after each slice
      const last = await team.measure(chosen, MOST_SLICES, SEED + 1n, (sums) => {
        if (turn !== this.turn) return false;
        batches.push(sums.map(({ points }) => points));
        const enough = known(sums);
        if (!enough && performance.now() - drawn < DRAWN_EVERY) return true;
        drawn = performance.now();
        show(chosen, sums, batches);
        return !enough;
      });
      if (turn !== this.turn) return;
      show(chosen, last, batches);
      this.stage = 'done';
    };
    await this.again(mine);
  }
}

/** Whether the best of them are known well enough. */
function known(sums: readonly CandidateStats[]): boolean {
  const best = sums.toSorted((a, b) => mean(b) - mean(a)).slice(0, BEST);
  return best.every((one) => error(one) <= ENOUGH);
}

function texts(deck: readonly string[], position: Position, { rows }: Placement): Pick<Idea, 'rows' | 'thrown'> {
  const text = (cards: readonly number[]): string[] => cards.map((card) => deck[card] ?? '');
  const used = rows.flat();
  return { rows: rows.map(text), thrown: text(position.cards.filter((card) => !used.includes(card))) };
}

/** The gap between two of the chosen placements, from what all had after each slice. */
function gapOf(batches: readonly (readonly number[])[], best: number, other: number): Gap {
  const points = (of: number): number[] => batches.map((sums, at) => (sums[of] ?? 0) - (batches[at - 1]?.[of] ?? 0));
  return gap(
    batches.map(() => EACH),
    points(best),
    points(other),
  );
}

/** A setting of a closed deal; `which`: how many are better. */
export function rankedLine(deck: readonly string[], one: Ranked, which: number): Line {
  const royalties = one.royalties.reduce((sum, points) => sum + points, 0);
  return {
    which,
    rows: one.rows.map((cards) => cards.map((card) => deck[card] ?? '')),
    thrown: [],
    value: one.points,
    error: 0,
    rollouts: 1,
    parts: { rows: 0, royalties, fantasyland: 0, fouls: 0 },
    foul: one.legal ? 0 : 1,
    enters: 0,
    close: which === 0,
    ranked: one,
  };
}

export function line(
  deck: readonly string[],
  position: Position,
  placement: Placement,
  { which, sums, close }: EvaluatedPlacement,
): Line {
  const each = (sum: number): number => sum / Math.max(1, sums.rollouts);
  const parts = ({ rows, royalties, fouled, fantasyland }: Brought): Parts => ({
    rows: each(rows),
    royalties: each(royalties),
    fantasyland: each(fantasyland),
    fouls: each(fouled),
  });
  return {
    which,
    ...texts(deck, position, placement),
    value: mean(sums),
    error: error(sums),
    rollouts: sums.rollouts,
    parts: parts(sums),
    sides: { own: parts(sums.own), opponents: parts(sums.opponents) },
    foul: each(sums.fouls),
    enters: each(sums.fantasylands),
    close,
  };
}
