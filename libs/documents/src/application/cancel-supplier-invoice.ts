import { AppError, type Caller, Clock, datedAfter } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { cancelled } from './events';
import { asDocument, type SupplierInvoice } from '../domain/supplier-invoice';
import { DocumentTransactions } from './document-transactions';
import { SupplierInvoiceRepository } from './ports/supplier-invoice.repository';

/** Cancels a supplier invoice. It stays on record, but no longer counts as a cost. */
@Injectable()
export class CancelSupplierInvoice {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly invoices: SupplierInvoiceRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * @param visibleId a valid UUID in lower case
   * @throws AppError `NOT_FOUND`, `INVALID_STATE` if it is cancelled already
   */
  execute({ companyId }: Caller, visibleId: string, reason: string): Promise<SupplierInvoice> {
    return this.transactions.run(companyId, async (tx) => {
      const before = await this.invoices.lock(tx, companyId, visibleId);
      if (!before) throw new AppError('NOT_FOUND', 'no such supplier invoice');
      if (before.cancelled) throw new AppError('INVALID_STATE', 'the supplier invoice is cancelled already');
      const updatedAt = datedAfter(before.updatedAt, this.clock.now());
      const after = { ...before, cancelled: true, cancellationReason: reason, updatedAt };
      await this.invoices.saveCancellation(tx, companyId, after);
      await this.outbox.append(tx, companyId, [cancelled(asDocument(after), reason)]);
      return after;
    });
  }
}
