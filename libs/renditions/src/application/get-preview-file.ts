import type { NewDocument } from '@counterfoil/documents';
import { ConcurrencyLimit } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { FetchTemporaryFile, type TemporaryFile } from './fetch-temporary-file';
import { ReadPreviewContent } from './read-preview-content';

/** Returns the PDF of a document that is not issued (contract §8.10). */
@Injectable()
export class GetPreviewFile {
  private readonly slots = new ConcurrencyLimit({
    ...{ total: 32, perCompany: 8, dynamicThreshold: true },
    what: 'previews to print',
  });

  constructor(
    private readonly reader: ReadPreviewContent,
    private readonly fetchFile: FetchTemporaryFile,
  ) {}

  /**
   * @throws AppError what `PreviewDocument` throws; `UNAVAILABLE` if too many callers wait, or no worker makes the file
   *   in time
   */
  execute(companyId: number, draft: NewDocument): Promise<TemporaryFile> {
    return this.slots.hold(companyId, () =>
      this.fetchFile.execute({
        job: 'preview.render',
        payload: { companyId, draft },
        read: () => this.reader.execute(companyId, draft),
      }),
    );
  }
}
