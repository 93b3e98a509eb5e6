import { createHash } from 'node:crypto';
import { AppError, validationFailed } from '@counterfoil/kernel';
import { FILE_BYTES_MAX } from '../domain/file';
import { kindOfText } from '../domain/markup';
import { binaryTypeOf } from './binary-type';
import { TextCheck } from './text-check';

/** The bytes from which the type is detected. A ZIP file, for example, names its content there. */
const HEAD_BYTES = 16 * 1024;
/** Types whose bytes may also be valid text. */
const WRITTEN_AS_TEXT = /^(application\/(pdf|postscript|eps|rtf|x-ft-.*)|text\/.*)$/;
const UNKNOWN_TYPE = 'application/octet-stream';

/** The properties of the bytes of a file. */
export interface CheckedContent {
  readonly size: number;
  /** Hexadecimal, in lower case. */
  readonly sha256: string;
  readonly mimeType: string;
}

/** Computes the properties of a file while its bytes pass through. */
export class ContentCheck {
  private size = 0;
  private readonly hash = createHash('sha256');
  private readonly text = new TextCheck();
  /** Pieces of the beginning of the file; null once it is complete and in `head`. */
  private gathered: Buffer[] | null = [];
  private head: Buffer = Buffer.alloc(0);

  /**
   * Yields the same bytes as they arrive.
   *
   * @throws AppError `PAYLOAD_TOO_LARGE` as soon as there are too many, `VALIDATION_FAILED` if there are none
   */
  async *pass(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    for await (const piece of content) {
      this.size += piece.length;
      if (this.size > FILE_BYTES_MAX) throw tooLarge();
      this.hash.update(piece);
      this.look(piece);
      yield piece;
    }
    if (this.size === 0) throw validationFailed([{ field: 'file', problem: 'must not be empty' }]);
    this.completeHead();
  }

  /** Call this after the last byte. Never fails, whatever the bytes are. */
  async end(): Promise<CheckedContent> {
    return { size: this.size, sha256: this.hash.digest('hex'), mimeType: await this.mimeType() };
  }

  private look(piece: Buffer): void {
    if (!this.gathered) return this.text.add(piece);
    this.gathered.push(piece);
    if (this.size >= HEAD_BYTES) this.completeHead();
  }

  private completeHead(): void {
    if (!this.gathered) return;
    const all = Buffer.concat(this.gathered);
    this.gathered = null;
    this.text.add(all);
    // Copied, so that it does not keep a larger buffer in memory.
    this.head = Buffer.from(all.subarray(0, HEAD_BYTES));
  }

  private async mimeType(): Promise<string> {
    const encoding = this.text.end();
    const binary = await binaryTypeOf(this.head);
    if (encoding === null) return binary ?? this.markup() ?? UNKNOWN_TYPE;
    // A text that begins with `BM` looks like a bitmap, but no bitmap is text throughout.
    if (binary !== null && WRITTEN_AS_TEXT.test(binary)) return binary;
    return kindOfText(new TextDecoder(encoding).decode(this.head));
  }

  /** Detects HTML or XML in an encoding such as windows-1255, in which tags are ASCII. Null for anything else. */
  private markup(): string | null {
    if (this.head.includes(0)) return null;
    const kind = kindOfText(this.head.toString('latin1'));
    return kind === 'text/plain' ? null : kind;
  }
}

function tooLarge(): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `the file must be at most ${FILE_BYTES_MAX / (1024 * 1024)} MiB`);
}
