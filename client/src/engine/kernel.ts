// The server's kernel in this browser (native/web): bytes in, bytes out, the same numbers to the last bit.

import { AnswerReader, RequestWriter } from './bytes';

const ADDRESS = '/kernel.wasm';

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly _initialize: () => void;
  readonly allocate: (size: number) => number;
  readonly release: (place: number) => void;
  readonly answer: () => number;
  readonly answer_size: () => number;
}

type RequestHandler = (place: number, size: number) => number;

/** A request that the kernel did not answer: a status of native/web/bytes.hpp. */
export class EngineError extends Error {
  readonly status: number;

  constructor(status: number, why: string) {
    super(why);
    this.status = status;
  }
}

/** The module, once for all workers. */
export const compileKernel = (): Promise<WebAssembly.Module> => WebAssembly.compileStreaming(fetch(ADDRESS));

export class Kernel {
  private readonly exports: WebAssembly.Exports & Exports;

  constructor(module: WebAssembly.Module) {
    this.exports = new WebAssembly.Instance(module, {}).exports as WebAssembly.Exports & Exports;
    this.exports._initialize();
  }

  /** Throws EngineError. */
  call(name: string, request: RequestWriter): DataView {
    const { memory, allocate, release, answer, answer_size } = this.exports;
    const bytes = request.bytes();
    const place = allocate(bytes.length);
    if (place === 0 && bytes.length > 0) throw new Error('the kernel has no more memory');
    new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
    const status = (this.exports[name] as RequestHandler)(place, bytes.length);
    release(place);
    const response = memory.buffer.slice(answer(), answer() + answer_size());
    if (status !== 0) throw new EngineError(status, new TextDecoder().decode(response));
    return new DataView(response);
  }

  /** The answer to a request as a result of results.ts. */
  read<Result>(name: string, request: RequestWriter, read: (answer: AnswerReader) => Result): Result {
    return read(new AnswerReader(this.call(name, request)));
  }

  /** Store the result of the request in the kernel; returns its handle. */
  store(name: string, request: RequestWriter): number {
    return this.call(name, request).getUint32(0, true);
  }

  drop(number: number): void {
    this.call('drop', new RequestWriter().u32(number));
  }
}
