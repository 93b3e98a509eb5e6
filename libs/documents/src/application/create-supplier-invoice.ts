import { randomUUID } from 'node:crypto';
import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { assertTaxes, type Caller, Clock, type Transaction, unknownReference } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { VendorDirectory } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import { created } from './events';
import { asDocument, type SupplierInvoice, type SupplierInvoiceDetails } from '../domain/supplier-invoice';
import { DocumentTransactions } from './document-transactions';
import { SupplierInvoiceRepository } from './ports/supplier-invoice.repository';

/** Records an invoice from a vendor as a document of type `SUPPLIER_INVOICE`. */
@Injectable()
export class CreateSupplierInvoice {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly idempotency: Idempotency,
    private readonly invoices: SupplierInvoiceRepository,
    private readonly vendors: VendorDirectory,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * @param call null if the call has no idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `UNKNOWN_REFERENCE` for an unknown vendor, `VALIDATION_FAILED` for impossible taxes
   */
  async execute(
    { companyId }: Caller,
    details: SupplierInvoiceDetails,
    call: IdempotentCall<SupplierInvoice> | null = null,
  ): Promise<SupplierInvoice> {
    assertTaxes(details);
    const vendor = await this.vendors.find(companyId, { id: details.vendorId });
    if (!vendor) throw unknownReference('vendorId', 'vendor');
    const record = async (tx: Transaction) => {
      const createdAt = this.clock.now();
      const invoice = await this.invoices.insert(tx, {
        ...details,
        companyId,
        visibleId: randomUUID(),
        createdAt,
      });
      await this.outbox.append(tx, companyId, [created(asDocument(invoice))]);
      return invoice;
    };
    return this.transactions.run(companyId, this.idempotency.wrap(companyId, call, record));
  }
}
