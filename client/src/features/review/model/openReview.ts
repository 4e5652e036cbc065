// A deal on its way from another page to its review: a history's text, or what a match on this device tells. It lies in the
// browser's own history, so that the review is still there after a reload, or for who comes back to it.

import type { ReviewSetup } from '../../../api/generated/types';
import { router } from '../../../shared/router.svelte';

/** `back`: where the match is. */
export interface Handed {
  readonly text?: string;
  readonly form?: ReviewSetup;
  readonly back?: string;
}

export const openReview = (deal: Handed): void => router.go('/review', deal);

/** What was handed to the page that lies open; nothing else writes there. */
export const pendingReview = (): Handed => (router.state as Handed | null) ?? {};
