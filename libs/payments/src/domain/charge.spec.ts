import fc from 'fast-check';
import { aCharge, anOperation } from '../testing/a-charge';
import {
  amountOfChange,
  type ChangeKind,
  type Charge,
  CHARGE_STATUSES,
  type ChargeStatus,
  isAuthorizedOnly,
  type Outcome,
  settled,
} from './charge';
import type { Operation, OperationKind } from './operation';

const KINDS: readonly ChangeKind[] = ['CAPTURE', 'VOID', 'REFUND'];
const AT = new Date('2026-11-22T10:00:00.000Z');
const APPROVED: Outcome = { kind: 'approved', captured: true };
const DECLINED: Outcome = { kind: 'declined', failureCode: 'DECLINED' };

const inStatus = (status: ChargeStatus): Charge =>
  aCharge({
    status,
    capturedAmount: status === 'SUCCEEDED' ? 10 : 0,
    failureCode: status === 'FAILED' ? 'DECLINED' : null,
  });

describe('the allowed changes of a charge', () => {
  /** All other combinations are refused. */
  const ALLOWED: readonly (readonly [ChargeStatus, ChangeKind, readonly OperationKind[]])[] = [
    ['AUTHORIZED', 'CAPTURE', []],
    ['AUTHORIZED', 'VOID', []],
    ['SUCCEEDED', 'REFUND', []],
    ['SUCCEEDED', 'REFUND', ['REFUND']],
    ['SUCCEEDED', 'REFUND', ['REFUND', 'REFUND']],
  ];
  const PENDING: readonly (readonly OperationKind[])[] = [
    [],
    ['SALE'],
    ['AUTHORIZATION'],
    ['CAPTURE'],
    ['VOID'],
    ['REFUND'],
    ['REFUND', 'REFUND'],
    ['REFUND', 'VOID'],
  ];
  /** Only captured charges are refunded, and they never become AUTHORIZED again. */
  const mayBe = (status: ChargeStatus, pending: readonly OperationKind[]) =>
    status !== 'AUTHORIZED' || !pending.includes('REFUND');
  const table = CHARGE_STATUSES.flatMap((status) =>
    KINDS.flatMap((kind) =>
      PENDING.filter((pending) => mayBe(status, pending)).map((pending) => ({
        status,
        kind,
        pending,
        allowed: ALLOWED.some((row) => JSON.stringify(row) === JSON.stringify([status, kind, pending])),
      })),
    ),
  );

  it.each(table)('$status, $kind while $pending is pending: allowed is $allowed', (row) => {
    const pending = row.pending.map((kind) => anOperation({ kind, amount: 1 }));
    const ask = () => amountOfChange(row.kind, inStatus(row.status), pending, 1);
    if (row.allowed) expect(ask()).toBe(1);
    else expect(ask).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
  });
});

describe('the amount of a change', () => {
  const succeeded = aCharge({ status: 'SUCCEEDED', capturedAmount: 10, refundedAmount: 2.5 });

  it('is the whole available amount by default', () => {
    const authorized = aCharge({ status: 'AUTHORIZED' });
    expect(amountOfChange('CAPTURE', authorized, [], undefined)).toBe(10);
    expect(amountOfChange('VOID', authorized, [], undefined)).toBe(10);
    expect(amountOfChange('REFUND', succeeded, [], undefined)).toBe(7.5);
  });

  it('excludes pending refunds', () => {
    const pending = [
      anOperation({ kind: 'REFUND', amount: 3 }),
      anOperation({ kind: 'REFUND', amount: 0.5 }),
    ];
    expect(amountOfChange('REFUND', succeeded, pending, undefined)).toBe(4);
    expect(() => amountOfChange('REFUND', succeeded, pending, 4.01)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED' }),
    );
  });

  it.each([
    ['CAPTURE', aCharge({ status: 'AUTHORIZED' }), 10.01, 10],
    ['REFUND', succeeded, 7.51, 7.5],
  ] as const)('of a %s that is too large names the available amount', (kind, charge, asked, available) => {
    expect(() => amountOfChange(kind, charge, [], asked)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_FAILED',
        details: [{ field: 'amount', problem: `must be at most ${available}` }],
      }),
    );
  });

  it('of a refund of a fully refunded charge is INVALID_STATE', () => {
    const refunded = aCharge({ status: 'SUCCEEDED', capturedAmount: 10, refundedAmount: 10 });
    const waiting = [anOperation({ kind: 'REFUND', amount: 7.5 })];
    const nothing = (refundedAmount: number, pending: number) =>
      expect.objectContaining({
        code: 'INVALID_STATE',
        message: `no amount is left to refund: 10 captured, ${refundedAmount} refunded, ${pending} pending`,
      });
    expect(() => amountOfChange('REFUND', refunded, [], undefined)).toThrow(nothing(10, 0));
    expect(() => amountOfChange('REFUND', succeeded, waiting, 1)).toThrow(nothing(2.5, 7.5));
  });

  it('is exact: after refunds of 0.1 and 0.2 of 0.3 nothing is left', () => {
    const charge = aCharge({ status: 'SUCCEEDED', amount: 0.3, capturedAmount: 0.3, refundedAmount: 0.1 });
    expect(amountOfChange('REFUND', charge, [], 0.2)).toBe(0.2);
    const after = settled(charge, anOperation({ kind: 'REFUND', amount: 0.2 }), APPROVED, AT);
    expect(after.refundedAmount).toBe(0.3);
    expect(() => amountOfChange('REFUND', after, [], 0.01)).toThrow();
  });
});

describe('a charge after its operation has ended', () => {
  const FROM: Readonly<Record<OperationKind, ChargeStatus>> = {
    SALE: 'PENDING',
    AUTHORIZATION: 'PENDING',
    CAPTURE: 'AUTHORIZED',
    VOID: 'AUTHORIZED',
    REFUND: 'SUCCEEDED',
  };
  const authorizedOnly: Outcome = { kind: 'approved', captured: false };
  const failed: Partial<Charge> = { status: 'FAILED', failureCode: 'DECLINED' };
  const taken: Partial<Charge> = { status: 'SUCCEEDED', capturedAmount: 4 };
  const TABLE: readonly (readonly [OperationKind, string, Outcome, Partial<Charge>])[] = [
    ['SALE', 'approved', APPROVED, taken],
    ['SALE', 'approved, not captured', authorizedOnly, { status: 'AUTHORIZED' }],
    ['SALE', 'declined', DECLINED, failed],
    ['AUTHORIZATION', 'approved', authorizedOnly, { status: 'AUTHORIZED' }],
    ['AUTHORIZATION', 'approved, captured at once', APPROVED, taken],
    ['AUTHORIZATION', 'declined', DECLINED, failed],
    ['CAPTURE', 'approved', APPROVED, taken],
    ['CAPTURE', 'declined', DECLINED, {}],
    ['VOID', 'approved', authorizedOnly, { status: 'CANCELED' }],
    ['VOID', 'declined', DECLINED, {}],
    ['REFUND', 'approved', authorizedOnly, { refundedAmount: 4 }],
    ['REFUND', 'declined', DECLINED, {}],
  ];

  it.each(TABLE)('%s %s', (kind, _, outcome, changed) => {
    const before = inStatus(FROM[kind]);
    const after = settled(before, anOperation({ kind, amount: 4 }), outcome, AT);
    expect(after).toEqual({ ...before, ...changed, updatedAt: AT });
  });

  it('counts as authorized only while nothing is captured', () => {
    const only = CHARGE_STATUSES.filter((status) => isAuthorizedOnly({ status }));
    expect(only).toEqual(['AUTHORIZED', 'CANCELED']);
  });
});

/** Amounts in agorot, as numbers with 2 decimals. */
const cents = fc.integer({ min: 1, max: 1_000_000 });
const asked = fc.record({
  kind: fc.constantFrom(...KINDS),
  part: fc.option(cents, { nil: undefined }),
  approved: fc.boolean(),
  waits: fc.boolean(),
});

it('never captures more than authorized, nor refunds more than captured, for any sequence of changes', () => {
  fc.assert(
    fc.property(cents, fc.boolean(), fc.array(asked, { maxLength: 30 }), (total, capture, changes) => {
      const started = anOperation({ kind: capture ? 'SALE' : 'AUTHORIZATION', amount: total / 100 });
      let charge = settled(
        aCharge({ amount: total / 100 }),
        started,
        { kind: 'approved', captured: capture },
        AT,
      );
      let pending: readonly Operation[] = [];
      let taken = capture ? total : 0;
      let given = 0;
      const end = (operation: Operation, approved: boolean) => {
        charge = settled(charge, operation, approved ? APPROVED : DECLINED, AT);
        if (!approved) return;
        if (operation.kind === 'CAPTURE') taken = Math.round(operation.amount * 100);
        if (operation.kind === 'REFUND') given += Math.round(operation.amount * 100);
      };
      for (const { kind, part, approved, waits } of changes) {
        try {
          const part100 = part === undefined ? undefined : part / 100;
          const amount = amountOfChange(kind, charge, pending, part100);
          const operation = anOperation({ kind, amount });
          if (waits) pending = [...pending, operation];
          else end(operation, approved);
        } catch {
          pending.forEach((operation) => end(operation, approved));
          pending = [];
        }
        expect(charge.capturedAmount).toBe(taken / 100);
        expect(charge.refundedAmount).toBe(given / 100);
        expect(given).toBeLessThanOrEqual(taken);
        expect(taken).toBeLessThanOrEqual(total);
      }
    }),
    { numRuns: 2_000 },
  );
});
