import { finished, type Readable } from 'node:stream';
import { AppError, Places } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { FileReader, type KeptFile } from './ports/file.reader';
import { FileStore, OPEN_AT_ONCE_MAX } from './ports/file-store';

/** A file that somebody may read, whose bytes are not opened yet. */
export interface ReadableFile extends Omit<KeptFile, 'storageKey' | 'companyId'> {
  /**
   * Whoever calls it reads the bytes to their end or destroys the stream.
   *
   * @throws AppError `UNAVAILABLE` when too many files are being read
   * @throws Error when the bytes are not in the store, or not all of them
   */
  readonly open: () => Promise<Readable>;
}

@Injectable()
export class ReadFile {
  /** Each holds a connection, and a file or a connection to the store: a link may be opened by anybody, any number of times. */
  private readonly places = new Places({ inAll: OPEN_AT_ONCE_MAX, ofCompany: 200, what: 'downloads' });

  constructor(
    private readonly files: FileReader,
    private readonly store: FileStore,
  ) {}

  /** @throws AppError `NOT_FOUND` when the company has no such file */
  async ofCompany(companyId: number, id: number): Promise<ReadableFile> {
    return this.readable(await this.files.find(companyId, id));
  }

  /**
   * For who came by a link that `FileLinks` has found valid.
   *
   * @throws AppError `NOT_FOUND`
   */
  async linked(id: number): Promise<ReadableFile> {
    return this.readable(await this.files.findLinked(id));
  }

  private readable(file: KeptFile | null): ReadableFile {
    if (!file) throw new AppError('NOT_FOUND', 'no such file');
    const { storageKey: _, companyId: _c, ...told } = file;
    return { ...told, open: () => this.open(file) };
  }

  private async open(file: KeptFile): Promise<Readable> {
    const leave = this.places.take(file.companyId);
    try {
      const content = await this.contentOf(file);
      finished(content, leave);
      return content;
    } catch (error) {
      leave();
      throw error;
    }
  }

  private async contentOf({ id, size, storageKey }: KeptFile): Promise<Readable> {
    const object = await this.store.open(storageKey);
    if (object?.size === size) return object.content;
    object?.content.destroy();
    const found = object === null ? 'none' : String(object.size);
    throw new Error(`of file ${id} the store has ${found} of ${size} bytes, under the key ${storageKey}`);
  }
}
