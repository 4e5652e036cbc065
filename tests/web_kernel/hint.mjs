// Says for a test what the client would ask the kernel for a hint: a view of a deal a line, an answer a line.
import { registerHooks } from 'node:module';
import { createInterface } from 'node:readline';

// The client's imports leave the ending to its bundler.
registerHooks({
  resolve: (name, context, next) => next(/^\.\.?\//.test(name) && !/\.\w+$/.test(name) ? `${name}.ts` : name, context),
});
const client = (name) => import(new URL(`../../client/src/features/${name}.ts`, import.meta.url).href);
const { toPosition } = await client('table/model/toPosition');
const { buildQuery } = await client('analyse/model/buildQuery');
const { positionText } = await client('analyse/model/position');

for await (const line of createInterface({ input: process.stdin })) {
  const { form, deal, hand } = JSON.parse(line);
  const setUp = toPosition(deal, hand);
  const { position, fantasyland } = buildQuery(form, setUp);
  const told = { text: positionText(setUp), position: position && { ...position, unseen: String(position.unseen) }, fantasyland };
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
