import type { Caller } from '@counterfoil/kernel';
import {
  choice,
  defineEvents,
  formatted,
  integer,
  listOf,
  matching,
  type NewEvent,
  number,
  text,
  titled,
  type ValueOf,
} from '@counterfoil/outbox';
import type { DocumentHeader, IssuedOrReceived } from '../domain/document';
import type { SettlementKind } from '../domain/settlement';
import {
  INVOICE_WITH_ALLOCATION_NUMBER,
  CREDIT_NOTE,
  DOCUMENT,
  DOCUMENT_NUMBER,
  DOCUMENT_TYPE,
  INVOICE,
  RECEIPT,
  snapshotOf,
} from './document-snapshot';

const ALLOCATION = titled('Allocation', {
  documentId: integer('The numeric id of the paid document.'),
  id: formatted('uuid', 'The public id of the paid document.'),
  number: DOCUMENT_NUMBER,
  type: DOCUMENT_TYPE,
  amount: number('The amount that the receipt pays.'),
});

const STATUS_REASON = choice(
  ['ALLOCATION', 'COVERED', 'MANUAL'],
  'ALLOCATION: a receipt. COVERED: another document, including a credit note. MANUAL: closed by hand. The same values apply when it is reverted.',
);
type StatusReason = ValueOf<typeof STATUS_REASON>;

/** The event types and their bodies: contract §15.4, §15.6 and §15.7. */
export const DOCUMENT_EVENTS = defineEvents({
  'document.created': {
    description: 'A document was issued: manually, through the API, or by the recurring-billing job.',
    data: { document: DOCUMENT },
    example: {
      id: 'evt_5c0f7a3e9b1d48c6a2e47f80d3b6915a',
      created: 1795334400,
      data: { document: INVOICE },
    },
  },
  'document.status_changed': {
    description:
      "A document's settlement changed: closed manually, covered by a new document, or settled by a receipt allocation.",
    data: {
      document: DOCUMENT,
      reason: STATUS_REASON,
      changedBy: matching(
        '^(user:[0-9]+|api-key:[0-9]+|system:.+)$',
        'user:<id>, api-key:<id> or system:<job>.',
      ),
    },
    example: {
      id: 'evt_b72c5e180f964ad3865e1d9ca4f0732b',
      created: 1795338930,
      data: {
        document: {
          ...INVOICE_WITH_ALLOCATION_NUMBER,
          updatedAt: RECEIPT.updatedAt,
          status: 'PARTIALLY_PAID',
          remainingAmount: 5080,
          coveredAmount: 2000,
        },
        reason: 'ALLOCATION',
        changedBy: 'api-key:7',
      },
    },
  },
  'document.allocated': {
    description: 'A receipt was allocated against one or more invoices.',
    data: {
      document: DOCUMENT,
      allocations: listOf(ALLOCATION, 'The new allocations, without earlier ones.'),
    },
    example: {
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
  },
  'document.cancelled': {
    description: 'A receipt, credit note or supplier invoice was cancelled.',
    data: {
      document: DOCUMENT,
      cancellationReason: text('The reason given for the cancellation.'),
    },
    example: {
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
  },
  'document.refunded': {
    description: 'A credit note (REFUND or RETURN) was issued against the document.',
    data: { document: DOCUMENT, refundedBy: { ...DOCUMENT, description: 'The credit note.' } },
    example: {
      id: 'evt_9a4e0c7d56f14b28a3d8b17e2f6c8051',
      created: 1795347600,
      data: {
        document: {
          ...INVOICE_WITH_ALLOCATION_NUMBER,
          updatedAt: CREDIT_NOTE.updatedAt,
          status: 'PARTIALLY_PAID',
          remainingAmount: 5900,
          coveredAmount: 1180,
        },
        refundedBy: CREDIT_NOTE,
      },
    },
  },
  'document.approval_number.assigned': {
    description:
      'A tax-authority allocation number was recorded on the document, including one completed after issue.',
    data: { document: DOCUMENT },
    example: {
      id: 'evt_e19a64d0c85b4f7db3028c5f6e71a94d',
      created: 1795334409,
      data: { document: INVOICE_WITH_ALLOCATION_NUMBER },
    },
  },
});

declare module '@counterfoil/outbox' {
  interface ContextEvents {
    readonly documents: typeof DOCUMENT_EVENTS;
  }
}

/** The author of a change in events: `user:<id>`, `api-key:<id>` or `system:<job>` (contract §15.7). */
export type Actor = `user:${number}` | `api-key:${number}` | `system:${string}`;

/** Returns the API key as the author, because every caller has one. */
export function actorOf({ apiKeyId }: Caller): Actor {
  return `api-key:${apiKeyId}`;
}

/** An amount allocated to a document, and the document after the allocation. */
export interface AllocatedTo {
  readonly document: DocumentHeader;
  readonly amount: number;
}

export function created(document: IssuedOrReceived): NewEvent {
  return { type: 'document.created', data: { document: snapshotOf(document) } };
}

export function statusChanged(document: DocumentHeader, reason: StatusReason, changedBy: Actor): NewEvent {
  return { type: 'document.status_changed', data: { document: snapshotOf(document), reason, changedBy } };
}

/**
 * Maps the kind of settlement to a reason. A credit note is reported as covering the document that it
 * credits.
 */
export function reasonOf(kind: SettlementKind): StatusReason {
  return kind === 'ALLOCATION' ? 'ALLOCATION' : 'COVERED';
}

export function allocated(receipt: DocumentHeader, to: readonly AllocatedTo[]): NewEvent {
  const allocations = to.map(({ document, amount }) => ({
    documentId: document.id,
    id: document.visibleId,
    number: document.number,
    type: document.type,
    amount,
  }));
  return { type: 'document.allocated', data: { document: snapshotOf(receipt), allocations } };
}

export function cancelled(document: IssuedOrReceived, cancellationReason: string): NewEvent {
  return { type: 'document.cancelled', data: { document: snapshotOf(document), cancellationReason } };
}

export function refunded(document: DocumentHeader, creditNote: DocumentHeader): NewEvent {
  const data = { document: snapshotOf(document), refundedBy: snapshotOf(creditNote) };
  return { type: 'document.refunded', data };
}

export function allocationNumberAssigned(document: DocumentHeader): NewEvent {
  return { type: 'document.approval_number.assigned', data: { document: snapshotOf(document) } };
}
