import { type Charge, isAuthorizedOnly } from './charge';
import type { Operation, OperationKind } from './operation';
import type { PaymentMethod } from './payment-method';

/** What `Outbox.append` takes, but for the company. Bodies are as in decisions §10. */
export interface PaymentEvent {
  readonly type:
    | 'charge.succeeded'
    | 'charge.failed'
    | 'charge.captured'
    | 'charge.canceled'
    | 'refund.created'
    | 'payment_method.attached'
    | 'payment_method.detached';
  readonly data: object;
}

const APPROVED: Readonly<Record<OperationKind, PaymentEvent['type']>> = {
  SALE: 'charge.succeeded',
  AUTHORIZATION: 'charge.succeeded',
  CAPTURE: 'charge.captured',
  VOID: 'charge.canceled',
  REFUND: 'refund.created',
};

/** What an operation that has ended is told of. A capture, void or refund that was declined has changed nothing. */
export function eventsOf(charge: Charge, operation: Operation): PaymentEvent[] {
  const data = { charge: chargeBody(charge) };
  if (charge.status === 'FAILED') return [{ type: 'charge.failed', data }];
  if (operation.state !== 'SUCCEEDED') return [];
  const type = APPROVED[operation.kind];
  if (operation.kind !== 'REFUND') return [{ type, data }];
  return [{ type, data: { ...data, refund: refundBody(charge, operation) } }];
}

function chargeBody(charge: Charge) {
  const { id, amount, currency, status, capturedAmount, refundedAmount, tokenId } = charge;
  const { entityId, documentId, failureCode, createdAt } = charge;
  return {
    ...{
      id,
      amount,
      currency,
      status,
      authorizedOnly: isAuthorizedOnly(charge),
      capturedAmount,
      refundedAmount,
    },
    ...{ tokenId, entityId, documentId, failureCode, createdAt: createdAt.toISOString() },
  };
}

function refundBody({ currency }: Charge, { id, amount, reason, chargeId, createdAt }: Operation) {
  return { id, amount, currency, reason, chargeId, createdAt: createdAt.toISOString() };
}

export function attached(method: PaymentMethod): PaymentEvent {
  return { type: 'payment_method.attached', data: { paymentMethod: methodBody(method) } };
}

export function detached(method: PaymentMethod): PaymentEvent {
  return { type: 'payment_method.detached', data: { paymentMethod: methodBody(method) } };
}

function methodBody({ id, brand, last4, expiryMonth, expiryYear, entityId }: PaymentMethod) {
  return { id, brand, last4, expiryMonth, expiryYear, entityId };
}
