import { ConcurrencyLimit, outsideRequests, UnavailableError } from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import { awaitFile } from './await-file';
import type { StoredRendition } from './ports/renditions';
import { StatementFiles, type StatementKey } from './ports/statement-files';
import { ReadStatementContent, type StatementFileChoice } from './read-statement-content';
import { statementKey } from './statement-to-print';

const REMOVED = 'the file of the statement was removed while it was fetched: try again';

/** The PDF of a statement that exists. */
export interface StatementFile extends StoredRendition {
  /** Reads the bytes. */
  readonly content: () => Promise<Buffer>;
}

/**
 * Returns the PDF of a statement of account (contract §8.20). The worker makes it, as it makes the files of documents:
 * it has the compiler, and a thread for it. A file is named by all that it shows, so it is never out of date.
 */
@Injectable()
export class GetStatementFile {
  private readonly slots = new ConcurrencyLimit({
    ...{ total: 32, perCompany: 8, dynamicThreshold: true },
    what: 'statements to print',
  });

  constructor(
    private readonly reader: ReadStatementContent,
    private readonly files: StatementFiles,
    private readonly queue: JobQueue,
  ) {}

  /**
   * @throws AppError what `ReadStatementContent` throws; `UNAVAILABLE` if too many callers wait, or no worker makes the
   *   file in time
   */
  execute(companyId: number, choice: StatementFileChoice): Promise<StatementFile> {
    return this.slots.hold(companyId, async () => {
      const key = await this.keyOf(companyId, choice);
      return (await this.find(key)) ?? outsideRequests(() => this.made(key, choice));
    });
  }

  private made(first: StatementKey, choice: StatementFileChoice): Promise<StatementFile> {
    const { companyId } = first;
    return awaitFile(async (round) => {
      const key = round === 0 ? first : await this.keyOf(companyId, choice);
      const job = {
        id: `statement-${companyId}-${key.variant.slice(0, 16)}`,
        payload: { companyId, ...choice },
      };
      return { signal: () => this.queue.signal('statement.render', [job]), find: () => this.find(key) };
    });
  }

  private async keyOf(companyId: number, choice: StatementFileChoice): Promise<StatementKey> {
    return statementKey(companyId, await this.reader.execute(companyId, choice));
  }

  private async find(key: StatementKey): Promise<StatementFile | null> {
    const stored = await this.files.find(key);
    return stored && { ...stored, content: () => this.content(key) };
  }

  private async content(key: StatementKey): Promise<Buffer> {
    const content = await this.files.content(key);
    if (!content) throw new UnavailableError('slow', REMOVED, { retryAfterSeconds: 1 });
    return content;
  }
}
