import { loadConfig } from '@counterfoil/config';
import { type AllocationNumberSubject, needsAllocationNumber } from './allocation-number-threshold';
import { DOCUMENT_TYPES } from './document-type';

/** The default thresholds. */
const { thresholds } = loadConfig({
  DATABASE_URL: 'postgres://localhost/x',
  SECRETS_KEY: 'k'.repeat(32),
}).allocationNumbers;

const INVOICE: AllocationNumberSubject = {
  type: 'TAX_INVOICE',
  issueDate: '2026-06-01',
  currency: 'ILS',
  amount: 5_000.01,
  tax: 900,
};

const needs = (overrides: Partial<AllocationNumberSubject>, table = thresholds) =>
  needsAllocationNumber({ ...INVOICE, ...overrides }, 'COMPANY', table);

describe('whether a document needs an allocation number (contract §8.13)', () => {
  it.each([
    ['2024-05-05', 25_000],
    ['2024-12-31', 25_000],
    ['2025-01-01', 20_000],
    ['2025-12-31', 20_000],
    ['2026-01-01', 10_000],
    ['2026-05-31', 10_000],
    ['2026-06-01', 5_000],
    ['2030-01-01', 5_000],
  ])('on %s it does from an agora over %d ILS before VAT', (issueDate, amount) => {
    expect(needs({ issueDate, amount: amount + 0.01 })).toBe(true);
    expect(needs({ issueDate, amount })).toBe(false);
    expect(needs({ issueDate, amount: amount - 0.01 })).toBe(false);
  });

  it('never before the first threshold', () => {
    expect(needs({ issueDate: '2024-05-04', amount: 1_000_000 })).toBe(false);
    expect(needs({}, [])).toBe(false);
  });

  it('finds the applicable threshold whatever the order of the table', () => {
    const reversed = [...thresholds].reverse();
    expect(needs({ issueDate: '2025-06-01', amount: 20_000 }, reversed)).toBe(false);
    expect(needs({ issueDate: '2025-06-01', amount: 20_000.01 }, reversed)).toBe(true);
  });

  it('only if it is a tax invoice', () => {
    const asked = DOCUMENT_TYPES.filter((type) => needs({ type, amount: 1_000_000 }));
    expect(asked).toEqual(['TAX_INVOICE', 'TAX_INVOICE_RECEIPT']);
  });

  it.each([
    ['MURSHE', true],
    ['COMPANY', true],
    ['PATOOR', false],
  ] as const)('depends on whether the customer deducts VAT: %s, %j', (customerType, needed) => {
    expect(needsAllocationNumber(INVOICE, customerType, thresholds)).toBe(needed);
  });

  it('not without VAT', () => {
    expect(needs({ tax: 0, amount: 1_000_000 })).toBe(false);
    expect(needs({ tax: 0.01 })).toBe(true);
  });

  it('not in another currency, which cannot be compared', () => {
    expect(needs({ currency: 'USD', amount: 1_000_000 })).toBe(false);
  });

  it('always with VAT if the operator sets the threshold to 0', () => {
    const everything = [{ from: '2027-01-01', amount: 0 }];
    expect(needs({ issueDate: '2027-01-01', amount: 0.01 }, everything)).toBe(true);
    expect(needs({ issueDate: '2026-12-31', amount: 1_000_000 }, everything)).toBe(false);
  });
});
