// Of several questions to the server only the answer to the latest counts.

import { ApiError } from '../../wire/api';
import type { WireError } from '../../wire/types';

/** What went wrong, in the server's words where it has said any. */
export const told = (error: unknown): WireError =>
  error instanceof ApiError ? error.error : { code: 'failed', message: 'That did not work. Try again.', path: '$' };

export type Told<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: WireError };

export class Latest {
  private asked = 0;

  /** The answer; null when something else was asked meanwhile, or nothing is wanted any more. */
  async ask<T>(question: Promise<T>): Promise<Told<T> | null> {
    const mine = ++this.asked;
    try {
      const value = await question;
      return mine === this.asked ? { ok: true, value } : null;
    } catch (error) {
      return mine === this.asked ? { ok: false, error: told(error) } : null;
    }
  }

  /** No answer that is still on its way is wanted. */
  forget(): void {
    this.asked += 1;
  }
}
