// After `vite build`: write each text file of dist/ a second and third time, as small as it gets, so that the server
// squeezes nothing again for every visitor.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

// The page's first words wait for no style sheet: those stand after them.
const page = join('dist', 'index.html');
const built = readFileSync(page, 'utf8');
const sheets = built.match(/ *<link rel="stylesheet"[^>]*>\n/g) ?? [];
const bare = sheets.reduce((html, sheet) => html.replace(sheet, ''), built);
writeFileSync(page, bare.replace('  </body>', `${sheets.join('')}  </body>`));

for (const entry of readdirSync('dist', { recursive: true, withFileTypes: true })) {
  if (!/\.(css|html|js|svg|webmanifest)$/.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  const whole = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(whole, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(whole));
}
