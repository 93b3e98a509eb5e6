import { isRetainerComplete, NEW_RETAINER, retainerBody } from '../src/screens/documents/retainers/draft';
import {
  adviceOf,
  countDueAtOnce,
  dateOfRun,
  isDay,
  MISSED_RUNS_MAX,
} from '../src/screens/documents/retainers/runs';

// As docs/retainers.md has them.
it.each([
  ['2027-01-31', 'MONTHLY', ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']],
  ['2028-01-31', 'MONTHLY', ['2028-01-31', '2028-02-29', '2028-03-31']],
  ['2028-02-29', 'YEARLY', ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
  ['2026-12-25', 'WEEKLY', ['2026-12-25', '2027-01-01', '2027-01-08']],
] as const)('from %s on, %s: %j', (first, interval, dates) => {
  expect(dates.map((_, run) => dateOfRun(first, interval, run))).toEqual(dates);
});

it.each([
  ['2026-11-28', 'MONTHLY', 0],
  ['2026-11-27', 'MONTHLY', 1],
  ['2026-08-31', 'MONTHLY', 3],
  ['2026-11-13', 'WEEKLY', 3],
  ['2025-11-28', 'YEARLY', 1],
  ['1990-01-01', 'WEEKLY', MISSED_RUNS_MAX + 1],
  ['', 'MONTHLY', 0],
  ['2026-13-01', 'MONTHLY', 0],
] as const)('of %s, %s, so many are due at once: %s', (first, interval, expected) => {
  expect(countDueAtOnce(first, interval, '2026-11-27')).toBe(expected);
});

it('knows a day', () => {
  expect(['2026-11-27', '2026-1-5', '2026-13-01', ''].map(isDay)).toEqual([true, false, false, false]);
});

it('has advice for each refusal', () => {
  expect(['LIMIT_REACHED', 'VALIDATION_FAILED', 'toString'].map(adviceOf)).toEqual([
    'adviceLimit',
    'adviceCorrect',
    'adviceOther',
  ]);
});

it('is complete with a client, a line and a first day that is not too long ago', () => {
  const draft = {
    ...NEW_RETAINER,
    ...{ party: { id: 3, name: 'Acme' }, nextRunDate: '2027-01-31' },
    items: [
      { description: 'Support', quantity: '1', unitPrice: '100.5', discount: '', vat: '', productId: null },
    ],
  };
  const isComplete = (part: Partial<typeof NEW_RETAINER>) =>
    isRetainerComplete({ ...draft, ...part }, '2026-11-27');
  expect(isComplete({})).toBe(true);
  expect(isComplete({ party: null })).toBe(false);
  expect(isComplete({ items: [] })).toBe(false);
  expect(isComplete({ nextRunDate: '' })).toBe(false);
  expect(isComplete({ nextRunDate: '2010-01-01', interval: 'WEEKLY' })).toBe(false);
  expect(isComplete({ currency: 'IL' })).toBe(false);
  expect(retainerBody(draft)).toEqual({
    ...{ entityId: 3, documentType: 'TAX_INVOICE', interval: 'MONTHLY', nextRunDate: '2027-01-31' },
    ...{ currency: 'ILS', items: [{ description: 'Support', quantity: 1, unitPrice: 100.5 }] },
  });
});
