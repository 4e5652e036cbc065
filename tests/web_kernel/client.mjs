// Runs client/src/engine for a test: one question as JSON from stdin, one answer as JSON to stdout. Workers are threads
// of Node that run the same `createHandler`.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

// The client's imports leave the ending to its bundler.
registerHooks({
  resolve: (name, context, next) => next(/^\.\.?\//.test(name) && !/\.\w+$/.test(name) ? `${name}.ts` : name, context),
});
const client = (name) => import(new URL(`../../client/src/engine/${name}.ts`, import.meta.url).href);

if (!isMainThread) {
  const { createHandler } = await client('protocol');
  const serve = createHandler((said) => parentPort.postMessage(said));
  parentPort.on('message', serve);
} else {
  const { WorkerPool } = await client('pool');
  const { error, mean } = await client('analysis');
  const asked = JSON.parse(readFileSync(0, 'utf8'));
  const module = new WebAssembly.Module(readFileSync(asked.module));
  const player = new Uint8Array(readFileSync(asked.player));
  const positioned = (position) => ({ ...position, unseen: BigInt(position.unseen), stacks: Uint8Array.from(position.stacks) });
  const answers = [];
  for (const size of asked.teams) {
    const threads = Array.from({ length: size }, () => new Worker(new URL(import.meta.url)));
    const ports = threads.map((thread) => {
      const port = { onmessage: null, postMessage: (told) => thread.postMessage(told) };
      thread.on('message', (data) => port.onmessage({ data }));
      return port;
    });
    const team = new WorkerPool(ports);
    if (asked.rank === undefined) await team.load(module, player);
    if (asked.rank !== undefined) {
      const rules = new Uint8Array(readFileSync(asked.rules));
      const handPool = new Uint8Array(readFileSync(asked.hand_pool));
      const found = [];
      for (const closed of asked.rank) found.push(await team.rank(module, rules, handPool, closed));
      answers.push(found);
    } else if (asked.judge !== undefined) {
      const said = [];
      const questions = asked.judge.map((one) => ({ ...one, position: positioned(one.position) }));
      await team.judge(questions, (answer, at) => (said[at] = answer));
      answers.push(said.map(({ placements, played, evaluation: { lines, ...found } }) => ({
        ...found,
        played,
        lines: lines.map(({ which, sums }) => ({ ...sums, rows_: sums.rows, rows: placements[which].rows, value: mean(sums), unsure: error(sums) })),
      })));
    } else {
      const position = positioned(asked.position);
      const begun = await team.begin(position);
      let measured = 0;
      const sums = await team.measure(asked.chosen, asked.slices, BigInt(asked.seed), () => ++measured < asked.stop);
      await team.begin(position);
      let steps = 0;
      const left = await team.sort(BigInt(asked.seed), () => ++steps < 3);
      await team.begin(position); // what was left behind does not matter then
      const order = await team.sort(BigInt(asked.seed));
      const best = (await team.measure((order ?? []).slice(0, 2), asked.slices, BigInt(asked.seed) + 1n)).map(mean);
      const wrong = await team.begin({ ...position, me: 7 }).then(() => '', String);
      answers.push({ ...begun, sums, measured, left, order, best, wrong, means: sums.map(mean), errors: sums.map(error) });
    }
    for (const thread of threads) await thread.terminate();
  }
  process.stdout.write(JSON.stringify(answers));
}
