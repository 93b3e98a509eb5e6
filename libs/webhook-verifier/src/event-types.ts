// Made by `npm run types:verifier` from the definitions of the events. Do not edit.

/** A value that a newer service may send beside those known here. */
type Later = string & Record<never, never>;

/** The types known when this version was made. An endpoint that subscribed to `*` gets later ones too. */
export type WebhookEventType =
  | 'document.created'
  | 'document.status_changed'
  | 'document.allocated'
  | 'document.cancelled'
  | 'document.refunded'
  | 'document.approval_number.assigned'
  | 'charge.succeeded'
  | 'charge.failed'
  | 'charge.captured'
  | 'charge.canceled'
  | 'refund.created'
  | 'payment_method.attached'
  | 'payment_method.detached'
  | 'expense.created'
  | 'expense.updated'
  | 'expense.deleted'
  | 'stock.movement.recorded'
  | 'retainer.document_refused'
  | 'stock.low'
  | 'webhook.endpoint_paused';

export interface DocumentSnapshot {
  /** The public id. */
  readonly id: string;
  /** The numeric id, which allocating a receipt takes. */
  readonly documentId: number;
  /** REFUND and RETURN are credit notes. A SUPPLIER_INVOICE was received, not issued. */
  readonly type:
    | 'TAX_INVOICE'
    | 'TAX_INVOICE_RECEIPT'
    | 'RECEIPT'
    | 'REFUND'
    | 'RETURN'
    | 'PROFORMA'
    | 'QUOTE'
    | 'ORDER'
    | 'DELIVERY_NOTE'
    | 'SUPPLIER_INVOICE'
    | Later;
  /** Runs without gaps per company and type. */
  readonly number: number;
  /** The id that the issuing system gave it; unique within the company. */
  readonly externalId: string | null;
  /** The numeric id of whom it was issued to; of a SUPPLIER_INVOICE, of whom it is from. */
  readonly entityId: number;
  /** The numeric id of the retainer that it belongs to. */
  readonly retainerId: number | null;
  /** The date on the document. `YYYY-MM-DD`. */
  readonly issueDate: string;
  /** When it last changed, in UTC. Ignore an event that is older than what you know of the document. ISO 8601. */
  readonly updatedAt: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Before VAT. */
  readonly amount: number;
  /** The VAT. */
  readonly tax: number;
  /** With VAT. */
  readonly totalWithTax: number;
  /** PAID by receipts; CLOSED by hand, or by a document that covered or credited the last of it. */
  readonly status: 'OPEN' | 'PARTIALLY_PAID' | 'PAID' | 'CLOSED' | 'CANCELLED' | Later;
  /** Whether the status is OPEN or PARTIALLY_PAID. */
  readonly isOpen: boolean;
  /** What of the total is not settled yet. */
  readonly remainingAmount: number;
  /** What of the total is settled. */
  readonly coveredAmount: number;
  /** The tax authority's allocation number. */
  readonly taxAuthorityApprovalNumber: string | null;
  /** PENDING while the tax authority is still to give the number, REFUSED when it will not, else null. */
  readonly approvalNumberStatus: 'PENDING' | 'REFUSED' | Later | null;
  /** Whether it was cancelled. */
  readonly cancelled: boolean;
}

export interface AllocationSnapshot {
  /** The numeric id of what is paid. */
  readonly documentId: number;
  /** Its public id. */
  readonly id: string;
  /** Runs without gaps per company and type. */
  readonly number: number;
  /** REFUND and RETURN are credit notes. A SUPPLIER_INVOICE was received, not issued. */
  readonly type:
    | 'TAX_INVOICE'
    | 'TAX_INVOICE_RECEIPT'
    | 'RECEIPT'
    | 'REFUND'
    | 'RETURN'
    | 'PROFORMA'
    | 'QUOTE'
    | 'ORDER'
    | 'DELIVERY_NOTE'
    | 'SUPPLIER_INVOICE'
    | Later;
  /** How much of it the receipt pays. */
  readonly amount: number;
}

export interface ChargeSnapshot {
  /** The numeric id of the charge. */
  readonly id: number;
  /** What was asked for. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
  /** AUTHORIZED until it is captured or canceled. A refund leaves it SUCCEEDED. */
  readonly status: 'AUTHORIZED' | 'SUCCEEDED' | 'FAILED' | 'CANCELED' | Later;
  /** Whether the amount was authorized and not captured. */
  readonly authorizedOnly: boolean;
  /** What of the amount was taken; 0 while it is only authorized. */
  readonly capturedAmount: number;
  /** What of the captured amount was given back. */
  readonly refundedAmount: number;
  /** The numeric id of the card, which is saved, or was used once on a payment page. */
  readonly tokenId: number;
  /** The numeric id of whom it charges. */
  readonly entityId: number | null;
  /** The numeric id of the document that it pays. */
  readonly documentId: number | null;
  /** Why it was declined; null where it was not. */
  readonly failureCode: string | null;
  /** When it was asked for, in UTC. ISO 8601. */
  readonly createdAt: string;
}

export interface RefundSnapshot {
  /** The numeric id of the refund. */
  readonly id: number;
  /** What is given back. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
  /** As it was given with the refund. */
  readonly reason: string | null;
  /** The numeric id of the charge. */
  readonly chargeId: number;
  /** When it was asked for, in UTC. ISO 8601. */
  readonly createdAt: string;
}

export interface PaymentMethodSnapshot {
  /** The numeric id of the saved card; the tokenId of its charges. */
  readonly id: number;
  /** Such as VISA. */
  readonly brand: string;
  /** The last four digits. */
  readonly last4: string;
  /** The last month it is valid in. */
  readonly expiryMonth: number;
  /** The year of that month, in four digits. */
  readonly expiryYear: number;
  /** The numeric id of whose card it is. */
  readonly entityId: number | null;
}

export interface ExpenseSnapshot {
  /** The numeric id of the expense. */
  readonly id: number;
  /** The vendor's numeric entity id. */
  readonly entityId: number;
  /** The numeric id of the user who recorded it. */
  readonly userId: number;
  /** The numeric id of the receipt. */
  readonly fileId: number;
  /** The date on the vendor's document. `YYYY-MM-DD`. */
  readonly date: string;
  /** The number that the vendor gave it. */
  readonly documentNumber: string | null;
  /** ISO 4217. */
  readonly currency: string;
  /** Including tax. */
  readonly total: number;
  /** The VAT in it. */
  readonly tax: number;
  /** The reclaimable part of the VAT. */
  readonly deductableTax: number;
  /** Whether it is a fixed asset rather than a running cost. */
  readonly isEquipment: boolean;
  /** The total in shekels; null when no rate was available. */
  readonly totalInILS: number | null;
  /** Shekels for one unit of the currency; null of shekels, and without a rate. */
  readonly exchangeRate: number | null;
  /** When that rate was published. `YYYY-MM-DD`. */
  readonly exchangeRateDate: string | null;
  /** When it was recorded, in UTC. ISO 8601. */
  readonly createdAt: string;
  /** When it last changed, in UTC. Ignore an event that is older than what you know of the expense. ISO 8601. */
  readonly updatedAt: string;
}

export interface StockMovementSnapshot {
  /** The numeric id of the movement. */
  readonly id: number;
  /** The numeric id of the stock record. */
  readonly inventoryId: number;
  /** The numeric id of the product. */
  readonly productId: number;
  /** The numeric id of the warehouse. */
  readonly warehouseId: number;
  /** The numeric id of the user who caused it. */
  readonly userId: number;
  /** Of a TRANSFER, the quantities before and after tell the direction. */
  readonly movementType:
    | 'ADD'
    | 'SUBTRACT'
    | 'ADJUST'
    | 'TRANSFER'
    | 'RESERVE'
    | 'RELEASE'
    | 'RELEASE_AND_SUBTRACT'
    | 'ADD_AND_RESERVE'
    | Later;
  /** How much was moved; always positive. */
  readonly quantity: number;
  /** How much there was. */
  readonly previousQuantity: number;
  /** How much there is since. */
  readonly newQuantity: number;
  /** How much of it was reserved. */
  readonly previousReservedQuantity: number;
  /** How much of it is reserved since. */
  readonly newReservedQuantity: number;
  /** Of a TRANSFER: the numeric id of the other stock record. */
  readonly counterpartInventoryId: number | null;
  /** The id of what caused it, as it was given. */
  readonly referenceId: number | null;
  /** What that id refers to, as it was given. */
  readonly referenceType: string | null;
  /** When it was recorded, in UTC. ISO 8601. */
  readonly createdAt: string;
}

export interface RetainerSnapshot {
  /** The numeric id of the retainer. */
  readonly id: number;
  /** The numeric id of whom it bills. */
  readonly entityId: number;
  /** What it issues. */
  readonly documentType:
    | 'TAX_INVOICE'
    | 'TAX_INVOICE_RECEIPT'
    | 'PROFORMA'
    | 'QUOTE'
    | 'ORDER'
    | 'DELIVERY_NOTE'
    | Later;
  /** ISO 4217. */
  readonly currency: string;
}

export interface StockRecordSnapshot {
  /** The numeric id of the stock record. */
  readonly id: number;
  /** The numeric id of the product. */
  readonly productId: number;
  /** The numeric id of the warehouse. */
  readonly warehouseId: number;
  /** How much there is. */
  readonly quantity: number;
  /** How much of it is reserved. */
  readonly reservedQuantity: number;
  /** How much of it is not. */
  readonly availableQuantity: number;
  /** What the available quantity came down to, or below. */
  readonly lowStockThreshold: number;
}

export interface PausedEndpointSnapshot {
  /** The id of the endpoint, as GET /webhooks shows it. */
  readonly id: string;
  /** Since when every attempt to it has failed, in UTC. ISO 8601. */
  readonly failingSince: string;
  /** Since when its events wait, in UTC. ISO 8601. */
  readonly pausedAt: string;
}

/** Which fields there are depends on the event's type; those of a later service are there as well. */
export interface WebhookEventData {
  /** In `document.created`, `document.status_changed`, `document.allocated`, `document.cancelled`, `document.refunded`, `document.approval_number.assigned`. */
  readonly document?: DocumentSnapshot;
  /** True in an event that was sent by POST /webhooks/:id/test, and not there in any other. */
  readonly test?: boolean;
  /** In `document.status_changed`. ALLOCATION: by a receipt. COVERED: by another document, a credit note included. MANUAL: by hand. The same where that is taken back. */
  readonly reason?: 'ALLOCATION' | 'COVERED' | 'MANUAL' | Later;
  /** In `document.status_changed`. user:<id>, api-key:<id> or system:<job>. */
  readonly changedBy?: string;
  /** In `document.allocated`. What the receipt was allocated to now; earlier allocations are not repeated. */
  readonly allocations?: readonly AllocationSnapshot[];
  /** In `document.cancelled`. As it was given when the document was cancelled. */
  readonly cancellationReason?: string;
  /** In `document.refunded`. The credit note. */
  readonly refundedBy?: DocumentSnapshot;
  /** In `charge.succeeded`, `charge.failed`, `charge.captured`, `charge.canceled`, `refund.created`. */
  readonly charge?: ChargeSnapshot;
  /** In `refund.created`. */
  readonly refund?: RefundSnapshot;
  /** In `payment_method.attached`, `payment_method.detached`. */
  readonly paymentMethod?: PaymentMethodSnapshot;
  /** In `expense.created`, `expense.updated`, `expense.deleted`. */
  readonly expense?: ExpenseSnapshot;
  /** In `stock.movement.recorded`. */
  readonly movement?: StockMovementSnapshot;
  /** In `retainer.document_refused`. */
  readonly retainer?: RetainerSnapshot;
  /** In `retainer.document_refused`. The day on which the document was due; it will bear that date. `YYYY-MM-DD`. */
  readonly runDate?: string;
  /** In `retainer.document_refused`. The error code, as a call would have been refused with. */
  readonly code?: string;
  /** In `retainer.document_refused`. The same in words. */
  readonly error?: string;
  /** In `stock.low`. */
  readonly inventory?: StockRecordSnapshot;
  /** In `stock.low`. The numeric id of the movement that did it. */
  readonly movementId?: number;
  /** In `webhook.endpoint_paused`. */
  readonly endpoint?: PausedEndpointSnapshot;
  readonly [field: string]: unknown;
}
