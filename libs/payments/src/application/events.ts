import {
  choice,
  CURRENCY,
  defineEvents,
  flag,
  formatted,
  integer,
  type JsonSchema,
  matching,
  type NewEvent,
  number,
  orNull,
  text,
  titled,
  type ValueOf,
} from '@counterfoil/outbox';
import { type Charge, isAuthorizedOnly } from '../domain/charge';
import type { Operation, OperationKind } from '../domain/operation';
import type { PaymentMethod } from '../domain/payment-method';

const CHARGE = titled('Charge', {
  id: integer('The numeric id of the charge.'),
  amount: number('The requested amount.'),
  currency: CURRENCY,
  status: choice(
    ['AUTHORIZED', 'SUCCEEDED', 'FAILED', 'CANCELED'],
    'AUTHORIZED until it is captured or canceled. A refund leaves it SUCCEEDED.',
  ),
  authorizedOnly: flag('Whether the amount was authorized and not captured.'),
  capturedAmount: number('The captured part of the amount; 0 while it is only authorized.'),
  refundedAmount: number('The refunded part of the captured amount.'),
  tokenId: integer('The numeric id of the card, which is saved, or was used once on a payment page.'),
  entityId: orNull(integer('The numeric id of the entity that is charged.')),
  documentId: orNull(integer('The numeric id of the document that it pays.')),
  failureCode: orNull(text('The reason why it was declined; null if it was not.')),
  createdAt: formatted('date-time', 'When it was requested, in UTC.'),
});

const REFUND = titled('Refund', {
  id: integer('The numeric id of the refund.'),
  amount: number('The amount that is refunded.'),
  currency: CURRENCY,
  reason: orNull(text('The reason given with the refund.')),
  chargeId: integer('The numeric id of the charge.'),
  createdAt: formatted('date-time', 'When it was requested, in UTC.'),
});

const MONTH: JsonSchema<number> = {
  type: 'integer',
  minimum: 1,
  maximum: 12,
  description: 'The last month in which it is valid.',
};

/** The display fields of a saved card, without anything that could be charged (contract §15.5). */
const PAYMENT_METHOD = titled('PaymentMethod', {
  id: integer('The numeric id of the saved card; the tokenId of its charges.'),
  brand: text('For example VISA.'),
  last4: matching('^[0-9]{4}$', 'The last four digits.'),
  expiryMonth: MONTH,
  expiryYear: integer('The year of that month, in four digits.'),
  entityId: orNull(integer('The numeric id of the card holder.')),
});

const SALE: ValueOf<typeof CHARGE> = {
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
const CAPTURED: ValueOf<typeof CHARGE> = {
  ...SALE,
  id: 904,
  amount: 500,
  capturedAmount: 420,
  createdAt: '2026-11-22T12:10:00.341Z',
};
const CARD: ValueOf<typeof PAYMENT_METHOD> = {
  ...{ id: 55, brand: 'VISA', last4: '4242', expiryMonth: 8, expiryYear: 2029, entityId: 318 },
};

/** The event types and their bodies: contract §15.4 and §15.7. */
export const PAYMENT_EVENTS = defineEvents({
  'charge.succeeded': {
    description: 'A card charge was approved.',
    data: { charge: CHARGE },
    example: { id: 'evt_4f8a2d7c19e6450bb5c3e0f9d16a7b84', created: 1795349101, data: { charge: SALE } },
  },
  'charge.failed': {
    description: 'A card charge was declined.',
    data: { charge: CHARGE },
    example: {
      id: 'evt_c3071e9fa5d84b62807d6b4fe2c95a18',
      created: 1795349221,
      data: {
        charge: {
          ...SALE,
          id: 903,
          status: 'FAILED',
          capturedAmount: 0,
          failureCode: 'DECLINED',
          createdAt: '2026-11-22T12:07:00.870Z',
        },
      },
    },
  },
  'charge.captured': {
    description: 'A previously authorized charge was captured.',
    data: { charge: CHARGE },
    example: { id: 'evt_7be2f4d8316c4a0fa9850d3c6e1b7f92', created: 1795350600, data: { charge: CAPTURED } },
  },
  'charge.canceled': {
    description: 'An authorization was voided.',
    data: { charge: CHARGE },
    example: {
      id: 'evt_a80d3b5cf7294e16bd4e92a7105f6c3d',
      created: 1795350720,
      data: {
        charge: { ...CAPTURED, id: 905, status: 'CANCELED', authorizedOnly: true, capturedAmount: 0 },
      },
    },
  },
  'refund.created': {
    description: 'A refund was issued against a charge.',
    data: { charge: CHARGE, refund: REFUND },
    example: {
      id: 'evt_16c9e8a4d07f4b53928a5f0b7ed3c641',
      created: 1795352400,
      data: {
        charge: { ...SALE, refundedAmount: 100 },
        refund: {
          id: 71,
          amount: 100,
          currency: 'ILS',
          reason: 'Returned in part',
          chargeId: SALE.id,
          createdAt: '2026-11-22T13:00:00.064Z',
        },
      },
    },
  },
  'payment_method.attached': {
    description: 'A card was saved for a customer.',
    data: { paymentMethod: PAYMENT_METHOD },
    example: {
      id: 'evt_d65b8f1e04a3497c9e2f7c0ab8d1463e',
      created: 1795348800,
      data: { paymentMethod: CARD },
    },
  },
  'payment_method.detached': {
    description: 'A saved card was removed.',
    data: { paymentMethod: PAYMENT_METHOD },
    example: {
      id: 'evt_f25d7b90c6e14d38a7048e1fb93c5ad6',
      created: 1795354200,
      data: { paymentMethod: CARD },
    },
  },
});

declare module '@counterfoil/outbox' {
  interface ContextEvents {
    readonly payments: typeof PAYMENT_EVENTS;
  }
}

const APPROVED = {
  SALE: 'charge.succeeded',
  AUTHORIZATION: 'charge.succeeded',
  CAPTURE: 'charge.captured',
  VOID: 'charge.canceled',
} as const satisfies Record<Exclude<OperationKind, 'REFUND'>, keyof typeof PAYMENT_EVENTS>;

/**
 * Returns the events of a finished operation. A declined capture, void or refund has none, because it changed
 * nothing.
 */
export function eventsOf(charge: Charge, operation: Operation): NewEvent[] {
  const { kind, state } = operation;
  const data = { charge: chargeBody(charge) };
  if (charge.status === 'FAILED') return [{ type: 'charge.failed', data }];
  if (state !== 'SUCCEEDED') return [];
  if (kind !== 'REFUND') return [{ type: APPROVED[kind], data }];
  return [{ type: 'refund.created', data: { ...data, refund: refundBody(charge, operation) } }];
}

function chargeBody(charge: Charge): ValueOf<typeof CHARGE> {
  const { status } = charge;
  if (status === 'PENDING') throw new Error(`charge ${charge.id} has no outcome to report yet`);
  return {
    id: charge.id,
    amount: charge.amount,
    currency: charge.currency,
    status,
    authorizedOnly: isAuthorizedOnly(charge),
    capturedAmount: charge.capturedAmount,
    refundedAmount: charge.refundedAmount,
    tokenId: charge.tokenId,
    entityId: charge.entityId,
    documentId: charge.documentId,
    failureCode: charge.failureCode,
    createdAt: charge.createdAt.toISOString(),
  };
}

function refundBody({ currency }: Charge, { id, amount, reason, chargeId, createdAt }: Operation) {
  return { id, amount, currency, reason, chargeId, createdAt: createdAt.toISOString() };
}

export function attached(method: PaymentMethod): NewEvent {
  return { type: 'payment_method.attached', data: { paymentMethod: methodBody(method) } };
}

export function detached(method: PaymentMethod): NewEvent {
  return { type: 'payment_method.detached', data: { paymentMethod: methodBody(method) } };
}

function methodBody({ id, brand, last4, expiryMonth, expiryYear, entityId }: PaymentMethod) {
  return { id, brand, last4, expiryMonth, expiryYear, entityId };
}
