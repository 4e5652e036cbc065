// Compiles messages/*.json into paraglide/, one module a language, which core/shared/language.svelte.ts loads.
// Nothing comes from the network: the message format lies in node_modules (project.inlang/settings.json), telemetry is
// off, and whoever tries to fetch all the same is stopped. What was compiled from the same inputs stays.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const STAMP = './paraglide/.inputs';
const messages = readdirSync('./messages').map((name) => `./messages/${name}`);
const hash = createHash('sha256');
for (const file of ['./words.js', './package-lock.json', './project.inlang/settings.json', ...messages.toSorted()]) hash.update(file).update(readFileSync(file));
const inputs = hash.digest('hex');
try {
  if (readFileSync(STAMP, 'utf8') === inputs) process.exit(0);
} catch {
  // Nothing was compiled yet.
}

// The compiler's registry makes plural rules anew for every message that counts, which takes longer than the rest of it.
const REGISTRY = `const rules = new Map();

/**
 * @param {import("./runtime.js").Locale} locale
 * @param {unknown} input
 * @param {Intl.PluralRulesOptions} [_options]
 * @returns {string}
 */
export function plural(locale, input, _options) {
  let kept = rules.get(locale);
  if (kept === undefined) rules.set(locale, (kept = new Intl.PluralRules(locale)));
  return kept.select(Number(input));
}
`;

globalThis.fetch = () => Promise.reject(new Error('words are compiled without the network'));

try {
  const { compile } = await import('@inlang/paraglide-js');
  await compile({ project: './project.inlang', outdir: './paraglide', outputStructure: 'locale-modules', strategy: ['baseLocale'] });
  writeFileSync('./paraglide/registry.js', REGISTRY);
  writeFileSync(STAMP, inputs);
} catch (error) {
  const missing = error?.code === 'ERR_MODULE_NOT_FOUND';
  console.error(missing ? 'client: paraglide is not installed; run `uv run python -m scripts.check client`, or `npm install` here' : error);
  process.exit(1);
}
// The compiler's database would keep the process open for a while.
process.exit(0);
