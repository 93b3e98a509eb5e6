import type { NewDocument } from '@counterfoil/documents';
import { Injectable } from '@nestjs/common';
import { FetchTemporaryFile, type TemporaryFile } from './fetch-temporary-file';
import { ReadPreviewContent } from './read-preview-content';
import { RenderingSlots } from './rendering-slots';

/** Returns the PDF of a document that is not issued (contract §8.10). */
@Injectable()
export class GetPreviewFile {
  private readonly slots = new RenderingSlots(8, 'previews to print');

  constructor(
    private readonly reader: ReadPreviewContent,
    private readonly fetchFile: FetchTemporaryFile,
  ) {}

  /**
   * @throws AppError what `PreviewDocument` throws; `UNAVAILABLE` if too many callers wait, or no worker makes the file
   *   in time
   */
  execute(companyId: number, draft: NewDocument): Promise<TemporaryFile> {
    return this.fetchFile.execute({
      slots: this.slots,
      job: 'preview.render',
      payload: { companyId, draft },
      read: () => this.reader.execute(companyId, draft),
    });
  }
}
