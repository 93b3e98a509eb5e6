import { Injectable } from '@nestjs/common';
import { FetchTemporaryFile, type TemporaryFile } from './fetch-temporary-file';
import { ReadStatementContent, type StatementFileChoice } from './read-statement-content';
import { RenderingSlots } from './rendering-slots';

/** Returns the PDF of a statement of account (contract §8.20). */
@Injectable()
export class GetStatementFile {
  private readonly slots = new RenderingSlots(8, 'statements to print');

  constructor(
    private readonly reader: ReadStatementContent,
    private readonly fetchFile: FetchTemporaryFile,
  ) {}

  /**
   * @throws AppError what `ReadStatementContent` throws; `UNAVAILABLE` if too many callers wait, or no worker makes the
   *   file in time
   */
  execute(companyId: number, choice: StatementFileChoice): Promise<TemporaryFile> {
    return this.fetchFile.execute({
      slots: this.slots,
      job: 'statement.render',
      payload: { companyId, ...choice },
      read: () => this.reader.execute(companyId, choice),
    });
  }
}
