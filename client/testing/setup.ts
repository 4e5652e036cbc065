// Before each file: the messages in English, and nothing kept by this browser.

import { beforeEach } from 'vitest';
import { language } from '../src/core/shared/language.svelte';

beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  await language.choose('en');
});
