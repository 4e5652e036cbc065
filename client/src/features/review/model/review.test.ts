import { expect, test } from 'vitest';
import type { ReviewSetup } from '../../../api/generated/types';
import { ReviewState } from './review.svelte';
import { packed, type SavedReview } from './savedReviews';

const form = (weights: string): ReviewSetup =>
  ({ hands: [], streets: [], stacks: '', you: 0, analysis: { weights, closed: null } }) as unknown as ReviewSetup;
const archive = (review: SavedReview) => ({ load: () => Promise.resolve(review), save: () => Promise.resolve() });

test('a review by older weights is made anew; by the same, or without a server, it stands', async () => {
  const saved = packed(form('/weights/1'), {});
  for (const [request, weights] of [
    [() => Promise.resolve(form('/weights/2')), '/weights/2'],
    [() => Promise.resolve(form('/weights/1')), '/weights/1'],
    [() => Promise.reject(new Error('away')), '/weights/1'],
  ] as const) {
    const review = new ReviewState(0);
    await review.load(request, false, archive(saved));
    expect(review.problem).toBeNull();
    expect(review.form?.analysis.weights).toBe(weights);
    expect(review.stage).toBe('done');
  }
});
