/**
 * Decodes one byte of the input. Calls `emit` for each byte of the output.
 *
 * @returns true at the end mark of the data
 */
export type ByteDecoder = (byte: number, emit: (byte: number) => void) => boolean;

const RUN_END = 128;

/** RunLengthDecode: runs of bytes, and repeated bytes. */
export function runLengths(): ByteDecoder {
  let literal = 0;
  let repeats = 0;
  return (byte, emit) => {
    if (literal > 0) {
      emit(byte);
      literal -= 1;
    } else if (repeats > 0) {
      for (; repeats > 0; repeats--) emit(byte);
    } else if (byte < RUN_END) literal = byte + 1;
    else if (byte > RUN_END) repeats = 257 - byte;
    else return true;
    return false;
  };
}

/** ASCIIHexDecode. Characters that are not digits are skipped. */
export function hexDigits(): ByteDecoder {
  let high = -1;
  return (byte, emit) => {
    if (byte === 0x3e) return true;
    const digit = parseInt(String.fromCharCode(byte), 16);
    if (Number.isNaN(digit)) return false;
    if (high < 0) high = digit;
    else {
      emit(high * 16 + digit);
      high = -1;
    }
    return false;
  };
}

const [BASE, FIRST, ZEROS, TILDE] = [85, 0x21, 0x7a, 0x7e];

/** ASCII85Decode. */
export function base85Digits(): ByteDecoder {
  const group: number[] = [];
  return (byte, emit) => {
    if (byte === TILDE) {
      emitGroup(group, emit);
      return true;
    }
    if (byte === ZEROS && group.length === 0) for (let zeros = 0; zeros < 4; zeros++) emit(0);
    if (byte < FIRST || byte >= FIRST + BASE) return false;
    group.push(byte - FIRST);
    if (group.length === 5) emitGroup(group, emit);
    return false;
  };
}

/** The last group may have fewer digits, and then has one byte less than digits. */
function emitGroup(group: number[], emit: (byte: number) => void): void {
  const digits = group.splice(0);
  if (digits.length < 2) return;
  const value = [0, 1, 2, 3, 4].reduce((sum, index) => sum * BASE + (digits[index] ?? BASE - 1), 0);
  for (let index = 0; index < digits.length - 1; index++) emit(Math.floor(value / 256 ** (3 - index)) & 0xff);
}

const [CLEAR, END, FIRST_CODE, CODES_MAX] = [256, 257, 258, 4_096];

/**
 * LZWDecode.
 *
 * @param earlyChange 1 (the default in PDF): codes become longer one code before they must; 0: when they must
 */
export function lzwCodes(earlyChange: 0 | 1): ByteDecoder {
  const table = new LzwTable(earlyChange);
  let bits = 0;
  let held = 0;
  return (byte, emit) => {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= table.width) {
      bits -= table.width;
      const code = held >>> bits;
      held &= (1 << bits) - 1;
      if (code === END) return true;
      if (!table.take(code, emit)) return true;
    }
    return false;
  };
}

/** The sequences of LZW. Each is an earlier sequence and one more byte. */
class LzwTable {
  width = 9;
  private readonly prefixes = new Uint16Array(CODES_MAX);
  private readonly last = Uint8Array.from({ length: CODES_MAX }, (_, code) => code);
  private readonly lengths = new Uint16Array(CODES_MAX).fill(1);
  private readonly scratch = new Uint8Array(CODES_MAX);
  private next = FIRST_CODE;
  private previous = -1;

  constructor(private readonly earlyChange: 0 | 1) {}

  /** @returns false for a code that is not possible here */
  take(code: number, emit: (byte: number) => void): boolean {
    if (code === CLEAR) {
      this.next = FIRST_CODE;
      this.width = 9;
      this.previous = -1;
      return true;
    }
    const isKnown = code < this.next && code !== END;
    if (!isKnown && (code !== this.next || this.previous < 0)) return false;
    if (this.previous >= 0 && this.next < CODES_MAX) this.add(isKnown ? code : this.previous);
    const length = this.sequence(code);
    for (let index = 0; index < length; index++) emit(this.scratch[index]!);
    this.previous = code;
    return true;
  }

  /** Adds the previous sequence with the first byte of this one. */
  private add(firstOf: number): void {
    this.sequence(firstOf);
    this.prefixes[this.next] = this.previous;
    this.last[this.next] = this.scratch[0]!;
    this.lengths[this.next] = this.lengths[this.previous]! + 1;
    this.next += 1;
    if (this.next + this.earlyChange >= 1 << this.width && this.width < 12) this.width += 1;
  }

  /** Writes a sequence to `scratch`, and returns its length. */
  private sequence(code: number): number {
    const length = this.lengths[code]!;
    for (let index = length - 1, at = code; index >= 0; index--, at = this.prefixes[at]!)
      this.scratch[index] = this.last[at]!;
    return length;
  }
}
