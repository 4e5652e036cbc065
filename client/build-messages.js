// Compiles messages/*.json into paraglide/, three modules a language, which src/shared/i18n.svelte.ts loads: what the lobby
// says, what a table says besides, and the rest.
// Nothing comes from the network: the message format lies in node_modules (project.inlang/settings.json), telemetry is
// off, and whoever tries to fetch all the same is stopped. What was compiled from the same inputs stays.
import { createHash } from 'node:crypto';
import { promises, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

// Its parts by their paths: the whole reads what joins it to bundlers too, which takes longer than the compiling.
const COMPILER = './node_modules/@inlang/paraglide-js/dist';
const STAMP = './paraglide/.inputs';
// How their keys begin (tests/client/test_messages.py): people on a first visit wait for no others.
const PARTS = {
  lobby: ['app', 'cards', 'common', 'header', 'lobby', 'nav', 'not', 'settings', 'ui'],
  table: ['analyse', 'guide', 'rules', 'sheet', 'table', 'tournament'],
};
const messages = readdirSync('./messages').map((name) => `./messages/${name}`);
const hash = createHash('sha256');
for (const file of [
  './build-messages.js',
  './package-lock.json',
  './project.inlang/settings.json',
  ...messages.toSorted(),
])
  hash.update(file).update(readFileSync(file));
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

// Reads the messages as the compiler wants them. Its own loader puts every message and variant into a database by
// statements of its own, which takes three quarters of the time.
async function readBundles(settings) {
  const { default: plugin } = await import('@inlang/plugin-message-format');
  const files = settings.locales.map((locale) => ({ locale, content: readFileSync(`./messages/${locale}.json`) }));
  const { bundles, messages, variants } = await plugin.importFiles({ settings, files });
  const nested = new Map(bundles.map((bundle) => [bundle.id, { ...bundle, messages: [] }]));
  const byLocale = new Map();
  const key = (bundle, locale) => `${bundle} ${locale}`;
  for (const message of messages) {
    const own = { ...message, id: key(message.bundleId, message.locale), variants: [] };
    nested.get(own.bundleId).messages.push(own);
    byLocale.set(own.id, own);
  }
  variants.forEach(({ messageBundleId, messageLocale, ...variant }, number) => {
    const messageId = key(messageBundleId, messageLocale);
    byLocale.get(messageId).variants.push({ ...variant, id: `${number}`, messageId });
  });
  return [...nested.values()];
}

try {
  const { compileProject } = await import(`${COMPILER}/compiler/compile-project.js`);
  const { writeOutput } = await import(`${COMPILER}/services/file-handling/write-output.js`);
  const settings = JSON.parse(readFileSync('./project.inlang/settings.json', 'utf8'));
  const bundles = await readBundles(settings);
  rmSync('./paraglide', { recursive: true, force: true });
  const partOf = ({ id }) => Object.keys(PARTS).find((part) => PARTS[part].includes(id.split('_', 1)[0])) ?? 'rest';
  for (const part of [...Object.keys(PARTS), 'rest']) {
    const own = bundles.filter((bundle) => partOf(bundle) === part);
    // All that the compiler asks of a project: its settings, and its bundles with their messages and variants.
    const project = {
      settings: { get: () => Promise.resolve(settings) },
      db: { execute: () => Promise.resolve(own) }, // see bundles/
    };
    const output = await compileProject({
      project,
      compilerOptions: { outputStructure: 'locale-modules', strategy: ['baseLocale'] },
    });
    const directory = `./paraglide/${part}`;
    await writeOutput({ directory, output, cleanDirectory: true, fs: promises });
    writeFileSync(`${directory}/registry.js`, REGISTRY);
  }
  writeFileSync(STAMP, inputs);
} catch (error) {
  const missing = error?.code === 'ERR_MODULE_NOT_FOUND';
  console.error(
    missing
      ? 'client: paraglide is not installed; run `uv run python -m scripts.check client`, or `npm install` here'
      : error,
  );
  process.exit(1);
}
