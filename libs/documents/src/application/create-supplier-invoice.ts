import { randomUUID } from 'node:crypto';
import { assertTaxes, type Caller, Clock, unknownReference } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { VendorDirectory } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import { created } from '../domain/events';
import { asDocument, type SupplierInvoice, type SupplierInvoiceDetails } from '../domain/supplier-invoice';
import { DocumentTransactions } from './document-transactions';
import { SupplierInvoiceRepository } from './ports/supplier-invoice.repository';

/** Records what a vendor charged, as a document of type `SUPPLIER_INVOICE`. */
@Injectable()
export class CreateSupplierInvoice {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly invoices: SupplierInvoiceRepository,
    private readonly vendors: VendorDirectory,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `UNKNOWN_REFERENCE` for an unknown vendor, `VALIDATION_FAILED` for taxes that cannot be */
  async execute({ companyId }: Caller, details: SupplierInvoiceDetails): Promise<SupplierInvoice> {
    assertTaxes(details);
    const vendor = await this.vendors.find(companyId, { id: details.vendorId });
    if (!vendor) throw unknownReference('vendorId', 'vendor');
    return this.transactions.run(companyId, async (tx) => {
      const createdAt = this.clock.now();
      const invoice = await this.invoices.insert(tx, {
        ...details,
        companyId,
        visibleId: randomUUID(),
        createdAt,
      });
      await this.outbox.append(tx, companyId, [created(asDocument(invoice))]);
      return invoice;
    });
  }
}
