import { createHash } from 'node:crypto';
import { AppError, validationFailed } from '@counterfoil/kernel';
import { FILE_BYTES_MAX } from '../domain/file';
import { kindOfText } from '../domain/markup';
import { binaryTypeOf } from './binary-type';
import { TextCheck } from './text-check';

/** The length of the beginning that is read to detect the type. A ZIP file, for example, names its content there. */
const HEAD_BYTES = 16 * 1024;
/** Types whose bytes may be text although they are another type. */
const WRITTEN_AS_TEXT = /^(application\/(pdf|postscript|eps|rtf|x-ft-.*)|text\/.*)$/;
const UNKNOWN_TYPE = 'application/octet-stream';

/** The findings about the bytes. */
export interface CheckedContent {
  readonly size: number;
  /** Hexadecimal, in lower case. */
  readonly sha256: string;
  readonly mimeType: string;
}

/** Passes the bytes of a file through, and records their properties. */
export class ContentCheck {
  private size = 0;
  private readonly hash = createHash('sha256');
  private readonly text = new TextCheck();
  /** The beginning, until it is complete; then null, with all of it in `head`. */
  private gathered: Buffer[] | null = [];
  private head: Buffer = Buffer.alloc(0);

  /**
   * The same bytes, as they come.
   *
   * @throws AppError `PAYLOAD_TOO_LARGE` as soon as there are too many, `VALIDATION_FAILED` at the end of none
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
    // Copied, so that nothing longer stays with it.
    this.head = Buffer.from(all.subarray(0, HEAD_BYTES));
  }

  private async mimeType(): Promise<string> {
    const encoding = this.text.end();
    const binary = await binaryTypeOf(this.head);
    if (encoding === null) return binary ?? this.markup() ?? UNKNOWN_TYPE;
    // `BMW` begins as a picture does, but no picture is text all through.
    if (binary !== null && WRITTEN_AS_TEXT.test(binary)) return binary;
    return kindOfText(new TextDecoder(encoding).decode(this.head));
  }

  /** HTML in an encoding such as windows-1255: its tags are ASCII in all of those. Null for anything else. */
  private markup(): string | null {
    if (this.head.includes(0)) return null;
    const kind = kindOfText(this.head.toString('latin1'));
    return kind === 'text/plain' ? null : kind;
  }
}

function tooLarge(): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `the file is larger than ${FILE_BYTES_MAX / (1024 * 1024)} MiB`);
}
