import type { JobPayloads } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import { ReadPreviewContent } from './read-preview-content';
import { RenderTemporaryFile } from './render-temporary-file';

/** Makes the PDF of a preview that a caller waits for, in the worker. */
@Injectable()
export class RenderPreview {
  constructor(
    private readonly reader: ReadPreviewContent,
    private readonly renderFile: RenderTemporaryFile,
  ) {}

  async execute({ companyId, draft }: JobPayloads['preview.render']): Promise<void> {
    await this.renderFile.execute(companyId, await this.reader.execute(companyId, draft));
  }
}
