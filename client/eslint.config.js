import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import { noCallAtImport } from './message-calls.js';
import { plain } from './check-messages.js';
import svelteConfig from './svelte.config.js';

export default ts.config(
  { ignores: ['dist/', 'node_modules/', 'paraglide/'] },
  js.configs.recommended,
  ts.configs.strict,
  svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
  },
  { files: ['offline/sw.js'], languageOptions: { globals: { ...globals.serviceworker } } },
  // Tools for the command line.
  { files: ['*.js', 'offline/plugin.js'], languageOptions: { globals: { ...globals.node } } },
  // A test says what it shows; nobody reads it on a page.
  {
    files: ['src/**'],
    ignores: ['**/*.test.ts'],
    plugins: { words: { rules: { plain, 'no-call-at-import': noCallAtImport } } },
    rules: { 'words/plain': 'error', 'words/no-call-at-import': 'error' },
  },
);
