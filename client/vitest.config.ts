import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// `npm test`: the logic of this client, each test beside its code.
export default defineConfig({
  plugins: [svelte()],
  resolve: { conditions: ['browser'] }, // Svelte's own code as a browser runs it
  test: {
    include: ['src/**/*.test.ts'],
    environment: './testing/environment.ts',
    setupFiles: ['./testing/setup.ts'],
    // One thread, its modules loaded once: the whole takes a few seconds of one processor.
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 240_000, // only for what hangs: a machine may be busy
    coverage: { include: ['src/**/model/**', 'src/{api,cards,engine,sheet,shared}/**'] },
  },
});
