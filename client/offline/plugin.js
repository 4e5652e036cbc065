// Writes sw.js: the service worker with the names of all files of this build, and a version that follows from them.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const SOURCE = new URL('sw.js', import.meta.url);
const PUBLIC = ['/favicon.ico', '/icon.svg', '/manifest.webmanifest', '/kernel.wasm'];

/** @returns {import('vite').Plugin} */
export const serviceWorker = () => ({
  name: 'service-worker',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const built = Object.keys(bundle)
        .filter((name) => name.startsWith('assets/'))
        .map((name) => `/${name}`);
      const files = [...built.sort(), ...PUBLIC];
      const code = readFileSync(SOURCE, 'utf8');
      const version = createHash('sha256')
        .update(files.join(' ') + code)
        .digest('hex')
        .slice(0, 12);
      const head = `const VERSION = ${JSON.stringify(version)};\nconst FILES = ${JSON.stringify(files)};\n`;
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: head + code });
    },
  },
});
