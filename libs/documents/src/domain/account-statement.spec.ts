import {
  accountStatement,
  ageingDay,
  assertPeriod,
  STATEMENT_LINES_MAX,
  type StatementEntry,
} from './account-statement';

const ENTRY: StatementEntry = {
  ...{ entry: 'DOCUMENT', date: '2027-01-05', documentId: 1, visibleId: 'v', type: 'TAX_INVOICE', number: 1 },
  ...{ dueDate: null, debit: 0, credit: 0 },
};
const AGEING = { notDue: 0, days1To30: 0, days31To60: 0, days61To90: 0, over90: 0 };
const PERIOD = { from: '2027-01-01', to: '2027-01-31', currency: 'ILS' };
const FACTS = { currencies: ['ILS'], openingBalance: 0, entries: [], ageing: AGEING };

it('has a running balance without errors of binary fractions', () => {
  const entries = [{ debit: 0.1 }, { debit: 0.2 }, { credit: 0.3 }].map((amounts) => ({
    ...ENTRY,
    ...amounts,
  }));
  const statement = accountStatement({ ...FACTS, entries, openingBalance: 1.1 }, PERIOD, '2027-01-31');
  expect(statement.lines.map(({ balance }) => balance)).toEqual([1.2, 1.4, 1.1]);
  expect(statement).toMatchObject({ debit: 0.3, credit: 0.3, closingBalance: 1.1 });
});

it('says what is open, and how much of the credit no invoice has used', () => {
  const ageing = { ...AGEING, notDue: 100, over90: 20.5 };
  const statement = accountStatement({ ...FACTS, openingBalance: 70.25, ageing }, PERIOD, '2027-01-31');
  expect(statement.ageing).toEqual({ ...ageing, asOf: '2027-01-31', total: 120.5 });
  expect(statement).toMatchObject({ closingBalance: 70.25, unallocatedCredit: 50.25 });
});

it('is bounded', () => {
  const entries = Array.from({ length: STATEMENT_LINES_MAX + 1 }, () => ENTRY);
  const build = (count: number) =>
    accountStatement({ ...FACTS, entries: entries.slice(0, count) }, PERIOD, '2027-01-31');
  expect(build(STATEMENT_LINES_MAX).lines).toHaveLength(STATEMENT_LINES_MAX);
  expect(() => build(STATEMENT_LINES_MAX + 1)).toThrow(
    expect.objectContaining({
      code: 'VALIDATION_FAILED',
      details: [expect.objectContaining({ field: 'from' })],
    }),
  );
});

it('is of a period that ends after it begins', () => {
  expect(() => assertPeriod({ from: '2027-01-02', to: '2027-01-01' })).toThrow(
    expect.objectContaining({ code: 'VALIDATION_FAILED' }),
  );
  expect(() => assertPeriod({ from: '2027-01-01', to: '2027-01-01' })).not.toThrow();
});

it('ages what is open up to today at most', () => {
  expect(ageingDay(PERIOD, '2027-01-15')).toBe('2027-01-15');
  expect(ageingDay(PERIOD, '2027-02-15')).toBe('2027-01-31');
});
