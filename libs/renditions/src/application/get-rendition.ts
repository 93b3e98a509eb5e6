import { setTimeout as sleep } from 'node:timers/promises';
import { type DocumentType, type IssuedKey, ReadIssuedDocument } from '@counterfoil/documents';
import { AppError, ConcurrencyLimit, UnavailableError } from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import type { RenditionChoice } from '../domain/rendition';
import { chosenRendition } from './document-to-print';
import { type Rendition, type RenditionKey, Renditions } from './ports/renditions';

/** A warm worker needs milliseconds for a page. */
const PAUSES_MS = { first: 10, longest: 200 } as const;
const GROWTH = 1.3;
/** A job may be lost while Redis is away. */
const SIGNALLED_AGAIN_MS = 2_000;
const WAIT_MAX_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

export interface DocumentFile extends Rendition {
  readonly type: DocumentType;
  readonly number: number;
}

/** Returns a file of an issued document (contract §8.15). The worker makes it when it is asked for first. */
@Injectable()
export class GetRendition {
  private readonly slots = new ConcurrencyLimit({ total: 64, perCompany: 16, what: 'documents to print' });

  constructor(
    private readonly documents: ReadIssuedDocument,
    private readonly renditions: Renditions,
    private readonly queue: JobQueue,
  ) {}

  /**
   * @param gone aborted when the caller disconnects
   * @throws AppError `NOT_FOUND` for a document that the company has not issued; `UNAVAILABLE` if too many callers wait,
   *   or no worker makes the file in time
   */
  async execute(
    companyId: number,
    key: IssuedKey,
    choice: RenditionChoice,
    gone: AbortSignal,
  ): Promise<DocumentFile> {
    const document = await this.documents.execute(companyId, key);
    if (!document) throw new AppError('NOT_FOUND', 'no such issued document');
    const { id: documentId, type, number } = document;
    const wanted = { companyId, documentId, variant: chosenRendition(document, choice).variant };
    const rendition =
      (await this.renditions.find(wanted)) ??
      (await this.slots.hold(companyId, () => this.rendered(wanted, choice, gone)));
    return { ...rendition, type, number };
  }

  private async rendered(key: RenditionKey, choice: RenditionChoice, gone: AbortSignal): Promise<Rendition> {
    const begun = performance.now();
    let pauseMs: number = PAUSES_MS.first;
    let signalledAt = -Infinity;
    while (!gone.aborted && performance.now() - begun < WAIT_MAX_MS) {
      if (performance.now() - signalledAt > SIGNALLED_AGAIN_MS) {
        signalledAt = performance.now();
        await this.signal(key, choice);
      }
      await sleep(pauseMs);
      pauseMs = Math.min(pauseMs * GROWTH, PAUSES_MS.longest);
      const rendition = await this.renditions.find(key);
      if (rendition) return rendition;
    }
    const message =
      'the document was not rendered in time; is a worker running? The file is kept, so try again';
    throw new UnavailableError('slow', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  private signal({ companyId, documentId, variant }: RenditionKey, { stamp, language }: RenditionChoice) {
    const payload = { companyId, documentId, stamp, language };
    return this.queue.signal('document.render', [{ id: `render-${documentId}-${variant}`, payload }]);
  }
}
