import { Config } from '@counterfoil/config';
import { type IssuedContent, ReadIssuedDocument } from '@counterfoil/documents';
import { AppError, asCompany } from '@counterfoil/kernel';
import { PaymentProviders, PaymentsReader } from '@counterfoil/payments';
import { Injectable } from '@nestjs/common';
import { type LinkedShare, Shares } from './ports/shares';
import { ShareLinks } from './share-links';
import { isSafePage, type WayToPay, wayToPay } from './way-to-pay';

/** A link that has opened a document, and does not any more. Its holder may know that. */
export class ClosedShare extends Error {
  constructor(readonly how: 'expired' | 'revoked') {
    super(`the link is ${how}`);
  }
}

export interface OpenedShare {
  readonly share: LinkedShare;
  readonly document: IssuedContent;
  /** Null if the link names no payment page, or if nothing is left to pay. */
  readonly wayToPay: WayToPay | null;
}

/** Finds the document that a link opens. */
@Injectable()
export class OpenShare {
  constructor(
    private readonly links: ShareLinks,
    private readonly shares: Shares,
    private readonly documents: ReadIssuedDocument,
    private readonly payments: PaymentsReader,
    private readonly providers: PaymentProviders,
    private readonly config: Config,
  ) {}

  /**
   * The work from here on is charged to the company of the document.
   *
   * @throws AppError `NOT_FOUND`: for a revoked or expired link with the cause `ClosedShare`; the same for unknown and
   *   forged links, and those of a suspended or erased company
   */
  async execute(token: string): Promise<OpenedShare> {
    const key = this.links.read(token);
    if (!key) throw unknown();
    return asCompany(key.companyId, async () => {
      const share = await this.shares.findLinked(key.companyId, key.publicId);
      if (!share) throw unknown();
      assertOpen(share);
      const document = await this.documents.execute(share.companyId, { id: share.documentId });
      if (!document) throw unknown();
      return { share, document, wayToPay: await this.wayToPay(share, document) };
    });
  }

  private async wayToPay(
    { companyId, paymentPageId }: LinkedShare,
    document: IssuedContent,
  ): Promise<WayToPay | null> {
    const page = paymentPageId && (await this.payments.pageOfCompany(companyId, paymentPageId));
    if (!page) return null;
    const url = this.providers.find(page.provider)?.pageUrl(page.pageKey) ?? null;
    return wayToPay(document, page, url && isSafePage(url, this.config.publicUrl) ? url : null);
  }
}

function assertOpen({ isRevoked, isExpired }: LinkedShare): void {
  if (isRevoked) throw closed(new ClosedShare('revoked'));
  if (isExpired) throw closed(new ClosedShare('expired'));
}

function closed(cause: ClosedShare): AppError {
  return new AppError('NOT_FOUND', `${cause.message}: ask its sender for a new one`, { cause });
}

function unknown(): AppError {
  return new AppError('NOT_FOUND', 'no such link');
}
