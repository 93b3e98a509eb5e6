import { createHash } from 'node:crypto';
import { ReadIssuedDocument } from '@counterfoil/documents';
import type { JobPayloads } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import type { RenditionFormat } from '../domain/rendition';
import { documentPage } from './document-page';
import { chosenRendition, documentToPrint } from './document-to-print';
import { PdfRenderer } from './ports/pdf-renderer';
import type { PrintableDocument } from './ports/printable-document';
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
  async execute({ companyId, documentId, ...asked }: JobPayloads['document.render']): Promise<void> {
    const choice = { format: 'pdf' as const, ...asked };
    const document = await this.documents.execute(companyId, { id: documentId });
    if (!document) return;
    const key = { companyId, documentId, variant: chosenRendition(document, choice).variant };
    if ((await this.renditions.find(key)) !== null) return;
    const content = await this.contentOf(documentToPrint(document, choice), choice.format);
    const sha256 = createHash('sha256').update(content).digest('hex');
    await this.renditions.save(key, { content, sha256 });
  }

  /** A page takes milliseconds, also of 1,000 items, so it needs no thread. */
  private async contentOf(document: PrintableDocument, format: RenditionFormat): Promise<Buffer> {
    if (format === 'html') return Buffer.from(documentPage(document).html);
    return Buffer.from(await this.renderer.render(document));
  }

  /** Ends the rendering under way: its caller signals another job. */
  stop(): Promise<void> {
    return this.renderer.stop();
  }
}
