import { createHash } from 'node:crypto';
import { type IssuedContent, ReadIssuedDocument } from '@counterfoil/documents';
import type { JobPayloads } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import type { RenditionChoice } from '../domain/rendition';
import { documentToPrint, keyOf } from './document-to-print';
import { PdfRenderer } from './ports/pdf-renderer';
import { type RenditionKey, Renditions } from './ports/renditions';

/** Makes the rendition that a caller waits for, in the worker (contract §8.15). */
@Injectable()
export class RenderDocument {
  constructor(
    private readonly documents: ReadIssuedDocument,
    private readonly renditions: Renditions,
    private readonly renderer: PdfRenderer,
  ) {}

  /** Makes nothing if the rendition exists. */
  async execute({ companyId, documentId, ...choice }: JobPayloads['document.render']): Promise<void> {
    const document = await this.documents.execute(companyId, { id: documentId });
    if (document) await this.make(keyOf(document, companyId, choice), document, choice);
  }

  /** Returns the bytes of a file. Makes it if it does not exist. */
  async file(companyId: number, document: IssuedContent, choice: RenditionChoice): Promise<Buffer> {
    const key = keyOf(document, companyId, choice);
    await this.make(key, document, choice);
    return this.renditions.content(key);
  }

  /** Ends the rendering under way: its caller signals another job. */
  stop(): Promise<void> {
    return this.renderer.stop();
  }

  /** If two workers make a rendition at once, both make the same bytes. */
  private async make(key: RenditionKey, document: IssuedContent, choice: RenditionChoice): Promise<void> {
    if ((await this.renditions.find(key)) !== null) return;
    const content = Buffer.from(await this.renderer.render(documentToPrint(document, choice)));
    const sha256 = createHash('sha256').update(content).digest('hex');
    await this.renditions.save(key, { content, sha256 });
  }
}
