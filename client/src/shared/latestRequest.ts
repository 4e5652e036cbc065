// Of several requests to the server only the response to the latest counts, and only one is under way at a time.

import { m } from './i18n.svelte';
import { ApiError } from '../api/http';
import type { WireError } from '../api/generated/types';

/** What went wrong, with the server's message when there is one. */
export const toApiError = (error: unknown): WireError =>
  error instanceof ApiError ? error.error : { code: 'failed', message: m.common_failed(), path: '$' };

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: WireError };

const AGAIN_AFTER = 500;
const TRIES = 20;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class LatestRequest {
  private asked = 0;
  private under: Promise<unknown> = Promise.resolve();

  /** The result; null when a later request or `forget` replaced this one. A busy server is asked again. */
  async ask<T>(question: () => Promise<T>): Promise<Result<T> | null> {
    const mine = ++this.asked;
    // Fast typing makes many requests: one that is outdated before its turn comes is not sent at all.
    await this.under;
    for (let left = TRIES; mine === this.asked; left -= 1) {
      const answer = question();
      this.under = answer.catch(() => undefined);
      try {
        const value = await answer;
        return mine === this.asked ? { ok: true, value } : null;
      } catch (error) {
        const why = toApiError(error);
        if (why.code !== 'server.busy' || left === 0) return mine === this.asked ? { ok: false, error: why } : null;
        await pause(AGAIN_AFTER);
      }
    }
    return null;
  }

  /** Discard the response that is still on its way. */
  forget(): void {
    this.asked += 1;
  }
}
