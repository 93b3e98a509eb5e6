import { finished, pipeline, type Readable, Transform } from 'node:stream';
import { AppError, asCompany, ConcurrencyLimit, LoopTurns, RequestCoalescer } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { FileLink } from './file-links';
import { FileReader, type KeptFile } from './ports/file.reader';
import { FileStore, OPEN_AT_ONCE_MAX } from './ports/file-store';

/** The next lookup starts after this time even if one hangs, so that it does not block all links of the process. */
const LOOK_UP_PATIENCE_MS = 1_000;

/** The store does not have the bytes of a file, or not all of them. Something else has removed them. */
export class BytesMissingError extends Error {}

/** A file that the caller may read. Its bytes are not opened yet. */
export interface ReadableFile extends Omit<KeptFile, 'storageKey' | 'companyId'> {
  /**
   * The caller must read the bytes to their end or destroy the stream.
   *
   * @throws AppError `UNAVAILABLE` if too many files are being read; `NOT_FOUND` if it has just been deleted
   * @throws BytesMissingError if the bytes are not in the store, or not all of them
   * @throws Error if the store refuses to open them
   */
  readonly open: () => Promise<Readable>;
}

@Injectable()
export class ReadFile {
  /**
   * Limits concurrent downloads. Each holds the connection of its caller, and a file or a connection to the store. A
   * link may be opened by anyone and any number of times, so a download counts for the company of the file, and no
   * company can take all slots.
   */
  private readonly slots = new ConcurrencyLimit({
    total: OPEN_AT_ONCE_MAX,
    perCompany: 200,
    dynamicThreshold: true,
    what: 'downloads',
  });

  /**
   * Paces downloads. The buffers of a connection take megabytes even if its other end reads nothing, so hundreds of
   * downloads that begin together would keep the event loop busy for seconds.
   */
  private readonly turns = new LoopTurns<number>({
    perTurn: 2,
    waitMaxMs: 60_000,
    message: 'too many downloads are in progress; try again',
  });

  /** One lookup at a time for all links: they need no key, so a flood of them must not take the database. */
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
   * Finds the file of a link.
   *
   * @throws AppError `NOT_FOUND`, also if the link belongs to another file that had the same id before a restore
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
    const leave = this.slots.take(file.companyId);
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
    // Destroys either stream when the other ends or fails.
    pipeline(content, paced, () => undefined);
    return paced;
  }

  private async contentOf({ companyId, id, size, storageKey }: KeptFile): Promise<Readable> {
    const object = await this.store.open(storageKey);
    if (object?.size === size) return object.content;
    object?.content.destroy();
    // The file may have been deleted since its row was read.
    if (object === null && (await this.files.find(companyId, id)) === null) throw notFound();
    const found = object === null ? 'none' : String(object.size);
    throw new BytesMissingError(
      `the store has ${found} of the ${size} bytes of file ${id}, under the key ${storageKey}`,
    );
  }
}

const notFound = (): AppError => new AppError('NOT_FOUND', 'no such file');
