import { AppError, type Caller, Clock, datedAfter } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { cancelled } from './events';
import { asDocument, type SupplierInvoice } from '../domain/supplier-invoice';
import { DocumentTransactions } from './document-transactions';
import { SupplierInvoiceRepository } from './ports/supplier-invoice.repository';

/** Cancels a supplier invoice: it stays, and counts among the costs no more. */
@Injectable()
export class CancelSupplierInvoice {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly invoices: SupplierInvoiceRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * @param visibleId in lower case, known to be a UUID
   * @throws AppError `NOT_FOUND`, or `INVALID_STATE` for a cancelled one
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
