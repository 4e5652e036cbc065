// Unpack the browser of @sparticuz/chromium into TMPDIR and print how to start it, as JSON.
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The package carries the libraries that a bare system lacks, but unpacks them only where it
// believes itself in the cloud service that it is made for.
process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs24.x';
const { default: chromium } = await import('@sparticuz/chromium');
const executable = await chromium.executablePath();

// Its own fonts.conf looks in /tmp only, wherever it was unpacked.
const fonts = join(tmpdir(), 'fonts.conf');
writeFileSync(
  fonts,
  `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(tmpdir(), 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(tmpdir(), 'fonts-cache')}</cachedir>
</fontconfig>
`,
);

// One process for everything dies when one of several browser contexts is closed.
const alone = ['--single-process', '--no-zygote'];
console.log(
  JSON.stringify({
    executable,
    arguments: chromium.args.filter((argument) => !alone.includes(argument)),
    environment: { FONTCONFIG_FILE: fonts, LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH },
  }),
);
