import { IdentityReader } from '@counterfoil/identity';
import { plainDateOf } from '@counterfoil/kernel';
import { PartyDirectory } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import type { ClaimedAllocationNumber } from './ports/allocation-number-requests';
import { DocumentReader } from './ports/document.reader';
import type { InvoiceForAllocationNumber } from './ports/tax-authority';

/** Collects the fields of a document that the tax authority requires. */
@Injectable()
export class AllocationNumberInvoices {
  constructor(
    private readonly reader: DocumentReader,
    private readonly identities: IdentityReader,
    private readonly parties: PartyDirectory,
  ) {}

  async find({
    companyId,
    documentId,
    attempts,
  }: ClaimedAllocationNumber): Promise<InvoiceForAllocationNumber> {
    const document = await this.reader.find(companyId, { id: documentId });
    if (!document) throw new Error(`document ${documentId} is missing`);
    const [company, customer] = await Promise.all([
      this.identities.company(companyId),
      this.parties.find(companyId, document.entityId),
    ]);
    if (!company || !customer) throw new Error(`the parties of document ${documentId} are missing`);
    const { visibleId, type, number, issueDate, currency, amount, tax } = document;
    return {
      ...{ documentVisibleId: visibleId, type, number, issueDate, currency, amount, tax },
      issuedOn: plainDateOf(document.createdAt),
      companyTaxId: company.taxId,
      companyName: company.name,
      customerTaxId: customer.taxId,
      customerName: customer.name,
      attempt: attempts + 1,
    };
  }
}
