// Before each file: all messages in English, and nothing kept by this browser.

import { beforeEach, vi } from 'vitest';
import { language } from '../src/shared/i18n.svelte';

beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  await language.choose('en');
  await language.complete();
});

// Waiting ends as soon as the condition holds; its limit is only for what hangs, a machine may be busy.
const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, { timeout: 60_000, ...(typeof options === 'number' ? { timeout: options } : options) });
