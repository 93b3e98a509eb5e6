import type { EventType } from './event-types';
import { OWN_EXAMPLES } from './own-event-examples';

/** One day of one company: an invoice is issued, paid in part and credited; a card is saved, charged and removed; an expense is recorded; goods are reserved. */
interface Example {
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  readonly data: object;
}

const INVOICE = {
  id: '6f1d7c52-0b0e-4c86-9a5e-2f4d8a1b7c90',
  documentId: 4182,
  type: 'TAX_INVOICE',
  number: 1042,
  externalId: 'order-7731',
  entityId: 318,
  retainerId: null,
  issueDate: '2026-11-22',
  updatedAt: '2026-11-22T08:00:00.412Z',
  currency: 'ILS',
  amount: 6000,
  tax: 1080,
  totalWithTax: 7080,
  status: 'OPEN',
  isOpen: true,
  remainingAmount: 7080,
  coveredAmount: 0,
  taxAuthorityApprovalNumber: null,
  approvalNumberStatus: 'PENDING',
  cancelled: false,
};

const APPROVED_INVOICE = {
  ...INVOICE,
  updatedAt: '2026-11-22T08:00:09.733Z',
  taxAuthorityApprovalNumber: '202611220',
  approvalNumberStatus: null,
};

const RECEIPT = {
  ...INVOICE,
  id: 'c0a8f3de-91b4-4f0b-8d57-5b1e6a2c3d44',
  documentId: 4190,
  type: 'RECEIPT',
  number: 377,
  externalId: null,
  updatedAt: '2026-11-22T09:15:30.018Z',
  amount: 2000,
  tax: 0,
  totalWithTax: 2000,
  status: 'PAID',
  isOpen: false,
  remainingAmount: 0,
  coveredAmount: 2000,
  approvalNumberStatus: null,
};

const CREDIT_NOTE = {
  ...RECEIPT,
  id: '2b9e4a17-6c3f-4d28-b1a0-7e8f9c5d6b31',
  documentId: 4203,
  type: 'REFUND',
  number: 58,
  updatedAt: '2026-11-22T11:40:00.655Z',
  amount: 1000,
  tax: 180,
  totalWithTax: 1180,
  coveredAmount: 1180,
};

const CHARGE = {
  id: 902,
  amount: 350,
  currency: 'ILS',
  status: 'SUCCEEDED',
  authorizedOnly: false,
  capturedAmount: 350,
  refundedAmount: 0,
  tokenId: 55,
  entityId: 318,
  documentId: null,
  failureCode: null,
  createdAt: '2026-11-22T12:05:00.120Z',
};

const AUTHORIZATION = { ...CHARGE, id: 904, amount: 500, createdAt: '2026-11-22T12:10:00.341Z' };

const CARD = { id: 55, brand: 'VISA', last4: '4242', expiryMonth: 8, expiryYear: 2029, entityId: 318 };

const DOCUMENT_EXAMPLES = {
  'document.created': {
    id: 'evt_5c0f7a3e9b1d48c6a2e47f80d3b6915a',
    created: 1795334400,
    data: { document: INVOICE },
  },
  'document.approval_number.assigned': {
    id: 'evt_e19a64d0c85b4f7db3028c5f6e71a94d',
    created: 1795334409,
    data: { document: APPROVED_INVOICE },
  },
  'document.allocated': {
    id: 'evt_08d4b6f23a7e4c519fd1a6e7b80c352f',
    created: 1795338930,
    data: {
      document: RECEIPT,
      allocations: [
        {
          documentId: INVOICE.documentId,
          id: INVOICE.id,
          number: INVOICE.number,
          type: INVOICE.type,
          amount: 2000,
        },
      ],
    },
  },
  'document.status_changed': {
    id: 'evt_b72c5e180f964ad3865e1d9ca4f0732b',
    created: 1795338930,
    data: {
      document: {
        ...APPROVED_INVOICE,
        updatedAt: RECEIPT.updatedAt,
        status: 'PARTIALLY_PAID',
        remainingAmount: 5080,
        coveredAmount: 2000,
      },
      reason: 'ALLOCATION',
      changedBy: 'api-key:7',
    },
  },
  'document.cancelled': {
    id: 'evt_31f6d09ab2c74e85947b0e6d8c5fa213',
    created: 1795345200,
    data: {
      document: {
        ...RECEIPT,
        updatedAt: '2026-11-22T11:00:00.207Z',
        status: 'CANCELLED',
        coveredAmount: 0,
        cancelled: true,
      },
      cancellationReason: 'Entered twice',
    },
  },
  'document.refunded': {
    id: 'evt_9a4e0c7d56f14b28a3d8b17e2f6c8051',
    created: 1795347600,
    data: {
      document: {
        ...APPROVED_INVOICE,
        updatedAt: CREDIT_NOTE.updatedAt,
        status: 'PARTIALLY_PAID',
        remainingAmount: 5900,
        coveredAmount: 1180,
      },
      refundedBy: CREDIT_NOTE,
    },
  },
} as const;

const PAYMENT_EXAMPLES = {
  'payment_method.attached': {
    id: 'evt_d65b8f1e04a3497c9e2f7c0ab8d1463e',
    created: 1795348800,
    data: { paymentMethod: CARD },
  },
  'charge.succeeded': {
    id: 'evt_4f8a2d7c19e6450bb5c3e0f9d16a7b84',
    created: 1795349101,
    data: { charge: CHARGE },
  },
  'charge.failed': {
    id: 'evt_c3071e9fa5d84b62807d6b4fe2c95a18',
    created: 1795349221,
    data: {
      charge: {
        ...CHARGE,
        id: 903,
        status: 'FAILED',
        capturedAmount: 0,
        failureCode: 'DECLINED',
        createdAt: '2026-11-22T12:07:00.870Z',
      },
    },
  },
  'charge.captured': {
    id: 'evt_7be2f4d8316c4a0fa9850d3c6e1b7f92',
    created: 1795350600,
    data: { charge: { ...AUTHORIZATION, capturedAmount: 420 } },
  },
  'charge.canceled': {
    id: 'evt_a80d3b5cf7294e16bd4e92a7105f6c3d',
    created: 1795350720,
    data: {
      charge: {
        ...AUTHORIZATION,
        id: 905,
        status: 'CANCELED',
        authorizedOnly: true,
        capturedAmount: 0,
      },
    },
  },
  'refund.created': {
    id: 'evt_16c9e8a4d07f4b53928a5f0b7ed3c641',
    created: 1795352400,
    data: {
      charge: { ...CHARGE, refundedAmount: 100 },
      refund: {
        id: 71,
        amount: 100,
        currency: 'ILS',
        reason: 'Returned in part',
        chargeId: CHARGE.id,
        createdAt: '2026-11-22T13:00:00.064Z',
      },
    },
  },
  'payment_method.detached': {
    id: 'evt_f25d7b90c6e14d38a7048e1fb93c5ad6',
    created: 1795354200,
    data: { paymentMethod: CARD },
  },
} as const;

export const EVENT_EXAMPLES: Readonly<Record<EventType, Example>> = {
  ...DOCUMENT_EXAMPLES,
  ...PAYMENT_EXAMPLES,
  ...OWN_EXAMPLES,
};
