import type { Charge } from '../domain/charge';
import type { Operation } from '../domain/operation';
import type { PaymentMethod } from '../domain/payment-method';

/** A pending charge of 10, with these changes. */
export function aCharge(changes: Partial<Charge> = {}): Charge {
  return {
    id: 5,
    tokenId: 7,
    paymentPageId: null,
    recurringPaymentId: null,
    runDate: null,
    entityId: null,
    documentId: null,
    amount: 10,
    currency: 'ILS',
    status: 'PENDING',
    capturedAmount: 0,
    refundedAmount: 0,
    failureCode: null,
    createdAt: new Date('2026-11-21T10:00:00.000Z'),
    updatedAt: new Date('2026-11-21T10:00:00.000Z'),
    ...changes,
  };
}

/** A pending sale, with these changes. */
export function anOperation(changes: Partial<Operation> = {}): Operation {
  return {
    id: 11,
    chargeId: 5,
    kind: 'SALE',
    amount: 10,
    reason: null,
    state: 'PENDING',
    failureCode: null,
    createdAt: new Date('2026-11-21T10:00:01.000Z'),
    ...changes,
  };
}

export function aCard(changes: Partial<PaymentMethod> = {}): PaymentMethod {
  return {
    id: 7,
    provider: 'sandbox',
    brand: 'VISA',
    last4: '4242',
    expiryMonth: 12,
    expiryYear: 2034,
    entityId: null,
    createdAt: new Date('2026-11-21T09:00:00.000Z'),
    ...changes,
  };
}
