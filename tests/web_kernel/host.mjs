// Runs the kernel of the browsers for a test: reads questions (a name, bytes) from stdin, writes answers to stdout.
import { readFileSync, readSync, writeSync } from 'node:fs';

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const { exports: kernel } = new WebAssembly.Instance(module, {}); // it imports nothing
kernel._initialize();

function read(size) {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; ) {
    const got = readSync(0, bytes, at, size - at, null);
    if (got === 0) process.exit(0);
    at += got;
  }
  return bytes;
}

function write(bytes) {
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

for (;;) {
  const head = read(12);
  const name = read(head.readUInt32LE(0)).toString();
  const question = read(head.readUInt32LE(4));
  const place = kernel.allocate(question.length);
  new Uint8Array(kernel.memory.buffer).set(question, place);
  let status = 0;
  for (let times = head.readUInt32LE(8); times > 0; --times) status = kernel[name](place, question.length);
  kernel.release(place);
  const answer = new Uint8Array(kernel.memory.buffer, kernel.answer(), kernel.answer_size());
  const said = Buffer.alloc(8);
  said.writeInt32LE(status, 0);
  said.writeUInt32LE(answer.length, 4);
  write(said);
  write(answer);
}
