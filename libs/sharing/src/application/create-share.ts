import { randomUUID } from 'node:crypto';
import { DocumentReader, type IssuedKey } from '@counterfoil/documents';
import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { AppError, type Caller, Clock, unknownReference } from '@counterfoil/kernel';
import { PaymentsReader } from '@counterfoil/payments';
import { type RenditionStamp, StampHandOver } from '@counterfoil/renditions';
import { Injectable } from '@nestjs/common';
import { expiryOf, type Lifetime, LIVE_SHARES_MAX } from '../domain/share';
import { type AskedPage, Shares } from './ports/shares';

export interface ShareInput extends AskedPage, Lifetime {
  readonly document: IssuedKey;
}

export interface CreatedShare {
  readonly id: number;
  readonly publicId: string;
  readonly stamp: RenditionStamp;
  readonly expiresAt: Date;
}

/** Makes a link that opens a document to whoever has it (contract §8.17). */
@Injectable()
export class CreateShare {
  constructor(
    private readonly documents: DocumentReader,
    private readonly idempotency: Idempotency,
    private readonly payments: PaymentsReader,
    private readonly stampHandOver: StampHandOver,
    private readonly shares: Shares,
    private readonly clock: Clock,
  ) {}

  /**
   * @param call null if the call has no idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `NOT_FOUND` for a document that the company has not issued, `UNKNOWN_REFERENCE` for a
   *   payment page that the company does not have, `VALIDATION_FAILED` for an expiry that is not allowed,
   *   `LIMIT_REACHED` if the document has too many links
   */
  async execute(
    { companyId, apiKeyId }: Caller,
    { document: key, stamp: asked, language, paymentPageId, ...lifetime }: ShareInput,
    call: IdempotentCall<CreatedShare> | null = null,
  ): Promise<CreatedShare> {
    const document = await this.documents.identify(companyId, key);
    if (document === null) throw new AppError('NOT_FOUND', 'no such issued document');
    if (paymentPageId !== null && !(await this.payments.pageOfCompany(companyId, paymentPageId)))
      throw unknownReference('paymentPageId', 'payment page');
    const expiresAt = expiryOf(lifetime, this.clock.now());
    const publicId = randomUUID();
    const share = { documentId: document.id, publicId, language, paymentPageId, expiresAt };
    const createdBy = `api-key:${apiKeyId}`;
    return this.idempotency.run(companyId, call, async (tx) => {
      const stamp = await this.stampHandOver.execute(tx, companyId, document, asked);
      const id = await this.shares.insert(tx, companyId, { ...share, stamp, createdBy });
      if (id === null) throw tooMany();
      return { id, publicId, stamp, expiresAt };
    });
  }
}

function tooMany(): AppError {
  return new AppError(
    'LIMIT_REACHED',
    `the document has ${LIVE_SHARES_MAX} links that are neither revoked nor expired: revoke one`,
  );
}
