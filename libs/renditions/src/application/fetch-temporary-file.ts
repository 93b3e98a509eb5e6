import { outsideRequests, UnavailableError } from '@counterfoil/kernel';
import { JobQueue, type JobPayloads } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import { awaitFile } from './await-file';
import type { StoredRendition } from './ports/renditions';
import { type TemporaryFileKey, TemporaryFiles } from './ports/temporary-files';
import { type TemporaryContent, temporaryFileKey } from './temporary-content';

const REMOVED = 'the file was removed while it was fetched: try again';

type TemporaryFileJob = 'statement.render' | 'preview.render';

/** A file that exists. */
export interface TemporaryFile extends StoredRendition {
  /** Reads the bytes. */
  readonly content: () => Promise<Buffer>;
}

/** A file that a caller asks for. */
export interface AskedFile<Job extends TemporaryFileJob> {
  /** The job that makes it. */
  readonly job: Job;
  readonly payload: JobPayloads[Job];
  /** Reads anew all that it shows. */
  readonly read: () => Promise<TemporaryContent>;
}

/**
 * Returns a file that is made for one caller. The worker makes it, as it makes the files of documents: it has the compiler,
 * and a thread for it. A file is named by all that it shows, so it is never out of date.
 */
@Injectable()
export class FetchTemporaryFile {
  constructor(
    private readonly files: TemporaryFiles,
    private readonly queue: JobQueue,
  ) {}

  /** @throws AppError what `read` throws; `UNAVAILABLE` if no worker makes the file in time */
  async execute<Job extends TemporaryFileJob>(asked: AskedFile<Job>): Promise<TemporaryFile> {
    const key = await this.keyOf(asked);
    return (await this.find(key)) ?? outsideRequests(() => this.made(key, asked));
  }

  private async made<Job extends TemporaryFileJob>(
    first: TemporaryFileKey,
    asked: AskedFile<Job>,
  ): Promise<TemporaryFile> {
    const { job, payload } = asked;
    const id = `${job}-${first.companyId}-${first.variant.slice(0, 16)}`;
    try {
      return await awaitFile(async (round) => {
        const key = round === 0 ? first : await this.keyOf(asked);
        return {
          signal: () => this.queue.signal(job, [{ id, payload }]),
          find: () => this.find(key),
        };
      });
    } catch (error) {
      // Otherwise the workers would make files that nobody waits for, and without a worker the drafts would fill the queue.
      await this.queue.withdraw(job, id);
      throw error;
    }
  }

  private async keyOf<Job extends TemporaryFileJob>({
    payload,
    read,
  }: AskedFile<Job>): Promise<TemporaryFileKey> {
    return temporaryFileKey(payload.companyId, await read());
  }

  private async find(key: TemporaryFileKey): Promise<TemporaryFile | null> {
    const stored = await this.files.find(key);
    return stored && { ...stored, content: () => this.content(key) };
  }

  private async content(key: TemporaryFileKey): Promise<Buffer> {
    const content = await this.files.content(key);
    if (!content) throw new UnavailableError('slow', REMOVED, { retryAfterSeconds: 1 });
    return content;
  }
}
