import { deflateSync } from 'node:zlib';

/** Encodes data as the filter of this name expects it. */
export const ENCODERS: Readonly<Record<string, (data: Buffer) => Buffer>> = {
  FlateDecode: (data) => deflateSync(data),
  ASCIIHexDecode: (data) => Buffer.from(`${data.toString('hex').replace(/.{76}/g, '$&\n')}>`),
  ASCII85Decode: base85,
  RunLengthDecode: runLengths,
  LZWDecode: lzw,
};

/** Encodes data for a chain of filters, in the order of the dictionary. */
export function encode(data: Buffer, filters: readonly string[]): Buffer {
  return filters.reduceRight((encoded, filter) => ENCODERS[filter]!(encoded), data);
}

function base85(data: Buffer): Buffer {
  let text = '';
  for (let from = 0; from < data.length; from += 4) {
    const group = data.subarray(from, from + 4);
    let value = Buffer.concat([group, Buffer.alloc(4 - group.length)]).readUInt32BE();
    if (value === 0 && group.length === 4) {
      text += 'z';
      continue;
    }
    const digits: string[] = [];
    for (let digit = 0; digit < 5; digit++) {
      digits.unshift(String.fromCharCode(33 + (value % 85)));
      value = Math.floor(value / 85);
    }
    text += digits.join('').slice(0, group.length + 1);
    if (from % 60 === 56) text += '\n';
  }
  return Buffer.from(`${text}~>`);
}

function runLengths(data: Buffer): Buffer {
  const output: number[] = [];
  for (let at = 0; at < data.length;) {
    let same = 1;
    while (same < 128 && data[at + same] === data[at]) same += 1;
    if (same > 1) {
      output.push(257 - same, data[at]!);
      at += same;
      continue;
    }
    const end = literalEnd(data, at);
    output.push(end - at - 1, ...data.subarray(at, end));
    at = end;
  }
  return Buffer.from([...output, 128]);
}

function literalEnd(data: Buffer, at: number): number {
  let end = at + 1;
  while (end < data.length && end - at < 128 && data[end] !== data[end + 1]) end += 1;
  return end;
}

function lzw(data: Buffer): Buffer {
  let table = new Map<string, number>();
  const bits = new BitWriter();
  let width = 9;
  const reset = () => {
    bits.put(256, width);
    table = new Map(Array.from({ length: 256 }, (_, code) => [String.fromCharCode(code), code]));
    width = 9;
  };
  reset();
  let held = '';
  for (const letter of data.toString('latin1')) {
    if (table.has(held + letter)) {
      held += letter;
      continue;
    }
    bits.put(table.get(held)!, width);
    table.set(held + letter, table.size + 2);
    // Early change: the width grows one code before it must.
    width = Math.max(9, Math.floor(Math.log2(table.size + 2)) + 1);
    held = letter;
    if (table.size + 2 >= 4_094) {
      bits.put(table.get(held)!, width);
      held = '';
      reset();
    }
  }
  if (held !== '') bits.put(table.get(held)!, width);
  bits.put(257, held === '' ? width : Math.max(9, Math.floor(Math.log2(table.size + 3)) + 1));
  return bits.bytes();
}

class BitWriter {
  private readonly output: number[] = [];
  private held = 0;
  private count = 0;

  put(value: number, width: number): void {
    this.held = (this.held << width) | value;
    this.count += width;
    while (this.count >= 8) {
      this.count -= 8;
      this.output.push((this.held >>> this.count) & 0xff);
      this.held &= (1 << this.count) - 1;
    }
  }

  bytes(): Buffer {
    return Buffer.from(
      this.count === 0 ? this.output : [...this.output, (this.held << (8 - this.count)) & 0xff],
    );
  }
}

/** Applies a PNG predictor to each row: none, sub or up, in turn. */
export function pngPredicted(data: Buffer, rowBytes: number, pixelBytes: number): Buffer {
  const rows: Buffer[] = [];
  for (let from = 0; from < data.length; from += rowBytes) {
    const row = data.subarray(from, from + rowBytes);
    const type = rows.length % 3;
    const before = (index: number): number => {
      if (type === 1) return index < pixelBytes ? 0 : row[index - pixelBytes]!;
      return type === 2 && from > 0 ? data[from - rowBytes + index]! : 0;
    };
    rows.push(Buffer.from([type, ...row.map((byte, index) => byte - before(index))]));
  }
  return Buffer.concat(rows);
}

/** Applies the TIFF predictor to rows of eight bits a component. */
export function tiffPredicted(data: Buffer, rowBytes: number, pixelBytes: number): Buffer {
  return Buffer.from(
    data.map((byte, index) => (index % rowBytes < pixelBytes ? byte : byte - data[index - pixelBytes]!)),
  );
}
