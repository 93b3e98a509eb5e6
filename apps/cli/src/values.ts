import type { AllocationNumberStatus, DeliveryState, DocumentStatus, DocumentType } from '@counterfoil/sdk';

// Values of the API that options take. The compiler compares them with its description.

const listOf = <Value extends string>(values: Readonly<Record<Value, true>>): readonly Value[] =>
  Object.keys(values) as Value[];

export const DOCUMENT_TYPES = listOf<DocumentType>({
  TAX_INVOICE: true,
  TAX_INVOICE_RECEIPT: true,
  RECEIPT: true,
  REFUND: true,
  RETURN: true,
  PROFORMA: true,
  QUOTE: true,
  ORDER: true,
  DELIVERY_NOTE: true,
});

export const DOCUMENT_STATUSES = listOf<DocumentStatus>({
  OPEN: true,
  PARTIALLY_PAID: true,
  PAID: true,
  CLOSED: true,
  CANCELLED: true,
});

export const ALLOCATION_NUMBER_STATUSES = listOf<AllocationNumberStatus>({ PENDING: true, REFUSED: true });

export const DELIVERY_STATES = listOf<DeliveryState>({
  pending: true,
  waiting: true,
  delivered: true,
  dropped: true,
});
