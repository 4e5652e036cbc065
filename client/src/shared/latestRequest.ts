// Of several questions to the server only the answer to the latest counts, and only one is under way at a time.

import { m } from './i18n.svelte';
import { ApiError } from '../api/http';
import type { WireError } from '../api/generated/types';

/** What went wrong, in the server's words where it has said any. */
export const toApiError = (error: unknown): WireError =>
  error instanceof ApiError ? error.error : { code: 'failed', message: m.common_failed(), path: '$' };

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: WireError };

const AGAIN_AFTER = 500;
const TRIES = 20;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class LatestRequest {
  private asked = 0;
  private under: Promise<unknown> = Promise.resolve();

  /** The answer; null when something else was asked meanwhile, or nothing is wanted any more. A busy server is asked again. */
  async ask<T>(question: () => Promise<T>): Promise<Result<T> | null> {
    const mine = ++this.asked;
    // Who types quickly asks much: what is out of date before its turn comes is not sent at all.
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

  /** No answer that is still on its way is wanted. */
  forget(): void {
    this.asked += 1;
  }
}
