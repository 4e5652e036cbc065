// What the kernel says about the boards of a lesson.

import { RequestWriter } from '../../../engine/bytes';
import { compiled, Kernel } from '../../../engine/kernel';
import { boardStatus, scored, type Scored, type ScoredHand } from '../../../engine/solo';
import type { AnalysisSetup } from '../../../api/generated/types';
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
    const kernel = new Kernel(await compiled());
    return new LessonChecker(
      kernel,
      kernel.keep('keep_rules', new RequestWriter().raw(decoded(form.rules))),
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

  /** A board's hand, scored against itself. */
  hand(board: string): ScoredHand {
    const [hand] = this.deal([board, board]).hands;
    if (hand === undefined) throw new Error(`no board: ${board}`);
    return hand;
  }

  /** What the first of two boards wins of the second, with its reasons. */
  deal(boards: readonly string[]): Scored {
    const hands = boards.flatMap((board, owner) => [
      0,
      ROWS_DECLARED,
      0,
      0,
      owner,
      ...this.numbers(cardsOf(board)).flat(),
    ]);
    return scored(this.kernel, this.rules, Uint8Array.from(hands));
  }

  /** The most royalties that a last street can still bring. */
  best({ hands, me }: BoardPosition): number {
    const mine = hands[me];
    if (mine === undefined) return 0;
    const rows = ROWS.map((row) => [...mine[row]]);
    const place = (left: readonly string[]): number => {
      const [card, ...rest] = left;
      if (rows.every((row, at) => row.length === SLOTS[ROWS[at] ?? 'front'])) return this.worth(rows);
      if (card === undefined) return 0;
      let most = place(rest);
      for (const [at, row] of rows.entries()) {
        if (row.length === SLOTS[ROWS[at] ?? 'front']) continue;
        row.push(card);
        most = Math.max(most, place(rest));
        row.pop();
      }
      return most;
    };
    return place(mine.drawn);
  }

  private worth(rows: readonly (readonly string[])[]): number {
    const { condemned, royalties } = boardStatus(this.kernel, this.rules, this.jokers, this.numbers(rows));
    return condemned === 0 ? royalties.reduce((sum, one) => sum + one, 0) : 0;
  }

  private numbers(rows: readonly (readonly string[])[]): number[][] {
    return rows.map((row) => row.map((card) => this.deck.indexOf(card)));
  }
}

/** A lesson's position; the lessons' own are right. */
export function positionOf(text: string): BoardPosition {
  const found = readPosition(text);
  if (found === null) throw new Error(`no position: ${text}`);
  return found;
}

/** What a person may choose from: the truth and what is close to it. */
export const choices = (truth: number): number[] =>
  [...new Set([truth - 3, truth - 1, truth, -truth, truth + 2])].toSorted((a, b) => a - b);
