import { createHash } from 'node:crypto';
import {
  type DocumentType,
  type IssuedContent,
  type IssuedKey,
  ReadIssuedDocument,
} from '@counterfoil/documents';
import { AppError } from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import { isEInvoiceSyntax, linesOf, type RenditionChoice } from '../domain/rendition';
import { awaitFile } from './await-file';
import { eInvoiceRefusal } from './document-to-e-invoice';
import { keyOf } from './document-to-print';
import { type RenditionKey, Renditions, type StoredRendition } from './ports/renditions';
import { RenderingSlots } from './rendering-slots';
import { FileWaits } from './file-waits';

/** A key of the company, or anybody who has a link. */
export type Asker = 'company' | 'visitor';

/** A file of a document that exists. */
export interface DocumentFile extends StoredRendition {
  readonly type: DocumentType;
  readonly number: number;
  /** Reads the bytes. */
  readonly content: () => Promise<Buffer>;
}

/** Returns a file of an issued document (contract §8.15, §8.16). The worker makes it when it is asked for first. */
@Injectable()
export class GetRendition {
  private readonly waits = new FileWaits<DocumentFile>();

  /** A slot is held until the file is there, also if its caller has gone, so that nobody can queue more. */
  private readonly slots = new RenderingSlots(16, 'documents to print');

  /** Strangers with a link leave slots to the callers of the company: they wait for one long document at a time. */
  private readonly publicSlots = new RenderingSlots(4, 'documents to print for visitors', 4);

  constructor(
    private readonly documents: ReadIssuedDocument,
    private readonly renditions: Renditions,
    private readonly queue: JobQueue,
  ) {}

  /**
   * @throws AppError `NOT_FOUND` for a document that the company has not issued; `INVALID_STATE` if there is no e-invoice
   *   of it; `UNAVAILABLE` if too many callers wait, or no worker makes the file in time
   */
  async execute(
    companyId: number,
    key: IssuedKey,
    choice: RenditionChoice,
    asker: Asker = 'company',
  ): Promise<DocumentFile> {
    const document = await this.read(companyId, key, choice);
    const known = await this.fileOf(document, companyId, choice);
    if (known) return known;
    const lines = choice.format === 'pdf' ? linesOf(document) : 0;
    const id = jobIdOf(keyOf(document, companyId, choice));
    const make = () => this.slots.hold(companyId, lines, () => this.made(id, companyId, document, choice));
    return this.waits.join(id, () =>
      asker === 'visitor' ? this.publicSlots.hold(companyId, lines, make) : make(),
    );
  }

  private async read(companyId: number, key: IssuedKey, choice: RenditionChoice): Promise<IssuedContent> {
    const { format } = choice;
    const check = (found: IssuedContent) => {
      const refusal = isEInvoiceSyntax(format) ? eInvoiceRefusal(found, format) : null;
      if (refusal) throw refusal;
    };
    const document = await this.documents.execute(companyId, key, check);
    if (!document) throw new AppError('NOT_FOUND', 'no such issued document');
    return document;
  }

  private async fileOf(
    document: IssuedContent,
    companyId: number,
    choice: RenditionChoice,
  ): Promise<DocumentFile | null> {
    const { type, number } = document;
    const key = keyOf(document, companyId, choice);
    const stored = await this.renditions.find(key);
    return stored && { ...stored, type, number, content: () => this.renditions.content(key) };
  }

  private made(
    jobId: string,
    companyId: number,
    found: IssuedContent,
    choice: RenditionChoice,
  ): Promise<DocumentFile> {
    const payload = { companyId, documentId: found.id, ...choice };
    return awaitFile(this.queue, { name: 'document.render', id: jobId, payload }, async (round) => {
      const document = round === 0 ? found : await this.read(companyId, { id: found.id }, choice);
      return () => this.fileOf(document, companyId, choice);
    });
  }
}

/** A variant may contain characters that a queue does not accept. */
function jobIdOf({ documentId, variant }: RenditionKey): string {
  return `render-${documentId}-${createHash('sha256').update(variant).digest('hex').slice(0, 16)}`;
}
