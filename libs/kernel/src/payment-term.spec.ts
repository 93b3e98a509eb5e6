import { dueDateOf, type PaymentTermType } from './payment-term';
import type { PlainDate } from './plain-date';

describe('dueDateOf', () => {
  it.each<[PaymentTermType, number, PlainDate, PlainDate]>([
    ['DAYS_ONLY', 0, '2026-01-31', '2026-01-31'],
    ['DAYS_ONLY', 30, '2026-01-31', '2026-03-02'],
    ['DAYS_ONLY', 365, '2024-02-29', '2025-02-28'],
    ['CURRENT_PLUS_DAYS', 0, '2026-01-01', '2026-01-31'],
    ['CURRENT_PLUS_DAYS', 0, '2024-02-10', '2024-02-29'],
    ['CURRENT_PLUS_DAYS', 30, '2026-02-28', '2026-03-30'],
    ['CURRENT_PLUS_DAYS', 60, '2026-12-31', '2027-03-01'],
    ['CURRENT_PLUS_DAYS', 30, '2026-03-27', '2026-04-30'],
  ])('%s of %d days from %s is %s', (type, days, issueDate, due) => {
    expect(dueDateOf(issueDate, { type, days })).toBe(due);
  });
});
