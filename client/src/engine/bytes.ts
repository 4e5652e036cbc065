// A question to the kernel and its answer as bytes: little-endian, without padding (native/web/bytes.hpp).

export class RequestWriter {
  private readonly parts: Uint8Array<ArrayBuffer>[] = [];
  private size = 0;

  u8(...numbers: readonly number[]): this {
    return this.raw(Uint8Array.from(numbers));
  }

  u32(...numbers: readonly number[]): this {
    return this.numbers(4, numbers.length, (view, at) => view.setUint32(4 * at, numbers[at] as number, true));
  }

  u64(...numbers: readonly bigint[]): this {
    return this.numbers(8, numbers.length, (view, at) => view.setBigUint64(8 * at, numbers[at] as bigint, true));
  }

  f64(...numbers: readonly number[]): this {
    return this.numbers(8, numbers.length, (view, at) => view.setFloat64(8 * at, numbers[at] as number, true));
  }

  /** A list of cards with its length before it. */
  cards(cards: readonly number[]): this {
    return this.u8(cards.length, ...cards);
  }

  raw(bytes: Uint8Array<ArrayBuffer>): this {
    this.parts.push(bytes);
    this.size += bytes.length;
    return this;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.size);
    let at = 0;
    for (const part of this.parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  private numbers(width: number, count: number, set: (view: DataView, at: number) => void): this {
    const view = new DataView(new ArrayBuffer(width * count));
    for (let at = 0; at < count; ++at) set(view, at);
    return this.raw(new Uint8Array(view.buffer));
  }
}

/** Reads an answer from its beginning; what each answer consists of stands in results.ts. */
export class AnswerReader {
  private readonly view: DataView;
  private place = 0;

  constructor(view: DataView) {
    this.view = view;
  }

  bool = (): boolean => this.u8() === 1;
  u8 = (): number => this.view.getUint8(this.next(1));
  i32 = (): number => this.view.getInt32(this.next(4), true);
  u32 = (): number => this.view.getUint32(this.next(4), true);
  u64 = (): number => Number(this.view.getBigUint64(this.next(8), true));
  f32 = (): number => this.view.getFloat32(this.next(4), true);
  f64 = (): number => this.view.getFloat64(this.next(8), true);
  cards = (): number[] => this.times(this.u8(), this.u8);
  list = <Item>(read: () => Item): Item[] => this.times(this.u32(), read);
  times = <Item>(count: number, read: () => Item): Item[] => Array.from({ length: count }, read);

  private next(size: number): number {
    this.place += size;
    return this.place - size;
  }
}
