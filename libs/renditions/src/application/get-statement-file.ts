import { ConcurrencyLimit } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { FetchTemporaryFile, type TemporaryFile } from './fetch-temporary-file';
import { ReadStatementContent, type StatementFileChoice } from './read-statement-content';

/** Returns the PDF of a statement of account (contract §8.20). */
@Injectable()
export class GetStatementFile {
  private readonly slots = new ConcurrencyLimit({
    ...{ total: 32, perCompany: 8, dynamicThreshold: true },
    what: 'statements to print',
  });

  constructor(
    private readonly reader: ReadStatementContent,
    private readonly fetchFile: FetchTemporaryFile,
  ) {}

  /**
   * @throws AppError what `ReadStatementContent` throws; `UNAVAILABLE` if too many callers wait, or no worker makes the
   *   file in time
   */
  execute(companyId: number, choice: StatementFileChoice): Promise<TemporaryFile> {
    return this.slots.hold(companyId, () =>
      this.fetchFile.execute({
        job: 'statement.render',
        payload: { companyId, ...choice },
        read: () => this.reader.execute(companyId, choice),
      }),
    );
  }
}
