import type { SupplierInvoiceDetails, SupplierInvoiceRow } from '@counterfoil/documents';
import type { PurchaseBody } from './purchase.answers';
import type { CreatePurchaseBody } from './purchase.dto';

/** What was asked for, with what was left out in its place; an empty optional text counts as left out. */
export function askedInvoice(body: CreatePurchaseBody): SupplierInvoiceDetails {
  const { vendorId, documentNumber, date, currency, total, tax } = body;
  return {
    ...{ vendorId, documentNumber, date, currency, total, tax },
    title: body.title || null,
    deductableTax: body.deductableTax ?? tax,
    notes: body.notes || null,
  };
}

export function purchaseRow(invoice: SupplierInvoiceRow): PurchaseBody {
  const { id, visibleId, vendorId, documentNumber, date, title, currency, total, tax, deductableTax } =
    invoice;
  return {
    ...{ id, visibleId, vendorId },
    vendor: { id: vendorId, name: invoice.vendorName },
    ...{ documentNumber, date, title, currency, total, tax, deductableTax },
    notes: invoice.notes,
    status: invoice.cancelled ? 'CANCELLED' : 'OPEN',
    cancelled: invoice.cancelled,
    createdAt: invoice.createdAt.toISOString(),
    updatedAt: invoice.updatedAt.toISOString(),
  };
}
