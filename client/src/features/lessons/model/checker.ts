// What the kernel says about the boards of a lesson.

import { RequestWriter } from '../../../engine/bytes';
import { compileKernel, Kernel } from '../../../engine/kernel';
import { boardStatus, scoreDeal, type DealScore, type ScoredHand } from '../../../engine/solo';
import type { AnalysisSetup, Layout } from '../../../api/generated/types';
import { readPosition, type BoardPosition } from '../../analyse/model/position';
import { decoded } from '../../solo/model/match';
import { cardsIn, ROWS, SLOTS } from '../../../cards/rows';

const ROWS_DECLARED = 7;

/** `QhQd7c/…/…` as cards by row. */
export const cardsOf = (board: string): string[][] => board.split('/').map(cardsIn);

export class LessonChecker {
  private constructor(
    private readonly kernel: Kernel,
    private readonly rules: number,
    private readonly deck: readonly string[],
    private readonly jokers: number,
  ) {}

  static async of(form: AnalysisSetup): Promise<LessonChecker> {
    const kernel = new Kernel(await compileKernel());
    return new LessonChecker(
      kernel,
      kernel.store('keep_rules', new RequestWriter().raw(decoded(form.rules))),
      form.deck,
      form.jokers,
    );
  }

  fouls(board: string): boolean {
    return boardStatus(this.kernel, this.rules, this.jokers, this.numbers(cardsOf(board))).condemned !== 0;
  }

  royalties(board: string): number {
    return this.worth(cardsOf(board));
  }

  /** What one row earns by itself. */
  rowRoyalty(rows: readonly (readonly string[])[], at: number): number {
    return boardStatus(this.kernel, this.rules, this.jokers, this.numbers(rows)).royalties[at] ?? 0;
  }

  /** A board's hand, scored against itself. */
  hand(board: string): ScoredHand {
    const [hand] = this.deal([board, board]).hands;
    if (hand === undefined) throw new Error(`no board: ${board}`);
    return hand;
  }

  /** What the first of two boards wins of the second, with its reasons. */
  deal(boards: readonly string[]): DealScore {
    const hands = boards.flatMap((board, owner) => [
      0,
      ROWS_DECLARED,
      0,
      0,
      owner,
      ...this.numbers(cardsOf(board)).flat(),
    ]);
    return scoreDeal(this.kernel, this.rules, Uint8Array.from(hands));
  }

  /** The most royalties that a last street can still bring. */
  best(position: BoardPosition): number {
    return Math.max(0, ...finishedBoards(position).map((rows) => this.worth(rows)));
  }

  /** Where a last street's cards go so that the board is right, with the most royalties. */
  solution(position: BoardPosition, right: (hand: ScoredHand, best: number) => boolean): Layout {
    const best = this.best(position);
    const boards = finishedBoards(position).filter((rows) => right(this.hand(boardText(rows)), best));
    const [rows] = boards.toSorted((a, b) => this.worth(b) - this.worth(a));
    const drawn = position.hands[position.me]?.drawn ?? [];
    const placed = (at: number): string[] => (rows?.[at] ?? []).filter((card) => drawn.includes(card));
    return { front: placed(0), middle: placed(1), back: placed(2) };
  }

  private worth(rows: readonly (readonly string[])[]): number {
    const { condemned, royalties } = boardStatus(this.kernel, this.rules, this.jokers, this.numbers(rows));
    return condemned === 0 ? royalties.reduce((sum, points) => sum + points, 0) : 0;
  }

  private numbers(rows: readonly (readonly string[])[]): number[][] {
    return rows.map((row) => row.map((card) => this.deck.indexOf(card)));
  }
}

const boardText = (rows: readonly (readonly string[])[]): string => rows.map((row) => row.join('')).join('/');

/** Every full board that a last street can make, fouls too. */
function finishedBoards({ hands, me }: BoardPosition): string[][][] {
  const mine = hands[me];
  if (mine === undefined) return [];
  const boards: string[][][] = [];
  const place = (rows: readonly (readonly string[])[], [card, ...rest]: readonly string[]): void => {
    if (rows.every((row, at) => row.length === SLOTS[ROWS[at] ?? 'front'])) {
      boards.push(rows.map((row) => [...row]));
      return;
    }
    if (card === undefined) return;
    place(rows, rest);
    for (const [at, row] of rows.entries())
      if (row.length < SLOTS[ROWS[at] ?? 'front']) place(rows.with(at, [...row, card]), rest);
  };
  place(
    ROWS.map((row) => mine[row]),
    mine.drawn,
  );
  return boards;
}

/** A lesson's position; the lessons' own are right. */
export function positionOf(text: string): BoardPosition {
  const position = readPosition(text);
  if (position === null) throw new Error(`no position: ${text}`);
  return position;
}

/** What a person may choose from: the truth and what is close to it. */
export const choices = (truth: number): number[] =>
  [...new Set([truth - 3, truth - 1, truth, -truth, truth + 2])].toSorted((a, b) => a - b);
