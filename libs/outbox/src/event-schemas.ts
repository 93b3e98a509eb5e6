import type { EventType } from './event-types';
import {
  choice,
  type Fields,
  flag,
  formatted,
  integer,
  integerOrNull,
  type JsonSchema,
  money,
  numberOrNull,
  objectOf,
  text,
  textOrNull,
} from './schema-parts';

// Written out in each place, without $ref: such a schema means the same alone and inside an OpenAPI description. Objects
// stay open, since fields may be added. Never line items, contact details, addresses or payment data (spec: Envelope);
// event-catalogue.spec.ts holds the list of the names that may stand here.

const CURRENCY: JsonSchema = { type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217.' };

// The contexts know these lists too, and this lib knows no context: apps/api/src/openapi/describe-events.spec.ts compares.
const DOCUMENT_TYPE = choice(
  [
    'TAX_INVOICE',
    'TAX_INVOICE_RECEIPT',
    'RECEIPT',
    'REFUND',
    'RETURN',
    'PROFORMA',
    'QUOTE',
    'ORDER',
    'DELIVERY_NOTE',
    'SUPPLIER_INVOICE',
  ],
  'REFUND and RETURN are credit notes. A SUPPLIER_INVOICE was received, not issued.',
);
const DOCUMENT_NUMBER = integer('Runs without gaps per company and type.');

/** A document as it was when the event was written (spec: Event envelope and document snapshot). */
const DOCUMENT: JsonSchema = {
  title: 'DocumentSnapshot',
  ...objectOf({
    id: formatted('uuid', 'The public id.'),
    documentId: integer('The numeric id, which allocating a receipt takes.'),
    type: DOCUMENT_TYPE,
    number: DOCUMENT_NUMBER,
    externalId: textOrNull('The id that the issuing system gave it; unique within the company.'),
    entityId: integer('The numeric id of whom it was issued to; of a SUPPLIER_INVOICE, of whom it is from.'),
    retainerId: integerOrNull('The numeric id of the retainer that it belongs to.'),
    issueDate: formatted('date', 'The date on the document.'),
    updatedAt: formatted(
      'date-time',
      'When it last changed, in UTC. Ignore an event that is older than what you know of the document.',
    ),
    currency: CURRENCY,
    amount: money('Before VAT.'),
    tax: money('The VAT.'),
    totalWithTax: money('With VAT.'),
    status: choice(
      ['OPEN', 'PARTIALLY_PAID', 'PAID', 'CLOSED', 'CANCELLED'],
      'PAID by receipts; CLOSED by hand, or by a document that covered or credited the last of it.',
    ),
    isOpen: flag('Whether the status is OPEN or PARTIALLY_PAID.'),
    remainingAmount: money('What of the total is not settled yet.'),
    coveredAmount: money('What of the total is settled.'),
    taxAuthorityApprovalNumber: textOrNull("The tax authority's allocation number."),
    approvalNumberStatus: {
      type: ['string', 'null'],
      enum: ['PENDING', 'REFUSED', null],
      description:
        'PENDING while the tax authority is still to give the number, REFUSED when it will not, else null.',
    },
    cancelled: flag('Whether it was cancelled.'),
  }),
};

const ALLOCATIONS: JsonSchema = {
  type: 'array',
  description: 'What the receipt was allocated to now; earlier allocations are not repeated.',
  items: {
    title: 'Allocation',
    ...objectOf({
      documentId: integer('The numeric id of what is paid.'),
      id: formatted('uuid', 'Its public id.'),
      number: DOCUMENT_NUMBER,
      type: DOCUMENT_TYPE,
      amount: money('How much of it the receipt pays.'),
    }),
  },
};

const CHARGE: JsonSchema = {
  title: 'Charge',
  ...objectOf({
    id: integer('The numeric id of the charge.'),
    amount: money('What was asked for.'),
    currency: CURRENCY,
    status: choice(
      ['AUTHORIZED', 'SUCCEEDED', 'FAILED', 'CANCELED'],
      'AUTHORIZED until it is captured or canceled. A refund leaves it SUCCEEDED.',
    ),
    authorizedOnly: flag('Whether the amount was authorized and not captured.'),
    capturedAmount: money('What of the amount was taken; 0 while it is only authorized.'),
    refundedAmount: money('What of the captured amount was given back.'),
    tokenId: integer('The numeric id of the card, which is saved, or was used once on a payment page.'),
    entityId: integerOrNull('The numeric id of whom it charges.'),
    documentId: integerOrNull('The numeric id of the document that it pays.'),
    failureCode: textOrNull('Why it was declined; null where it was not.'),
    createdAt: formatted('date-time', 'When it was asked for, in UTC.'),
  }),
};

const REFUND: JsonSchema = {
  title: 'Refund',
  ...objectOf({
    id: integer('The numeric id of the refund.'),
    amount: money('What is given back.'),
    currency: CURRENCY,
    reason: textOrNull('As it was given with the refund.'),
    chargeId: integer('The numeric id of the charge.'),
    createdAt: formatted('date-time', 'When it was asked for, in UTC.'),
  }),
};

/** What tells one saved card from another, and nothing that could be charged (decisions §10). */
const PAYMENT_METHOD: JsonSchema = {
  title: 'PaymentMethod',
  ...objectOf({
    id: integer('The numeric id of the saved card; the tokenId of its charges.'),
    brand: text('Such as VISA.'),
    last4: { type: 'string', pattern: '^[0-9]{4}$', description: 'The last four digits.' },
    expiryMonth: { type: 'integer', minimum: 1, maximum: 12, description: 'The last month it is valid in.' },
    expiryYear: integer('The year of that month, in four digits.'),
    entityId: integerOrNull('The numeric id of whose card it is.'),
  }),
};

const EXPENSE: JsonSchema = {
  title: 'Expense',
  ...objectOf({
    id: integer('The numeric id of the expense.'),
    entityId: integer("The vendor's numeric entity id."),
    userId: integer('The numeric id of the user who recorded it.'),
    fileId: integer('The numeric id of the receipt.'),
    date: formatted('date', "The date on the vendor's document."),
    documentNumber: textOrNull('The number that the vendor gave it.'),
    currency: CURRENCY,
    total: money('Including tax.'),
    tax: money('The VAT in it.'),
    deductableTax: money('The reclaimable part of the VAT.'),
    isEquipment: flag('Whether it is a fixed asset rather than a running cost.'),
    totalInILS: numberOrNull('The total in shekels; null when no rate was available.'),
    exchangeRate: numberOrNull('Shekels for one unit of the currency; null of shekels, and without a rate.'),
    exchangeRateDate: {
      type: ['string', 'null'],
      format: 'date',
      description: 'When that rate was published.',
    },
    createdAt: formatted('date-time', 'When it was recorded, in UTC.'),
    updatedAt: formatted(
      'date-time',
      'When it last changed, in UTC. Ignore an event that is older than what you know of the expense.',
    ),
  }),
};

const RETAINER: JsonSchema = {
  title: 'Retainer',
  ...objectOf({
    id: integer('The numeric id of the retainer.'),
    entityId: integer('The numeric id of whom it bills.'),
    documentType: choice(
      ['TAX_INVOICE', 'TAX_INVOICE_RECEIPT', 'PROFORMA', 'QUOTE', 'ORDER', 'DELIVERY_NOTE'],
      'What it issues.',
    ),
    currency: CURRENCY,
  }),
};

const quantity = (description: string): JsonSchema => ({ type: 'number', minimum: 0, description });

const STOCK_PLACE = {
  productId: integer('The numeric id of the product.'),
  warehouseId: integer('The numeric id of the warehouse.'),
};

const MOVEMENT: JsonSchema = {
  title: 'StockMovement',
  ...objectOf({
    id: integer('The numeric id of the movement.'),
    inventoryId: integer('The numeric id of the stock record.'),
    ...STOCK_PLACE,
    userId: integer('The numeric id of the user who caused it.'),
    movementType: choice(
      [
        ...['ADD', 'SUBTRACT', 'ADJUST', 'TRANSFER', 'RESERVE', 'RELEASE', 'RELEASE_AND_SUBTRACT'],
        'ADD_AND_RESERVE',
      ],
      'Of a TRANSFER, the quantities before and after tell the direction.',
    ),
    quantity: quantity('How much was moved; always positive.'),
    previousQuantity: quantity('How much there was.'),
    newQuantity: quantity('How much there is since.'),
    previousReservedQuantity: quantity('How much of it was reserved.'),
    newReservedQuantity: quantity('How much of it is reserved since.'),
    counterpartInventoryId: integerOrNull('Of a TRANSFER: the numeric id of the other stock record.'),
    referenceId: integerOrNull('The id of what caused it, as it was given.'),
    referenceType: textOrNull('What that id refers to, as it was given.'),
    createdAt: formatted('date-time', 'When it was recorded, in UTC.'),
  }),
};

const STOCK_RECORD: JsonSchema = {
  title: 'StockRecord',
  ...objectOf({
    id: integer('The numeric id of the stock record.'),
    ...STOCK_PLACE,
    quantity: quantity('How much there is.'),
    reservedQuantity: quantity('How much of it is reserved.'),
    availableQuantity: quantity('How much of it is not.'),
    lowStockThreshold: quantity('What the available quantity came down to, or below.'),
  }),
};

/** What `data` carries in each type of event (spec: Envelope; decisions §10). */
const DATA: Readonly<Record<EventType, Fields>> = {
  'document.created': { document: DOCUMENT },
  'document.status_changed': {
    document: DOCUMENT,
    reason: choice(
      ['ALLOCATION', 'COVERED', 'MANUAL'],
      'ALLOCATION: by a receipt. COVERED: by another document, a credit note included. MANUAL: by hand. The same where that is taken back.',
    ),
    changedBy: {
      type: 'string',
      pattern: '^(user:[0-9]+|api-key:[0-9]+|system:.+)$',
      description: 'user:<id>, api-key:<id> or system:<job>.',
    },
  },
  'document.allocated': { document: DOCUMENT, allocations: ALLOCATIONS },
  'document.cancelled': {
    document: DOCUMENT,
    cancellationReason: text('As it was given when the document was cancelled.'),
  },
  'document.refunded': {
    document: DOCUMENT,
    refundedBy: { ...DOCUMENT, description: 'The credit note.' },
  },
  'document.approval_number.assigned': { document: DOCUMENT },
  'charge.succeeded': { charge: CHARGE },
  'charge.failed': { charge: CHARGE },
  'charge.captured': { charge: CHARGE },
  'charge.canceled': { charge: CHARGE },
  'refund.created': { charge: CHARGE, refund: REFUND },
  'payment_method.attached': { paymentMethod: PAYMENT_METHOD },
  'payment_method.detached': { paymentMethod: PAYMENT_METHOD },
  'expense.created': { expense: EXPENSE },
  'expense.updated': { expense: EXPENSE },
  'expense.deleted': { expense: EXPENSE },
  'retainer.document_refused': {
    retainer: RETAINER,
    runDate: formatted('date', 'The day on which the document was due; it will bear that date.'),
    code: text('The error code, as a call would have been refused with.'),
    error: text('The same in words.'),
  },
  'stock.movement.recorded': { movement: MOVEMENT },
  'stock.low': {
    inventory: STOCK_RECORD,
    movementId: integer('The numeric id of the movement that did it.'),
  },
};

const TEST = flag('True in an event that was sent by POST /webhooks/:id/test, and not there in any other.');

/** The schema of an event's whole envelope (spec: Envelope). */
export function envelopeSchema(type: EventType): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: type,
    ...objectOf({
      id: text('The same for every endpoint that the event is sent to, and for every retry.'),
      type: { type: 'string', const: type },
      created: integer('When the event was written, in Unix seconds.'),
      data: objectOf(DATA[type], { test: TEST }),
    }),
  };
}
