import {
  AppError,
  type FieldProblem,
  type PlainDate,
  sum,
  toMoney,
  validationFailed,
} from '@counterfoil/kernel';
import type { Operation, OperationKind } from './operation';

export const CHARGE_STATUSES = ['PENDING', 'AUTHORIZED', 'SUCCEEDED', 'FAILED', 'CANCELED'] as const;
/**
 * `PENDING` until the outcome is known. `AUTHORIZED` until it is captured or canceled. A refund leaves it
 * `SUCCEEDED`.
 */
export type ChargeStatus = (typeof CHARGE_STATUSES)[number];

/** A charge of a card. Amounts of money have 2 decimals. */
export interface Charge {
  readonly id: number;
  /** The numeric id of the card. */
  readonly tokenId: number;
  /** The payment page on which it was paid, if any. */
  readonly paymentPageId: number | null;
  /** The recurring payment that created it, and the day of that run, if any. */
  readonly recurringPaymentId: number | null;
  readonly runDate: PlainDate | null;
  readonly entityId: number | null;
  readonly documentId: number | null;
  readonly amount: number;
  readonly currency: string;
  readonly status: ChargeStatus;
  readonly capturedAmount: number;
  readonly refundedAmount: number;
  /** The reason why it was declined; null if it was not. */
  readonly failureCode: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The answer of a provider to an operation. */
export type Outcome =
  | { readonly kind: 'approved'; readonly captured: boolean }
  | { readonly kind: 'declined'; readonly failureCode: string };

/** The operations on an existing charge. */
export type ChangeKind = Exclude<OperationKind, 'SALE' | 'AUTHORIZATION'>;

const NAMES: Readonly<Record<ChangeKind, string>> = {
  CAPTURE: 'captured',
  VOID: 'canceled',
  REFUND: 'refunded',
};

/** The status that a charge must have for each change. */
const NEEDED: Readonly<Record<ChangeKind, ChargeStatus>> = {
  CAPTURE: 'AUTHORIZED',
  VOID: 'AUTHORIZED',
  REFUND: 'SUCCEEDED',
};

/** True if the amount is or was authorized, and nothing was captured. */
export function isAuthorizedOnly({ status }: Pick<Charge, 'status'>): boolean {
  return status === 'AUTHORIZED' || status === 'CANCELED';
}

/**
 * Returns the amount of a change: the requested amount, or all that is available.
 *
 * @param pending the operations on the charge whose outcome is unknown
 * @throws AppError `INVALID_STATE` if the charge's status does not allow the change, `VALIDATION_FAILED` if
 * the amount is too large
 */
export function amountOfChange(
  kind: ChangeKind,
  charge: Charge,
  pending: readonly Operation[],
  requested: number | undefined,
): number {
  if (charge.status !== NEEDED[kind]) {
    const problem = `a charge that is ${charge.status} cannot be ${NAMES[kind]}: it must be ${NEEDED[kind]}`;
    throw new AppError('INVALID_STATE', problem);
  }
  const other = pending.find((operation) => operation.kind !== 'REFUND');
  if (other) {
    const message = `the charge cannot be ${NAMES[kind]} while the outcome of its ${other.kind} is unknown`;
    throw new AppError('INVALID_STATE', message);
  }
  const available = availableFor(kind, charge, pending);
  if (available <= 0) throw nothingLeft(charge, available);
  const amount = requested ?? available;
  if (amount > available) throw validationFailed([tooMuch(available)]);
  return amount;
}

/** Pending refunds reduce the available amount, because they may have succeeded. */
function availableFor(kind: ChangeKind, charge: Charge, pending: readonly Operation[]): number {
  if (kind !== 'REFUND') return charge.amount;
  const refunded = sum([charge.refundedAmount, ...pending.map(({ amount }) => amount)]);
  return toMoney(sum([charge.capturedAmount]).minus(refunded));
}

function nothingLeft({ capturedAmount, refundedAmount }: Charge, available: number): AppError {
  const pending = sum([capturedAmount, -available, -refundedAmount]);
  const message = `no amount is left to refund: ${capturedAmount} captured, ${refundedAmount} refunded, ${toMoney(pending)} pending`;
  return new AppError('INVALID_STATE', message);
}

function tooMuch(available: number): FieldProblem {
  return { field: 'amount', problem: `must be at most ${available}` };
}

/** Returns the charge after the outcome of one of its operations. */
export function settled(charge: Charge, operation: Operation, outcome: Outcome, at: Date): Charge {
  const after = { ...charge, updatedAt: at };
  if (outcome.kind === 'declined') {
    const begins = operation.kind === 'SALE' || operation.kind === 'AUTHORIZATION';
    return begins ? { ...after, status: 'FAILED', failureCode: outcome.failureCode } : after;
  }
  switch (operation.kind) {
    case 'SALE':
    case 'AUTHORIZATION':
      return outcome.captured
        ? { ...after, status: 'SUCCEEDED', capturedAmount: operation.amount }
        : { ...after, status: 'AUTHORIZED' };
    case 'CAPTURE':
      return { ...after, status: 'SUCCEEDED', capturedAmount: operation.amount };
    case 'VOID':
      return { ...after, status: 'CANCELED' };
    case 'REFUND':
      return { ...after, refundedAmount: toMoney(sum([charge.refundedAmount, operation.amount])) };
  }
}
