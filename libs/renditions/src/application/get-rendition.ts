import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type DocumentType,
  type IssuedContent,
  type IssuedKey,
  ReadIssuedDocument,
} from '@counterfoil/documents';
import { AppError, ConcurrencyLimit, outsideRequests, UnavailableError } from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import { isEInvoiceSyntax, type RenditionChoice } from '../domain/rendition';
import { eInvoiceRefusal } from './document-to-e-invoice';
import { keyOf } from './document-to-print';
import { type RenditionKey, Renditions, type StoredRendition } from './ports/renditions';

/** A warm worker needs milliseconds for a page. */
const PAUSES_MS = { first: 10, longest: 200 } as const;
const GROWTH = 1.3;
/** A job may be lost while Redis is away, and the document may have changed. */
const ROUND_MS = 2_000;
const ROUNDS = 5;
const RETRY_AFTER_SECONDS = 5;

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
  /** A slot is held until the file is there, also if its caller has gone, so that nobody can queue more. */
  private readonly slots = new ConcurrencyLimit({
    ...{ total: 64, perCompany: 16, dynamicThreshold: true },
    what: 'documents to print',
  });

  /** Strangers with a link leave slots to the callers of the company. */
  private readonly publicSlots = new ConcurrencyLimit({
    ...{ total: 16, perCompany: 4, dynamicThreshold: true },
    what: 'documents to print for visitors',
  });

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
    const make = () =>
      this.slots.hold(companyId, () => outsideRequests(() => this.made(companyId, document, choice)));
    return asker === 'visitor' ? this.publicSlots.hold(companyId, make) : make();
  }

  private async read(companyId: number, key: IssuedKey, choice: RenditionChoice): Promise<IssuedContent> {
    const document = await this.documents.execute(companyId, key);
    if (!document) throw new AppError('NOT_FOUND', 'no such issued document');
    const refusal = isEInvoiceSyntax(choice.format) ? eInvoiceRefusal(document) : null;
    if (refusal) throw refusal;
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

  private async made(
    companyId: number,
    found: IssuedContent,
    choice: RenditionChoice,
  ): Promise<DocumentFile> {
    let document = found;
    for (let round = 0; round < ROUNDS; round++) {
      await this.signal(keyOf(document, companyId, choice), choice);
      const file = await this.awaited(() => this.fileOf(document, companyId, choice));
      if (file) return file;
      document = await this.read(companyId, { id: document.id }, choice);
    }
    const message = 'the document was not rendered in time; is a worker running? Try again';
    throw new UnavailableError('slow', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  private async awaited(find: () => Promise<DocumentFile | null>): Promise<DocumentFile | null> {
    const end = performance.now() + ROUND_MS;
    for (let pauseMs: number = PAUSES_MS.first; performance.now() < end; pauseMs *= GROWTH) {
      await sleep(Math.min(pauseMs, PAUSES_MS.longest));
      const file = await find();
      if (file) return file;
    }
    return null;
  }

  private signal(key: RenditionKey, choice: RenditionChoice): Promise<void> {
    const { companyId, documentId } = key;
    const payload = { companyId, documentId, ...choice };
    return this.queue.signal('document.render', [{ id: jobIdOf(key), payload }]);
  }
}

/** A variant may contain characters that a queue does not accept. */
function jobIdOf({ documentId, variant }: RenditionKey): string {
  return `render-${documentId}-${createHash('sha256').update(variant).digest('hex').slice(0, 16)}`;
}
