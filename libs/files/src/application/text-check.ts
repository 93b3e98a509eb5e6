import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

const NUL = '\0';

/** Checks whether bytes that arrive in pieces are text: UTF-8, or UTF-16 with a byte order mark, without NUL. */
export class TextCheck {
  private encoding: Encoding | null = null;
  private utf16: TextDecoder | null = null;
  private failed = false;
  /** The last bytes of a piece, if they are the beginning of a character. */
  private rest: Buffer = Buffer.alloc(0);

  /** The first piece must have at least two bytes, unless the whole content has fewer. */
  add(piece: Buffer): void {
    if (this.failed || piece.length === 0) return;
    this.encoding ??= this.begin(piece);
    if (this.utf16) this.failed = !decodes(this.utf16, piece, true);
    else this.addUtf8(piece);
  }

  /** Call this after the last piece. Returns the encoding of the text, or null if the bytes are not text. */
  end(): Encoding | null {
    if (this.utf16 && !this.failed) this.failed = !decodes(this.utf16, Buffer.alloc(0), false);
    return this.failed || this.rest.length > 0 ? null : this.encoding;
  }

  private begin(piece: Buffer): Encoding {
    const encoding = encodingOf(piece);
    if (encoding !== 'utf-8') this.utf16 = new TextDecoder(encoding, { fatal: true });
    return encoding;
  }

  private addUtf8(piece: Buffer): void {
    const bytes = this.rest.length > 0 ? Buffer.concat([this.rest, piece]) : piece;
    const whole = bytes.length - unfinishedBytes(bytes);
    // Copied, so that it does not keep a large buffer in memory.
    this.rest = Buffer.from(bytes.subarray(whole));
    const characters = bytes.subarray(0, whole);
    this.failed = characters.includes(0) || !isUtf8(characters);
  }
}

/** The encoding by the byte order mark; UTF-8 without one. */
function encodingOf(bytes: Buffer): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** The number of bytes at the end that are an incomplete UTF-8 character. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    const continues = byte >= 0x80 && byte < 0xc0;
    if (continues) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

function decodes(decoder: TextDecoder, bytes: Buffer, stream: boolean): boolean {
  try {
    return !decoder.decode(bytes, { stream }).includes(NUL);
  } catch {
    return false;
  }
}
