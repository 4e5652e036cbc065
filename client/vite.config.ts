import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const server = 'http://127.0.0.1:8313';

export default defineConfig({
  plugins: [svelte()],
  build: { outDir: 'dist', target: 'es2022' },
  // `npm run dev` shows the client with hot reload against a running `triptych --no-browser`.
  server: { proxy: { '/api': server, '/ws': { target: server, ws: true } } },
});
