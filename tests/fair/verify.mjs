// Answers the client's own verifier's verdicts on records (standard input, a JSON array): the cards by place, or why not.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { buildChain, commitment, isFixedInAdvance, fromHex, verify } = await import(pathToFileURL(process.argv[2]).href);
const asked = JSON.parse(readFileSync(0, 'utf8'));
const told = (record) => {
  try {
    return { commitment: commitment(record), cards: Object.fromEntries(verify(record)) };
  } catch (error) {
    return { refused: error.message };
  }
};
process.stdout.write(JSON.stringify({ chain: buildChain(fromHex(asked.last), 5), records: asked.records.map(told), fixed: asked.heads.map((heads, at) => isFixedInAdvance(asked.records[at], heads)) }));
