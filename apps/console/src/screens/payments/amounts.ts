import type { AnswerOf, RowOf } from '@counterfoil/sdk';

export type Charge = RowOf<'GET /gateway/charges'>;
export type ChargeRecord = AnswerOf<'GET /gateway/charges/{id}'>;
export type Operation = ChargeRecord['operations'][number];

const AGOROT = 100;
/** The largest amount that the API takes. */
const AMOUNT_MAX = 999_999_999_999.99;

/** An amount above zero with at most 2 decimals, as the API takes it. */
export const isAmount = (text: string): boolean =>
  /^\d{1,12}(\.\d{1,2})?$/.test(text.trim()) && Number(text) > 0 && Number(text) <= AMOUNT_MAX;

/** Sums in whole agorot, so that 0.1 + 0.2 is 0.3. */
const exactly = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + Math.round(amount * AGOROT), 0) / AGOROT;

/** How much of a charge can still be refunded. A refund without an outcome counts as made (contract §14.4). */
export function refundable({ status, capturedAmount, operations }: ChargeRecord): number {
  if (status !== 'SUCCEEDED') return 0;
  const refunds = operations.filter(({ kind, state }) => kind === 'REFUND' && state !== 'FAILED');
  return Math.max(0, exactly([capturedAmount, ...refunds.map(({ amount }) => -amount)]));
}

/** Tells that an authorization can be captured or cancelled: none of both is under way. */
export const isHeld = ({ status, operations }: ChargeRecord): boolean =>
  status === 'AUTHORIZED' &&
  !operations.some(({ kind, state }) => (kind === 'CAPTURE' || kind === 'VOID') && state === 'PENDING');

export type AmountFault = 'notAnAmount' | 'tooMuch';

/** The fault of an amount that is typed; an empty one has none yet. */
export function faultOf(text: string, most: number): AmountFault | null {
  if (text.trim() === '') return null;
  if (!isAmount(text)) return 'notAnAmount';
  return Number(text) > most ? 'tooMuch' : null;
}

/** The rest after a part; 0 while none is typed. */
export const restOf = (most: number, text: string): number =>
  text.trim() === '' ? 0 : exactly([most, -Number(text)]);

type Failure = 'DECLINED' | 'AUTHORIZATION_EXPIRED' | 'REFUND_DECLINED';
const FAILURES: readonly Failure[] = ['DECLINED', 'AUTHORIZATION_EXPIRED', 'REFUND_DECLINED'];

/** A reason that the console has words for; null for one of another provider. */
export const failureOf = (code: string | null): Failure | null =>
  FAILURES.find((one) => one === code) ?? null;
