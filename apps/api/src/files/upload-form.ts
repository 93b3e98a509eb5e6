import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { FILE_BYTES_MAX, type SentFile } from '@counterfoil/files';
import { AppError, validationFailed } from '@counterfoil/kernel';
import { Busboy, type BusboyConfig, type BusboyInstance } from '@fastify/busboy';
import type { FormRequest } from '../http/ignored-fields';
import { LEAST_PACE, watchPace } from '../http/pace';
import { cutOff, inCrumbs, isInCrumbs, tooSlow, UPLOAD_BYTES_MAX } from '../http/read-body';

const MIB = 1024 * 1024;
/** The name of the part that holds the file (contract §13.1). */
const PART = 'file';
const LIMITS = { parts: 20, fields: 18, fieldSize: 1024, files: 2, headerPairs: 20, headerSize: 8 * 1024 };

/**
 * Streams the only file of a multipart body to `take`. The stream ends only after the whole form has ended, so that an
 * error behind the file makes `take` fail, too.
 *
 * @throws AppError `VALIDATION_FAILED` if the form is malformed, cut off, does not have exactly one file as the part
 *   `file`, or has a part that the caller wants refused; `PAYLOAD_TOO_LARGE` if the body is larger than the largest file
 *   and its form; and the errors of `take`
 */
export async function receiveFile<T>(
  { raw, headers, ignorePart }: FormRequest,
  take: (file: SentFile) => Promise<T>,
): Promise<T> {
  if (Number(headers['content-length'] ?? 0) > UPLOAD_BYTES_MAX) throw fileTooLarge();
  const form = new UploadForm(raw, UPLOAD_BYTES_MAX, ignorePart);
  try {
    return await take(await form.file);
  } finally {
    form.leave();
  }
}

class UploadForm {
  /** Resolves when the file begins. */
  readonly file: Promise<SentFile>;
  private readonly ended: Promise<void>;
  private readonly parser: BusboyInstance;
  private part: Readable | null = null;
  private failure: AppError | null = null;
  private received = 0;
  private pieces = 0;
  private readonly endWatch: () => void;
  private begin!: (file: SentFile) => void;
  private refuseFile!: (error: AppError) => void;
  private end!: () => void;
  private refuseEnd!: (error: AppError) => void;

  constructor(
    private readonly raw: IncomingMessage,
    private readonly bytesMax: number,
    private readonly ignorePart: FormRequest['ignorePart'],
  ) {
    this.parser = parserOf(raw);
    this.file = new Promise((resolve, reject) => ([this.begin, this.refuseFile] = [resolve, reject]));
    this.ended = new Promise((resolve, reject) => ([this.end, this.refuseEnd] = [resolve, reject]));
    // An awaiter gets the error of its promise. Without one, the rejection would be unhandled.
    for (const promise of [this.file, this.ended]) promise.catch(() => undefined);
    this.listen();
    raw.on('data', this.count);
    raw.pipe(this.parser);
    // A slow sender occupies an upload slot of its company.
    this.endWatch = watchPace(
      LEAST_PACE,
      () => this.received,
      () => this.fail(tooSlow()),
    );
    raw.on('end', this.endWatch);
  }

  /** Releases the request, whatever its outcome. */
  leave(): void {
    const { raw } = this;
    this.endWatch();
    raw.unpipe(this.parser);
    raw.off('data', this.count);
    this.part?.destroy();
  }

  private listen(): void {
    const { raw, parser } = this;
    raw.on('error', () => this.fail(cutOff()));
    raw.on('close', () => {
      if (!raw.complete) this.fail(cutOff());
    });
    parser.on('file', (name, part, fileName) => this.meet(name, part, fileName));
    parser.on('field', (name) => {
      const refusal =
        name === PART
          ? invalid('has no filename: with curl, write -F file=@receipt.pdf')
          : this.ignorePart?.(name);
      if (refusal) this.fail(refusal);
    });
    parser.on('error', () => this.fail(malformed()));
    for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const)
      parser.on(limit, () =>
        this.fail(invalid(`must not be sent with more than ${LIMITS.fields} other parts`)),
      );
    parser.on('finish', () => {
      if (this.part) this.end();
      else this.fail(invalid(`is missing: send it as the part ${PART} of multipart/form-data`));
    });
  }

  private meet(name: string, part: Readable, fileName: string | undefined): void {
    // A form that ends too early emits an error on each of its parts, also on one that is not read.
    part.on('error', () => this.fail(malformed()));
    if (this.part) return this.fail(invalid('must be the only file'));
    if (name !== PART) return this.fail(invalid(`must be sent as the part ${PART}`));
    this.part = part;
    this.begin({ fileName, content: this.contentOf(part) });
  }

  private async *contentOf(part: Readable): AsyncGenerator<Buffer, void, undefined> {
    try {
      for await (const piece of part) yield piece as Buffer;
    } catch {
      throw this.failure ?? malformed();
    }
    await this.ended;
  }

  private readonly count = (piece: Buffer): void => {
    this.received += piece.length;
    this.pieces += 1;
    if (this.received > this.bytesMax) this.fail(fileTooLarge());
    else if (isInCrumbs(this.pieces, this.received)) this.fail(inCrumbs());
  };

  /** Keeps only the first error, because later ones are its consequences. */
  private fail(error: AppError): void {
    if (this.failure) return;
    this.failure = error;
    this.raw.unpipe(this.parser);
    this.refuseFile(error);
    this.refuseEnd(error);
    this.part?.destroy(error);
  }
}

function parserOf({ headers }: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({
      headers: headers as BusboyConfig['headers'],
      limits: LIMITS,
      preservePath: true,
      // A part with the right name and another type than text is a file that was sent without a name.
      isPartAFile: (name, type, fileName) =>
        fileName !== undefined || (name === PART && type !== 'text/plain'),
    });
  } catch {
    throw malformed();
  }
}

const invalid = (problem: string): AppError => validationFailed([{ field: PART, problem }]);
const malformed = (): AppError =>
  new AppError('VALIDATION_FAILED', 'the body is not valid multipart/form-data');
const fileTooLarge = (): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', `the file must be at most ${FILE_BYTES_MAX / MIB} MiB`);
