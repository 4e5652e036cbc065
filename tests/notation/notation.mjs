// Reads for a test positions as the client does, and tells of each hand what its order is by some rules: a question a line, an
// answer a line.
import { registerHooks } from 'node:module';
import { createInterface } from 'node:readline';

// The client's imports leave the ending to its bundler.
registerHooks({
  resolve: (name, context, next) => next(/^\.\.?\//.test(name) && !/\.\w+$/.test(name) ? `${name}.ts` : name, context),
});
const client = (name) => import(new URL(`../../client/src/features/${name}.ts`, import.meta.url).href);
const { positionLink, positionText, readPosition } = await client('analyse/model/position');
const { rowCountsAfter, rowCountsIn } = await client('analyse/model/buildQuery');
const { scriptFromPosition } = await client('solo/model/position');

for await (const line of createInterface({ input: process.stdin })) {
  const { text, form, added } = JSON.parse(line);
  const setUp = readPosition(text);
  const told = setUp && { setUp, text: positionText(setUp), link: positionLink(setUp) };
  if (setUp && form) {
    told.laid = setUp.hands.map((hand) => rowCountsIn(form, hand));
    told.script = scriptFromPosition(form, setUp);
  }
  if (setUp && added) {
    const before = setUp.hands[setUp.me];
    told.after = rowCountsAfter(form, before, { ...before, ...Object.fromEntries(Object.entries(added).map(([row, cards]) => [row, [...before[row], ...cards]])) });
  }
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
