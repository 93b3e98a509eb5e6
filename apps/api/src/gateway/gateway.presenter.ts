import {
  type AskedCharge,
  type AskedPaymentPage,
  type AskedRecurringPayment,
  type Begun,
  type Charge,
  type ChargeRecord,
  isAuthorizedOnly,
  type Operation,
  pageStatusAfter,
  type PaymentMethod,
  type PaymentPageRow,
  type PaymentProvider,
  type PaymentProviders,
  type RecurringPaymentRow,
} from '@counterfoil/payments';
import { refusedRun } from '../scheduling/refused-run.presenter';
import type {
  BegunChargeBody,
  BegunRefundBody,
  ChangedChargeBody,
  ChargeBody,
  ChargeOperationBody,
  ChargeRecordBody,
} from './charges.answers';
import type {
  PaidPageBody,
  PaymentPageBody,
  ProviderBody,
  RecurringPaymentBody,
  TokenBody,
} from './gateway.answers';
import type { CreateChargeBody, CreatePaymentPageBody, CreateRecurringPaymentBody } from './gateway.dto';

const DEFAULT_CURRENCY = 'ILS';

export function providerRow({ name, title, testTokens }: PaymentProvider): ProviderBody {
  return { provider: name, name: title, isSandbox: testTokens.length > 0, testTokens };
}

export function tokenRow({ createdAt, ...method }: PaymentMethod): TokenBody {
  const { id, provider, brand, last4, expiryMonth, expiryYear, entityId } = method;
  const card = { brand, last4, expiryMonth, expiryYear };
  return { id, provider, ...card, entityId, createdAt: createdAt.toISOString() };
}

/** What the body asks for. A null in it counts as left out. */
export function askedCharge(body: CreateChargeBody): AskedCharge {
  const { tokenId, amount, entityId, documentId } = body;
  return {
    tokenId,
    amount,
    currency: body.currency ?? DEFAULT_CURRENCY,
    entityId: entityId ?? null,
    documentId: documentId ?? null,
    capture: body.capture ?? true,
  };
}

export function begunCharge({ charge: { id, status, failureCode } }: Begun): BegunChargeBody {
  return { success: true, chargeId: id, status, failureCode };
}

export function changedCharge({ charge, operation }: Begun): ChangedChargeBody {
  const { state, failureCode } = operation;
  return { success: true, chargeId: charge.id, status: charge.status, state, failureCode };
}

export function begunRefund({ operation: { id, state, failureCode } }: Begun): BegunRefundBody {
  return { success: true, refundId: id, state, failureCode };
}

export function chargeRow(charge: Charge): ChargeBody {
  const { id, amount, currency, status, capturedAmount, refundedAmount, failureCode } = charge;
  const { tokenId, entityId, documentId, paymentPageId, recurringPaymentId, runDate } = charge;
  return {
    ...{ id, amount, currency, status, authorizedOnly: isAuthorizedOnly(charge) },
    ...{ capturedAmount, refundedAmount },
    ...{ tokenId, entityId, documentId, paymentPageId, recurringPaymentId, runDate, failureCode },
    createdAt: charge.createdAt.toISOString(),
    updatedAt: charge.updatedAt.toISOString(),
  };
}

export function chargeRecord(charge: ChargeRecord): ChargeRecordBody {
  return { ...chargeRow(charge), operations: charge.operations.map(operationRow) };
}

function operationRow(operation: Operation): ChargeOperationBody {
  const { id, kind, amount, reason, state, failureCode, createdAt } = operation;
  return { id, kind, amount, reason, state, failureCode, createdAt: createdAt.toISOString() };
}

export function askedPaymentPage(body: CreatePaymentPageBody): AskedPaymentPage {
  const { amount, description, currency, entityId } = body;
  return { amount, description, currency: currency ?? DEFAULT_CURRENCY, entityId: entityId ?? null };
}

export const paymentPageRow =
  (providers: PaymentProviders) =>
  (page: PaymentPageRow): PaymentPageBody => {
    const { id, amount, currency, description, entityId, status, chargeId, createdAt } = page;
    const url = providers.find(page.provider)?.pageUrl(page.pageKey) ?? null;
    const asked = { id, amount, currency, description, entityId };
    return { ...asked, status, chargeId, url, createdAt: createdAt.toISOString() };
  };

/** What has become of a page on which a charge was begun. */
export function paidPage({ charge: { status, failureCode } }: Begun): PaidPageBody {
  return { success: true, status: pageStatusAfter(status), failureCode };
}

export function askedRecurringPayment(body: CreateRecurringPaymentBody): AskedRecurringPayment {
  const { tokenId, amount, currency, interval, nextRunDate, entityId } = body;
  const terms = { tokenId, amount, currency: currency ?? DEFAULT_CURRENCY, entityId: entityId ?? null };
  return { ...terms, interval, nextRunDate };
}

export function recurringPaymentRow(payment: RecurringPaymentRow): RecurringPaymentBody {
  const { id, tokenId, amount, currency, entityId, interval, nextRunDate, lastCharge } = payment;
  return {
    ...{ id, tokenId, amount, currency, entityId, interval, nextRunDate, lastCharge },
    refusal: refusedRun(payment.refusal),
    createdAt: payment.createdAt.toISOString(),
  };
}
