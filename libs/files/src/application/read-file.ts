import { finished, pipeline, type Readable, Transform } from 'node:stream';
import { AppError, asCompany, ConcurrencyLimit, LoopTurns, RequestCoalescer } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { FileLink } from './file-links';
import { FileReader, type KeptFile } from './ports/file.reader';
import { FileStore, OPEN_AT_ONCE_MAX } from './ports/file-store';

/** A look-up that takes longer delays no other: one that hangs must not delay all links of the process. */
const LOOK_UP_PATIENCE_MS = 1_000;

/** A file that somebody may read, whose bytes are not opened yet. */
export interface ReadableFile extends Omit<KeptFile, 'storageKey' | 'companyId'> {
  /**
   * The caller must read the bytes to their end or destroy the stream.
   *
   * @throws AppError `UNAVAILABLE` if too many files are being read; `NOT_FOUND` if it has just been deleted
   * @throws Error if the bytes are not in the store, or not all of them
   */
  readonly open: () => Promise<Readable>;
}

@Injectable()
export class ReadFile {
  /**
   * Each holds a connection, and a file or a connection to the store. Anybody may open a link, any number of times: a
   * download counts for the company of the file, and companies share the places, so that none takes the last.
   */
  private readonly places = new ConcurrencyLimit({
    total: OPEN_AT_ONCE_MAX,
    perCompany: 200,
    dynamicThreshold: true,
    what: 'downloads',
  });

  /**
   * A connection whose other end reads nothing still takes megabytes into its buffers. Hundreds that began together
   * would fill every turn of the event loop with their pieces for seconds.
   */
  private readonly turns = new LoopTurns<number>({
    perTurn: 2,
    waitMaxMs: 60_000,
    message: 'too much is being downloaded; try again',
  });

  /** Links are opened without a key: one look-up at a time for all of them, so that no crowd keeps others waiting. */
  private readonly linkedFiles = new RequestCoalescer<number, KeptFile | null>(
    (ids) => this.files.findLinked(ids),
    LOOK_UP_PATIENCE_MS,
  );

  constructor(
    private readonly files: FileReader,
    private readonly store: FileStore,
  ) {}

  /** @throws AppError `NOT_FOUND` when the company has no such file */
  async ofCompany(companyId: number, id: number): Promise<ReadableFile> {
    return this.readable(await this.files.find(companyId, id));
  }

  /**
   * For who came by a link.
   *
   * @throws AppError `NOT_FOUND` also where the link is of another file, which had the id before a restore
   */
  async linked(link: FileLink): Promise<ReadableFile> {
    const file = await this.linkedFiles.submit(link.id);
    return this.readable(file && link.isOf(file) ? file : null);
  }

  private readable(file: KeptFile | null): ReadableFile {
    if (!file) throw notFound();
    const { storageKey: _, companyId: _c, ...told } = file;
    return { ...told, open: () => this.open(file) };
  }

  private async open(file: KeptFile): Promise<Readable> {
    const leave = this.places.take(file.companyId);
    try {
      const content = await asCompany(file.companyId, () => this.contentOf(file));
      finished(content, () => leave());
      return this.inTurns(content, file.companyId);
    } catch (error) {
      leave();
      throw error;
    }
  }

  private inTurns(content: Readable, companyId: number): Readable {
    const paced: Transform = new Transform({
      transform: (piece: Buffer, _encoding, done) => {
        this.turns.take(companyId, () => paced.destroyed).then(() => done(null, piece), done);
      },
    });
    // Ends each of the two with the other.
    pipeline(content, paced, () => undefined);
    return paced;
  }

  private async contentOf({ companyId, id, size, storageKey }: KeptFile): Promise<Readable> {
    const object = await this.store.open(storageKey);
    if (object?.size === size) return object.content;
    object?.content.destroy();
    // It may have been deleted since it was found.
    if (object === null && (await this.files.find(companyId, id)) === null) throw notFound();
    const found = object === null ? 'none' : String(object.size);
    throw new Error(`of file ${id} the store has ${found} of ${size} bytes, under the key ${storageKey}`);
  }
}

const notFound = (): AppError => new AppError('NOT_FOUND', 'no such file');
