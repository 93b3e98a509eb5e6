import type { AppError, PlainDate } from '@counterfoil/kernel';
import {
  choice,
  CURRENCY,
  defineEvents,
  formatted,
  integer,
  type NewEvent,
  text,
  titled,
} from '@counterfoil/outbox';
import { type Retainer, RETAINER_DOCUMENT_TYPES } from '../domain/retainer';

const RETAINER = titled('Retainer', {
  id: integer('The numeric id of the retainer.'),
  entityId: integer('The numeric id of the client.'),
  documentType: choice(RETAINER_DOCUMENT_TYPES, 'The type of the documents that it issues.'),
  currency: CURRENCY,
});

export const RETAINER_EVENTS = defineEvents({
  'retainer.document_refused': {
    description: 'A document that a retainer had due was refused; it is tried again.',
    data: {
      retainer: RETAINER,
      runDate: formatted('date', 'The day on which the document was due. The document will have that date.'),
      code: text('The error code with which a call would be refused.'),
      error: text('The error message.'),
    },
    example: {
      id: 'evt_a4c81f3e7b0d4652981ce6f20d5b73a9',
      created: 1795355700,
      data: {
        retainer: { id: 14, entityId: 318, documentType: 'TAX_INVOICE', currency: 'ILS' },
        runDate: '2026-11-22',
        code: 'VALIDATION_FAILED',
        error: 'items must not total more than 999999999999.99',
      },
    },
  },
});

declare module '@counterfoil/outbox' {
  interface ContextEvents {
    readonly retainers: typeof RETAINER_EVENTS;
  }
}

/** Reports that the due document of a retainer was refused. It is retried. */
export function retainerRefused(
  { id, entityId, documentType, currency }: Retainer,
  runDate: PlainDate,
  { code, message }: Pick<AppError, 'code' | 'message'>,
): NewEvent {
  const retainer = { id, entityId, documentType, currency };
  return { type: 'retainer.document_refused', data: { retainer, runDate, code, error: message } };
}
