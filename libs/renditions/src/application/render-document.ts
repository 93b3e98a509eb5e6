import { createHash } from 'node:crypto';
import { ReadIssuedDocument } from '@counterfoil/documents';
import type { JobPayloads } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import { chosenRendition, documentToPrint } from './document-to-print';
import { PdfRenderer } from './ports/pdf-renderer';
import { Renditions } from './ports/renditions';

/** Makes the rendition that a caller waits for, in the worker (contract §8.15). */
@Injectable()
export class RenderDocument {
  constructor(
    private readonly documents: ReadIssuedDocument,
    private readonly renditions: Renditions,
    private readonly renderer: PdfRenderer,
  ) {}

  /** Makes nothing if the rendition exists. If two workers make it at once, both make the same bytes. */
  async execute({ companyId, documentId, ...choice }: JobPayloads['document.render']): Promise<void> {
    const document = await this.documents.execute(companyId, { id: documentId });
    if (!document) return;
    const key = { companyId, documentId, variant: chosenRendition(document, choice).variant };
    if ((await this.renditions.find(key)) !== null) return;
    const content = Buffer.from(await this.renderer.render(documentToPrint(document, choice)));
    const sha256 = createHash('sha256').update(content).digest('hex');
    await this.renditions.save(key, { content, sha256 });
  }

  /** Ends the rendering under way: its caller signals another job. */
  stop(): Promise<void> {
    return this.renderer.stop();
  }
}
