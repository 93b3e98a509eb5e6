import {
  type ChargeRecord,
  failureOf,
  faultOf,
  isAmount,
  isHeld,
  type Operation,
  refundable,
  restOf,
} from '../src/screens/payments/amounts';

const operation = (kind: Operation['kind'], amount: number, state: Operation['state'] = 'SUCCEEDED') =>
  ({ id: 1, kind, amount, state, reason: null, failureCode: null, createdAt: '' }) satisfies Operation;

const charge = (
  part: Partial<Omit<ChargeRecord, 'operations'>> & { readonly operations?: readonly Operation[] },
) => ({ status: 'SUCCEEDED', capturedAmount: 0, operations: [], ...part }) as unknown as ChargeRecord;

describe('the amount that can be refunded', () => {
  it.each<[string, number, readonly Operation[], number]>([
    ['without refunds is all that was captured', 80.1, [operation('SALE', 80.1)], 80.1],
    ['is what refunds have left, in whole agorot', 0.3, [operation('REFUND', 0.1)], 0.2],
    ['counts a refund without an outcome as made', 100, [operation('REFUND', 60, 'PENDING')], 40],
    ['does not count a declined refund', 100, [operation('REFUND', 60, 'FAILED')], 100],
    ['is never negative', 10, [operation('REFUND', 10), operation('REFUND', 1, 'PENDING')], 0],
  ])('%s', (_, capturedAmount, operations, expected) => {
    expect(refundable(charge({ capturedAmount, operations }))).toBe(expected);
  });

  it.each(['PENDING', 'AUTHORIZED', 'FAILED', 'CANCELED'] as const)('is nothing while it is %s', (status) => {
    expect(refundable(charge({ status, capturedAmount: 5 }))).toBe(0);
  });
});

it('an authorization is held until a capture or a cancellation is under way', () => {
  const status = 'AUTHORIZED';
  const authorized = operation('AUTHORIZATION', 5);
  expect(isHeld(charge({ status, operations: [authorized] }))).toBe(true);
  expect(isHeld(charge({ status, operations: [authorized, operation('CAPTURE', 5, 'FAILED')] }))).toBe(true);
  expect(isHeld(charge({ status, operations: [authorized, operation('CAPTURE', 5, 'PENDING')] }))).toBe(
    false,
  );
  expect(isHeld(charge({ status, operations: [authorized, operation('VOID', 5, 'PENDING')] }))).toBe(false);
  expect(isHeld(charge({ operations: [authorized] }))).toBe(false);
});

it.each([
  ['118', true],
  ['0.01', true],
  [' 1.5 ', true],
  ['0', false],
  ['0.00', false],
  ['1.234', false],
  ['-1', false],
  ['1e3', false],
  ['', false],
  ['999999999999.99', true],
  ['9999999999999', false],
])('%j as an amount: %s', (text, expected) => {
  expect(isAmount(text)).toBe(expected);
});

it('an empty part has no fault yet; a larger one and half a number are faults', () => {
  expect(faultOf('', 10)).toBeNull();
  expect(faultOf('10', 10)).toBeNull();
  expect(faultOf('10.01', 10)).toBe('tooMuch');
  expect(faultOf('1.', 10)).toBe('notAnAmount');
  expect([restOf(118, '80.1'), restOf(118, ''), restOf(0.3, '0.1')]).toEqual([37.9, 0, 0.2]);
});

it('has words for the reasons of the sandbox', () => {
  expect(failureOf('REFUND_DECLINED')).toBe('REFUND_DECLINED');
  expect(failureOf('SOMETHING_ELSE')).toBeNull();
  expect(failureOf(null)).toBeNull();
});
