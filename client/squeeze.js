// After `vite build`: write each text file of dist/ a second and third time, as small as it gets, so that the server
// squeezes nothing again for every visitor.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

for (const entry of readdirSync('dist', { recursive: true, withFileTypes: true })) {
  if (!/\.(css|html|js|svg|webmanifest)$/.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  const whole = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(whole, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(whole));
}
