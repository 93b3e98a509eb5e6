import type { JobPayloads } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import { ReadStatementContent } from './read-statement-content';
import { RenderTemporaryFile } from './render-temporary-file';

/** Makes the PDF of a statement that a caller waits for, in the worker. */
@Injectable()
export class RenderStatement {
  constructor(
    private readonly reader: ReadStatementContent,
    private readonly renderFile: RenderTemporaryFile,
  ) {}

  async execute({ companyId, ...choice }: JobPayloads['statement.render']): Promise<void> {
    await this.renderFile.execute(companyId, await this.reader.execute(companyId, choice));
  }
}
