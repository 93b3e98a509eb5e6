import { plainDateOf } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { ClaimedAllocationNumber } from './ports/allocation-number-requests';
import type { InvoiceForAllocationNumber } from './ports/tax-authority';
import { ReadIssuedDocument } from './read-issued-document';

/** Collects the fields of a document that the tax authority requires. */
@Injectable()
export class AllocationNumberInvoices {
  constructor(private readonly documents: ReadIssuedDocument) {}

  /** With the parties that the document names, because its number is for them (contract §8.13). */
  async find({
    companyId,
    documentId,
    attempts,
  }: ClaimedAllocationNumber): Promise<InvoiceForAllocationNumber> {
    const document = await this.documents.execute(companyId, { id: documentId });
    if (!document) throw new Error(`document ${documentId} is missing`);
    const { visibleId, type, number, issueDate, currency, amount, tax } = document;
    const { issuer, recipient } = document.parties;
    return {
      ...{ documentVisibleId: visibleId, type, number, issueDate, currency, amount, tax },
      issuedOn: plainDateOf(document.createdAt),
      companyTaxId: issuer.taxId,
      companyName: issuer.name,
      customerTaxId: recipient.taxId,
      customerName: recipient.name,
      attempt: attempts + 1,
    };
  }
}
