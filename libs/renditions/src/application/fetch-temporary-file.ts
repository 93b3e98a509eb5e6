import { UnavailableError } from '@counterfoil/kernel';
import { JobQueue, type JobPayloads } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import { awaitFile } from './await-file';
import type { StoredRendition } from './ports/renditions';
import { type TemporaryFileKey, TemporaryFiles } from './ports/temporary-files';
import type { RenderingSlots } from './rendering-slots';
import { FileWaits } from './file-waits';
import { linesShown, type TemporaryContent, temporaryFileKey } from './temporary-content';

const REMOVED = 'the file was removed while it was fetched: try again';

type TemporaryFileJob = 'statement.render' | 'preview.render';

/** A file that exists. */
export interface TemporaryFile extends StoredRendition {
  /** Reads the bytes. */
  readonly content: () => Promise<Buffer>;
}

/** A file that a caller asks for. */
export interface AskedFile<Job extends TemporaryFileJob> {
  readonly slots: RenderingSlots;
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
  private readonly waits = new FileWaits<TemporaryFile>();

  constructor(
    private readonly files: TemporaryFiles,
    private readonly queue: JobQueue,
  ) {}

  /**
   * The lines are known only after the reading, which takes one slot.
   *
   * @throws AppError what `read` throws; `UNAVAILABLE` if too many callers wait, or no worker makes the file in time
   */
  execute<Job extends TemporaryFileJob>(asked: AskedFile<Job>): Promise<TemporaryFile> {
    const { slots, read } = asked;
    const { companyId } = asked.payload;
    return slots.hold(companyId, 0, async () => {
      const content = await read();
      const key = temporaryFileKey(companyId, content);
      const known = await this.find(key);
      if (known) return known;
      const id = `${asked.job}-${companyId}-${key.variant.slice(0, 16)}`;
      return this.waits.join(id, () =>
        slots.holdMore(companyId, linesShown(content), () => this.made(id, key, asked)),
      );
    });
  }

  private made<Job extends TemporaryFileJob>(
    id: string,
    first: TemporaryFileKey,
    { job: name, payload, read }: AskedFile<Job>,
  ): Promise<TemporaryFile> {
    const { companyId } = first;
    return awaitFile(this.queue, { name, id, payload }, async (round) => {
      const key = round === 0 ? first : temporaryFileKey(companyId, await read());
      return () => this.find(key);
    });
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
