// Measures a position with growing precision: first sequential halving by the learned table and few rollouts, then the
// best placements with other cards. The best by these comes first, with those within its error.

import { SLICE_ROLLOUTS, type WorkerPool } from '../../../engine/pool';
import type { EvaluatedPlacement } from '../../../engine/decision';
import { pairedLoss, withinError, type PairedLoss } from '../../../engine/measurement';
import type { SidePoints, Placement, Position, StreetOutcome, CandidateStats } from '../../../engine/analysis';
import { error, mean } from '../../../engine/analysis';
import type { AnalysisSetup } from '../../../api/generated/types';
import type { ClosedQuery, RankedSetting, Ranking } from '../../../engine/closed';
import type { Solution, Objective } from '../../../engine/setting';
import type { EngineQuery } from './buildQuery';
import { AnalysisWorkers } from './workers';

/** One placement and its average result, in points from all opponents. */
export interface AnalysisLine {
  /** Its number in the position: the same as long as the position is. */
  readonly which: number;
  readonly rows: readonly (readonly string[])[];
  readonly thrown: readonly string[];
  readonly value: number;
  readonly error: number;
  readonly rollouts: number;
  readonly parts: Parts;
  /** The points of each side: the parts are the own ones less the opponents'. Unknown of puzzles, closed deals and whole settings. */
  readonly sides?: { readonly own: Parts; readonly opponents: Parts };
  readonly foul: number;
  readonly enters: number;
  /** Within the error of the best; so is the best itself. */
  readonly close: boolean;
  /** Of a closed deal: how its rows do. */
  readonly ranked?: RankedSetting;
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
export type CandidateRef = Pick<AnalysisLine, 'which' | 'rows' | 'thrown'>;

type Rows = readonly (readonly string[])[];
const sameRows = (a: Rows, b: Rows): boolean =>
  a.every((row, at) => row.toSorted().join() === b[at]?.toSorted().join());

export type AnalysisStatus = 'idle' | 'loading' | 'sorting' | 'measuring' | 'done' | 'failed';

export const SEED = 1n;
export const TARGET_ERROR = 0.1; // standard error in points of the best
const PRECISE_LINES = 4; // which have to be known so well
const MAX_LINES = 8;
const MAX_SLICES = 1200;
const OUTCOME_ROLLOUTS = 1_000; // rollouts of each of two placements
const REDRAW_MS = 120; // milliseconds

export class Search {
  stage = $state<AnalysisStatus>('idle');
  lines = $state.raw<readonly AnalysisLine[]>([]);
  count = $state(0);
  exact = $state(false);
  why = $state('');
  /** What the best setting of a fantasyland brings besides points; null outside one. */
  solved = $state.raw<Solution | null>(null);
  /** The placements that are not among the lines. */
  otherCandidates = $state.raw<readonly CandidateRef[]>([]);
  /** What a closed deal's cards can do besides being set. */
  ranking = $state.raw<Ranking | null>(null);
  /** The number of the placement that the reader has laid. */
  ownPlacement = $state<number | null>(null);
  private current: { readonly form: AnalysisSetup; readonly query: EngineQuery } | null = null;
  private measuredPlacements: readonly number[] = [];
  private pool: WorkerPool | null = null;
  private remeasure: ((mine: number) => Promise<void>) | null = null;
  private workers: AnalysisWorkers | null = null;
  private turn = 0;
  private pending: Promise<void> = Promise.resolve();

  /** How many placements are within the error of the best, itself included. */
  get close(): number {
    return this.lines.filter(({ close }) => close).length;
  }

  /** Measure another position; what was under way stops. Null: nothing. */
  start(form: AnalysisSetup | null, query: EngineQuery | null, own: Rows | null = null): void {
    const mine = ++this.turn;
    this.current = form === null || query === null ? null : { form, query };
    this.ownPlacement = null;
    this.lines = [];
    this.otherCandidates = [];
    this.remeasure = null;
    this.solved = null;
    this.ranking = null;
    this.pool = null;
    this.count = 0;
    this.exact = false;
    const work = form === null || query === null ? null : this.plan(mine, form, query, own);
    this.stage = work === null ? 'idle' : 'loading';
    if (work !== null) this.pending = this.pending.then(() => this.work(mine, work));
  }

  private plan(
    mine: number,
    form: AnalysisSetup,
    { position, fantasyland, closed }: EngineQuery,
    own: Rows | null,
  ): ((crew: AnalysisWorkers) => Promise<void>) | null {
    const { player, weights } = form;
    const named = own?.map((row) => row.map((card) => form.deck.indexOf(card)));
    if (closed !== null) return (crew) => this.showRanking(mine, crew, form, { ...closed, own: named });
    if (fantasyland !== null) return (crew) => this.showSolution(mine, crew, form, fantasyland, named);
    if (position === null || player === null || weights === null) return null;
    return async (crew) => {
      const team = await crew.ready({ ...form, player, weights });
      if (mine === this.turn) this.pool = team;
      if (mine === this.turn)
        await this.measure(
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
    const { remeasure } = this;
    if (remeasure === null || this.measuredPlacements.includes(which)) return;
    const mine = ++this.turn;
    this.measuredPlacements = [...this.measuredPlacements, which];
    this.stage = 'measuring';
    this.pending = this.pending.then(() => this.work(mine, () => remeasure(mine)));
  }

  /** Measure a placement of the reader's own beside the others; its number, or null when another analysis has started since. */
  async addOwn(own: Rows): Promise<number | null> {
    const line = [...this.lines, ...this.otherCandidates].find(({ rows }) => sameRows(rows, own));
    if (line !== undefined) {
      this.ownPlacement = line.which;
      this.add(line.which);
      return line.which;
    }
    if (this.current === null) return null;
    this.start(this.current.form, this.current.query, own);
    const mine = this.turn;
    await this.pending;
    return mine === this.turn ? this.ownPlacement : null;
  }

  /** The outcomes of two placements, street by street, with the same cards; null when unavailable. */
  async streetOutcomes(pair: readonly number[]): Promise<readonly (readonly StreetOutcome[])[] | null> {
    const mine = this.turn;
    await this.pending; // the workers do one thing at a time
    const { pool } = this;
    if (mine !== this.turn || pool === null) return null;
    const outcomes = pool.streetOutcomes(pair, OUTCOME_ROLLOUTS, SEED + 2n);
    this.pending = outcomes.then(
      () => undefined,
      () => undefined,
    );
    return outcomes;
  }

  end(): void {
    this.turn += 1;
    this.workers?.end();
  }

  private async work(mine: number, work: (crew: AnalysisWorkers) => Promise<void>): Promise<void> {
    if (mine !== this.turn) return;
    try {
      this.workers ??= new AnalysisWorkers();
      await work(this.workers);
    } catch (fault) {
      this.workers?.end();
      this.workers = null;
      if (mine !== this.turn) return;
      this.stage = 'failed';
      this.why = fault instanceof Error ? fault.message : String(fault);
    }
  }

  private async showRanking(
    mine: number,
    crew: AnalysisWorkers,
    form: AnalysisSetup,
    closed: ClosedQuery,
  ): Promise<void> {
    const ranking = await crew.rank(form, closed);
    if (mine !== this.turn) return;
    this.ranking = ranking;
    this.exact = true;
    this.count = ranking.legal;
    const toLine = (setting: RankedSetting, which: number): AnalysisLine => rankedLine(form.deck, setting, which);
    const best = ranking.settings.map(toLine);
    const { own } = ranking;
    this.ownPlacement = own?.place ?? null;
    this.lines = own === null || own.place < best.length ? best : [...best, toLine(own.setting, own.place)];
    this.stage = 'done';
  }

  private async showSolution(
    mine: number,
    crew: AnalysisWorkers,
    form: AnalysisSetup,
    goal: Objective,
    own?: readonly (readonly number[])[],
  ): Promise<void> {
    const optimum = await crew.complete(form, goal);
    const laid =
      own === undefined
        ? null
        : {
            ...(await crew.complete(form, { ...goal, rows: own, cards: [], fantasyland: goal.cards.length })),
            rows: own,
          };
    if (mine !== this.turn) return;
    this.solved = optimum;
    this.exact = true;
    this.count = 1;
    const text = (cards: readonly number[]): string[] => cards.map((card) => form.deck[card] ?? '');
    const toLine = (solution: Solution, which: number): AnalysisLine => {
      const used = solution.rows.flat();
      const thrown = text(goal.cards.filter((card) => !used.includes(card)));
      const parts = { rows: 0, royalties: solution.royalties, fantasyland: 0, fouls: 0 };
      return {
        which,
        rows: solution.rows.map(text),
        thrown,
        value: solution.value,
        error: 0,
        rollouts: 1,
        parts,
        foul: solution.legal ? 0 : 1,
        enters: solution.next > 0 ? 1 : 0,
        close: which === 0,
        next: solution.next,
      };
    };
    const best = toLine(optimum, 0);
    const mineToo = laid === null ? null : toLine(laid, 1);
    const same = mineToo !== null && sameRows(best.rows, mineToo.rows);
    this.ownPlacement = mineToo === null ? null : same ? 0 : 1;
    this.lines = mineToo === null || same ? [best] : [best, mineToo];
    this.stage = 'done';
  }

  private async measure(
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
    const ideas = placements.map((placement, which): CandidateRef => ({
      which,
      ...texts(deck, position, placement),
    }));
    const laid = own === null ? -1 : ideas.findIndex(({ rows }) => sameRows(rows, own));
    this.ownPlacement = laid < 0 ? null : laid;
    const show = (
      chosen: readonly number[],
      sums: readonly CandidateStats[],
      batches: readonly (readonly number[])[] = [],
    ): void => {
      const best = sums.reduce(
        (first, stats, at) => (mean(stats) > mean(sums[first] as CandidateStats) ? at : first),
        0,
      );
      const behind = (at: number): PairedLoss =>
        exact
          ? { points: mean(sums[best] as CandidateStats) - mean(sums[at] as CandidateStats), error: 0 }
          : lossBetween(batches, best, at);
      const lines = chosen.map((which, at) =>
        toLine(deck, position, placements[which] as Placement, {
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
    const best = order.slice(0, MAX_LINES);
    this.measuredPlacements = laid < 0 || best.includes(laid) ? best : [...best, laid];
    this.remeasure = async (turn) => {
      const chosen = this.measuredPlacements;
      this.stage = 'measuring';
      this.otherCandidates = ideas.filter(({ which }) => !chosen.includes(which));
      let drawn = 0;
      const batches: number[][] = []; // points so far of each placement, after each slice
      const last = await team.measure(chosen, MAX_SLICES, SEED + 1n, (sums) => {
        if (turn !== this.turn) return false;
        batches.push(sums.map(({ points }) => points));
        const enough = isPreciseEnough(sums);
        if (!enough && performance.now() - drawn < REDRAW_MS) return true;
        drawn = performance.now();
        show(chosen, sums, batches);
        return !enough;
      });
      if (turn !== this.turn) return;
      show(chosen, last, batches);
      this.stage = 'done';
    };
    await this.remeasure(mine);
  }
}

/** Whether the best of them are known well enough. */
function isPreciseEnough(sums: readonly CandidateStats[]): boolean {
  const best = sums.toSorted((a, b) => mean(b) - mean(a)).slice(0, PRECISE_LINES);
  return best.every((stats) => error(stats) <= TARGET_ERROR);
}

function texts(
  deck: readonly string[],
  position: Position,
  { rows }: Placement,
): Pick<CandidateRef, 'rows' | 'thrown'> {
  const text = (cards: readonly number[]): string[] => cards.map((card) => deck[card] ?? '');
  const used = rows.flat();
  return { rows: rows.map(text), thrown: text(position.cards.filter((card) => !used.includes(card))) };
}

/** The gap between two of the chosen placements, from what all had after each slice. */
function lossBetween(batches: readonly (readonly number[])[], best: number, other: number): PairedLoss {
  const points = (of: number): number[] => batches.map((sums, at) => (sums[of] ?? 0) - (batches[at - 1]?.[of] ?? 0));
  return pairedLoss(
    batches.map(() => SLICE_ROLLOUTS),
    points(best),
    points(other),
  );
}

/** A setting of a closed deal; `which`: how many are better. */
export function rankedLine(deck: readonly string[], setting: RankedSetting, which: number): AnalysisLine {
  const royalties = setting.royalties.reduce((sum, points) => sum + points, 0);
  return {
    which,
    rows: setting.rows.map((cards) => cards.map((card) => deck[card] ?? '')),
    thrown: [],
    value: setting.points,
    error: 0,
    rollouts: 1,
    parts: { rows: 0, royalties, fantasyland: 0, fouls: 0 },
    foul: setting.legal ? 0 : 1,
    enters: 0,
    close: which === 0,
    ranked: setting,
  };
}

export function toLine(
  deck: readonly string[],
  position: Position,
  placement: Placement,
  { which, sums, close }: EvaluatedPlacement,
): AnalysisLine {
  const each = (sum: number): number => sum / Math.max(1, sums.rollouts);
  const parts = ({ rows, royalties, fouled, fantasyland }: SidePoints): Parts => ({
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
