import { type NewDocument, PreviewDocument } from '@counterfoil/documents';
import { Injectable } from '@nestjs/common';
import { previewContent } from './document-to-print';
import type { PreviewContent } from './temporary-content';

/** Computes all that the PDF of a preview shows (contract §8.10). */
@Injectable()
export class ReadPreviewContent {
  constructor(private readonly preview: PreviewDocument) {}

  /** @throws AppError what `PreviewDocument` throws */
  async execute(companyId: number, draft: NewDocument): Promise<PreviewContent> {
    return previewContent(await this.preview.execute({ companyId }, draft));
  }
}
