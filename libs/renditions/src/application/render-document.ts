import { createHash } from 'node:crypto';
import { FaultPoints } from '@counterfoil/config';
import { type IssuedContent, ReadIssuedDocument } from '@counterfoil/documents';
import type { JobPayloads } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import {
  type EInvoiceSyntax,
  isEInvoiceSyntax,
  type PageChoice,
  type RenditionChoice,
} from '../domain/rendition';
import { documentPage } from './document-page';
import { documentToEInvoice } from './document-to-e-invoice';
import { documentToPrint, keyOf } from './document-to-print';
import { EInvoiceWriter } from './ports/e-invoice-writer';
import { PdfRenderer } from './ports/pdf-renderer';
import { type RenditionKey, Renditions } from './ports/renditions';
import { ReadLogo } from './read-logo';

/** Makes the rendition that a caller waits for, in the worker (contract §8.15, §8.16). */
@Injectable()
export class RenderDocument {
  constructor(
    private readonly documents: ReadIssuedDocument,
    private readonly renditions: Renditions,
    private readonly renderer: PdfRenderer,
    private readonly eInvoices: EInvoiceWriter,
    private readonly logos: ReadLogo,
    private readonly faults: FaultPoints,
  ) {}

  /** Makes nothing if the rendition exists, or if there is no e-invoice of the document. */
  async execute({ companyId, documentId, ...asked }: JobPayloads['document.render']): Promise<void> {
    const choice = { format: 'pdf', ...asked } as const;
    const document = await this.documents.execute(companyId, { id: documentId });
    if (document) await this.make(keyOf(document, companyId, choice), document, choice);
  }

  /** Returns the bytes of a PDF. Makes it if it does not exist. */
  async pdf(companyId: number, document: IssuedContent, choice: PageChoice): Promise<Buffer> {
    const asked = { ...choice, format: 'pdf' } as const;
    const key = keyOf(document, companyId, asked);
    await this.make(key, document, asked);
    return this.renditions.content(key);
  }

  /** Ends the rendering under way: its caller signals another job. */
  stop(): Promise<void> {
    return this.renderer.stop();
  }

  /** If two workers make a rendition at once, both make the same bytes. */
  private async make(key: RenditionKey, document: IssuedContent, choice: RenditionChoice): Promise<void> {
    if ((await this.renditions.find(key)) !== null) return;
    const content = await this.made(key.companyId, document, choice);
    if (content === null) return;
    const sha256 = createHash('sha256').update(content).digest('hex');
    this.faults.reach('rendition.made');
    await this.renditions.save(key, { content, sha256 });
    this.faults.reach('rendition.stored');
  }

  /** Null if there is no e-invoice of the document. Its caller was told so, unless it has changed since. */
  private async made(
    companyId: number,
    document: IssuedContent,
    choice: RenditionChoice,
  ): Promise<Buffer | null> {
    if (isEInvoiceSyntax(choice.format)) return this.eInvoice(document, choice.format);
    const { logoFileId } = document.parties.issuer;
    const logo = await this.logos.execute(companyId, logoFileId);
    const printed = documentToPrint(document, choice, logo);
    // A page takes milliseconds, also of 1,000 items, so it needs no thread.
    if (choice.format === 'html') return Buffer.from(documentPage(printed).html);
    const eInvoice = this.eInvoice(document, 'ubl');
    const { pdf, isLogoLeftOut } = await this.renderer.render({ ...printed, eInvoice });
    if (isLogoLeftOut) this.logos.noteLeftOut(companyId, logoFileId);
    return Buffer.from(pdf);
  }

  private eInvoice(document: IssuedContent, syntax: EInvoiceSyntax): Buffer | null {
    const invoice = documentToEInvoice(document, syntax);
    return invoice && this.eInvoices.write(invoice, syntax);
  }
}
