import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { serviceWorker } from './offline/plugin.js';

// A review says which kernel has measured it.
process.env['VITE_KERNEL'] = createHash('sha256')
  .update(readFileSync(new URL('../native/web/kernel.wasm.gz', import.meta.url)))
  .digest('hex')
  .slice(0, 12);

const server = 'http://127.0.0.1:8313';

// Of the parts for all, what neither the lobby nor a table shows at first.
const LATER =
  /ui.(settings|ChartFrame|FileButton|SplitLayout|TextBox)|cards.(CardText|Deck|FillRow)|shared.(database|plot)/;

export default defineConfig({
  plugins: [svelte(), serviceWorker()],
  build: {
    outDir: 'dist',
    target: 'es2022',
    manifest: 'chunks.json', // tells the server which files a page needs
    // What every page needs comes in one file: over a slow line each further one costs more than its bytes.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'shared',
              test: (id) =>
                /node_modules.svelte|src.(shared|ui|cards|sheet.sheet|api)|runtime|paraglide.\w+.registry/.test(id) &&
                !LATER.test(id),
            },
            {
              name: 'rows',
              test: /table.(parts.(CardSlot|Row|Tray)\.|model.(drag|flip|gestures|keys|pendingPlacement|placement|scene|sound)\.)/,
            },
          ],
        },
      },
    },
  },
  // `npm run dev` shows the client with hot reload against a running `triptych --no-browser`.
  // The server answers only requests whose Host is their Origin's: the proxy keeps the Host.
  server: {
    proxy: {
      '/api': { target: server, changeOrigin: false },
      '/ws': { target: server, ws: true, changeOrigin: false },
    },
  },
});
