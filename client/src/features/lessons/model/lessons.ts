// The six lessons: their texts, their positions, and what counts as right. The kernel says whether a board is a foul, what
// it earns and what a deal brings.

import type { ScoredHand } from '../../../engine/solo';
import { m } from '../../../shared/i18n.svelte';

/** Boards are front, middle, back: `QhQd7c/QsQc9d8c2c/8c9cTcJc2c`. */
export type Step =
  /**
   * Finish a deal from a position; `right` judges the player's scored hand, `best` is the most royalties within reach,
   * `wants` what the board is to bring beside order.
   */
  | {
      readonly kind: 'place';
      readonly text: () => string;
      readonly preset: string;
      readonly position: string;
      readonly right: (hand: ScoredHand, best: number) => boolean;
      readonly wants?: 'royalties' | 'fantasyland';
    }
  /** Play the fantasyland that the step before has earned. */
  | { readonly kind: 'fantasyland'; readonly text: () => string; readonly right: (hand: ScoredHand) => boolean }
  /** Find the board that fouls, or that earns most royalties. */
  | {
      readonly kind: 'pick';
      readonly text: () => string;
      readonly boards: readonly string[];
      readonly what: 'foul' | 'royalties';
    }
  /** Say a board's royalties, or what the first of two boards wins of the second; `own`: of the deal just played. */
  | {
      readonly kind: 'count';
      readonly text: () => string;
      readonly boards: readonly string[] | 'own';
      readonly what: 'royalties' | 'points';
    }
  /** A whole deal against a gentle bot; `shows`: what is said of it beside its points. */
  | {
      readonly kind: 'deal';
      readonly text: () => string;
      readonly preset: string;
      readonly right: (hand: ScoredHand) => boolean;
      readonly shows?: 'royalties' | 'discards';
    };

export interface Lesson {
  readonly title: () => string;
  readonly steps: readonly Step[];
}

const legal = (hand: ScoredHand): boolean => hand.offending === 0;
export const royalties = (hand: ScoredHand): number =>
  legal(hand) ? hand.royalties.reduce((sum, points) => sum + points, 0) : 0;
const deal = (preset: string): Step => ({ kind: 'deal', text: m.lessons_deal, preset, right: legal });

export const PRESET = 'pineapple';

export const LESSONS: readonly Lesson[] = [
  {
    title: m.lessons_rows,
    steps: [
      {
        kind: 'place',
        text: m.lessons_rows_place,
        preset: 'turbo',
        position: '*5h5d/9s9d3c/QcQdJs6h +Qs9h2d7c | Ah8c4d/TsTd4h3h2h/KcKdKsJh8h',
        right: legal,
      },
      deal('turbo'),
    ],
  },
  {
    title: m.lessons_fouls,
    steps: [
      {
        kind: 'pick',
        text: m.lessons_fouls_pick,
        what: 'foul',
        boards: ['8h8d3c/KsKdJc9h4s/7c7d7h2s2d', 'QhQd7c/JsJd9c8h2c/AcAdTcTh3s', 'AhKd9c/6s6d5c3h2c/8s8cJdJh4c'],
      },
      {
        kind: 'place',
        text: m.lessons_fouls_place,
        preset: PRESET,
        position: '*QhQd6c/9s9d4h2c/8c8dAcAd +9h8sKc | 7h5d2d/TsTd4d3d2h/JcJdJsKh5h',
        right: legal,
      },
      deal('turbo'),
    ],
  },
  {
    title: m.lessons_royalties,
    steps: [
      {
        kind: 'pick',
        text: m.lessons_royalties_pick,
        what: 'royalties',
        boards: ['7h7d2c/JsJdJc9h4s/TcTdTh5s5d', 'AhKd9c/QsQdTc3h2c/4h5h8hJhKh', '6s6d4c/8c9dTsJhQc/AsAdAc7s7c'],
      },
      { kind: 'count', text: m.lessons_royalties_count, what: 'royalties', boards: ['8h8d3c/KsKdKc9h4s/5c6c7c8cTc'] },
      {
        kind: 'deal',
        text: m.lessons_deal_royalties,
        preset: 'turbo',
        right: (hand) => royalties(hand) > 0,
        shows: 'royalties',
      },
    ],
  },
  {
    title: m.lessons_land,
    steps: [
      {
        kind: 'place',
        text: m.lessons_land_place,
        preset: PRESET,
        position: '*Qh4c/AsAd7c3h/TcTdTsJh5d +Qd6s9c | 8h7d2c/5s5h4d3d2h/KcKdKsJc6d',
        right: (hand) => hand.next > 0,
        wants: 'fantasyland',
      },
      { kind: 'fantasyland', text: m.lessons_land_set, right: legal },
    ],
  },
  {
    title: m.lessons_discard,
    steps: [
      {
        kind: 'place',
        text: m.lessons_discard_place,
        preset: PRESET,
        position: '*7s7d3c/JsJd8c5d/2h6h9hKh +AhJcQs | AdQd6c/TsTd5h3d2c/KcKdKs4h4s',
        right: (hand, best) => royalties(hand) === best,
        wants: 'royalties',
      },
      { kind: 'deal', text: m.lessons_deal_discard, preset: PRESET, right: legal, shows: 'discards' },
    ],
  },
  {
    title: m.lessons_scoring,
    steps: [
      {
        kind: 'count',
        text: m.lessons_scoring_count,
        what: 'points',
        boards: ['AhKd9c/QsQdTs3h2c/4h5h8hJhKh', '8d8s3c/JcJd7c6d2d/TcTdTh5s4s'],
      },
      {
        kind: 'count',
        text: m.lessons_scoring_scoop,
        what: 'points',
        boards: ['QhQd4c/AsAd7c3h2s/TcTdTsJhJd', 'Kh9s5c/8h8d6c4s2h/KcKs7h7d3s'],
      },
      { kind: 'deal', text: m.lessons_deal_scoring, preset: PRESET, right: legal },
      { kind: 'count', text: m.lessons_scoring_own, what: 'points', boards: 'own' },
    ],
  },
];

/** So many lessons, from the first on, are what a newcomer needs. */
export const FIRST_LESSONS = 2;

/** The games that they are played in. */
export const GAMES: readonly string[] = LESSONS.flatMap(({ steps }) =>
  steps.flatMap((step) => ('preset' in step ? [step.preset] : [])),
);
