// Before each file: all messages in English, and nothing kept by this browser.

import { beforeEach } from 'vitest';
import { language } from '../src/shared/i18n.svelte';

beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  await language.choose('en');
  await language.complete();
});
