// The practice page: which puzzle is next, the cards that are being placed in it, and what became of it.

import { toApiError } from '../../../shared/latestRequest';
import { cardsPlaced, type PositionHand, type BoardPosition } from '../../analyse/model/position';
import type { AnalysisLine } from '../../analyse/model/analysis.svelte';
import { ROWS, SLOTS } from '../../../cards/cards';
import { PendingPlacements } from '../../table/model/pendingPlacement.svelte';
import type { ToolsApi } from '../../../api/http';
import type { BoardView, PuzzleCollection, RowName, Task } from '../../../api/generated/types';
import { rememberCollection, lastCollection } from './game';
import { progress } from './progress.svelte';
import { matchesPlacement, toAnalysisLine, readPuzzles, setUpOf, type Puzzle } from './puzzle';

export type PuzzleSource = 'puzzles' | 'mistakes';

/** An attempt: which of the lines was played, null for another placement; `shown`: the player asked for the answer. */
export interface Attempt {
  readonly which: number | null;
  readonly shown: boolean;
  readonly right: boolean;
  readonly rating: number;
}

const NOTHING = { front: [], middle: [], back: [] };

export class Practice {
  collections = $state.raw<readonly PuzzleCollection[]>([]);
  /** The puzzles of the chosen collection; null until they are there. */
  puzzles = $state.raw<readonly Puzzle[] | null>(null);
  problem = $state<string | null>(null);
  from = $state<PuzzleSource>('puzzles');
  theme = $state('');
  chosen = $state('');
  puzzle = $state.raw<Puzzle | null>(null);
  setUp = $state.raw<BoardPosition | null>(null);
  done = $state.raw<Attempt | null>(null);
  readonly placing = new PendingPlacements(() => Promise.resolve({ ok: true, v: 0 }));
  private number = 0;

  readonly lines = $derived(this.puzzle === null ? [] : this.puzzle.choices.map(toAnalysisLine));
  readonly boards = $derived(
    this.setUp === null ? [] : this.setUp.hands.map((hand, at) => boardView(hand, at, at === this.setUp?.me)),
  );

  constructor(private readonly tools: ToolsApi) {
    void this.open();
  }

  private async open(): Promise<void> {
    try {
      this.collections = await this.tools.puzzles();
    } catch (fault) {
      this.problem = toApiError(fault).message;
    }
    const collection = lastCollection(this.collections);
    if (collection !== undefined) await this.choose(collection.file);
    else if (this.problem === null) this.puzzles = [];
    if (this.puzzle === null) this.next();
  }

  /** Practise another game; what cannot be fetched is said. */
  async choose(file: string): Promise<void> {
    this.chosen = file;
    this.puzzles = null;
    this.problem = null;
    try {
      const puzzles = readPuzzles(await this.tools.puzzleFile(file));
      if (this.chosen !== file) return;
      this.puzzles = puzzles;
    } catch (fault) {
      if (this.chosen === file) this.problem = toApiError(fault).message;
      return;
    }
    const collection = this.collections.find((collection) => collection.file === file);
    if (collection !== undefined) rememberCollection(collection);
    if (this.from === 'puzzles') this.next();
  }

  take(from: PuzzleSource): void {
    this.from = from;
    this.next();
  }

  about(theme: string): void {
    this.theme = theme;
    this.next();
  }

  /** Puzzles of the chosen theme that were not tried yet. */
  readonly fresh = $derived(
    (this.puzzles ?? []).filter(
      (puzzle) => !progress.seen(puzzle.id) && (this.theme === '' || puzzle.themes.includes(this.theme)),
    ),
  );

  /** What is due first; then a new puzzle, the nearest to my rating. */
  next(): void {
    const due = progress
      .due(Date.now())
      .filter(
        (scheduled) => this.from === 'mistakes' || this.theme === '' || scheduled.puzzle.themes.includes(this.theme),
      );
    const near = (puzzle: Puzzle): number => Math.abs((puzzle.rating ?? 0) - progress.rating);
    const fresh = this.from === 'puzzles' ? this.fresh.toSorted((a, b) => near(a) - near(b)) : [];
    this.lay(due[0]?.puzzle ?? fresh[0] ?? null);
  }

  private lay(puzzle: Puzzle | null): void {
    const setUp = puzzle === null ? null : setUpOf(puzzle);
    this.puzzle = setUp === null ? null : puzzle;
    this.setUp = setUp;
    this.done = null;
    this.number += 1;
    const tasks = puzzle === null || setUp === null ? [] : [task(puzzle, setUp)];
    this.placing.follow({ v: 0, ahead: [], deal: { number: this.number, tasks } });
  }

  /** My placement stands: is it the best? */
  answer(): void {
    const { puzzle, placing } = this;
    if (puzzle === null || this.done !== null || !placing.isComplete) return;
    const layout = placing.active?.now.layout ?? NOTHING;
    const rows = ROWS.map((row) => layout[row]);
    this.judge(puzzle, this.lines.find((line) => matchesPlacement(line, rows)) ?? null);
  }

  /** Show the answer; it counts as missed. */
  giveUp(): void {
    if (this.puzzle !== null && this.done === null) this.judge(this.puzzle, null, true);
  }

  private judge(puzzle: Puzzle, line: AnalysisLine | null, isShown = false): void {
    const right = line?.which === 0;
    const before = progress.rating;
    progress.attempted(puzzle, right, Date.now());
    this.done = { which: line?.which ?? null, shown: isShown, right, rating: progress.rating - before };
    void this.placing.confirm();
  }
}

function task(puzzle: Puzzle, { hands, me }: BoardPosition): Task {
  const hand = hands[me] as PositionHand;
  const [best] = puzzle.choices;
  const discard = best === undefined ? 0 : toAnalysisLine(best, 0).thrown.length;
  const open = { front: free(hand, 'front'), middle: free(hand, 'middle'), back: free(hand, 'back') };
  return {
    hand: me,
    kind: 'place',
    street: cardsPlaced(hand) + 1,
    cards: hand.drawn,
    place: hand.drawn.length - discard,
    discard,
    open,
    layout: NOTHING,
    legal: true,
    natural: '',
    surrender: 0,
    rows: [],
  };
}

const free = (hand: PositionHand, row: RowName): number => SLOTS[row] - hand[row].length;

function boardView(hand: PositionHand, at: number, mine: boolean): BoardView {
  const row = (name: RowName) => ({ cards: hand[name], name: '', royalty: 0, warning: '' });
  return {
    hand: at,
    seat: at,
    front: row('front'),
    middle: row('middle'),
    back: row('back'),
    street: 0,
    acting: mine,
    done: false,
    face_down: false,
    fantasyland: hand.fantasyland,
    in_row: 0,
    draws: mine ? hand.drawn : [],
    pending: [],
    discards: mine ? hand.discards : [],
    natural: '',
    laid: hand.laid,
    status: 'playing',
  };
}
