import fc from 'fast-check';
import { isPlainDate } from './plain-date';
import { type Interval, INTERVALS, occurrence } from './recurrence';

const series = (first: string, interval: Interval, count: number) =>
  Array.from({ length: count }, (_, index) => occurrence(first, interval, index));

describe('occurrence', () => {
  it.each<[string, Interval, string[]]>([
    ['2025-01-31', 'MONTHLY', ['2025-01-31', '2025-02-28', '2025-03-31', '2025-04-30', '2025-05-31']],
    ['2027-12-31', 'MONTHLY', ['2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31']],
    ['2026-01-30', 'MONTHLY', ['2026-01-30', '2026-02-28', '2026-03-30']],
    ['2026-02-28', 'MONTHLY', ['2026-02-28', '2026-03-28', '2026-04-28']],
    ['2026-11-15', 'MONTHLY', ['2026-11-15', '2026-12-15', '2027-01-15']],
    ['2024-02-29', 'YEARLY', ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']],
    ['2026-12-31', 'YEARLY', ['2026-12-31', '2027-12-31']],
    ['2026-12-25', 'WEEKLY', ['2026-12-25', '2027-01-01', '2027-01-08']],
    // Weeks with a clock change in Israel have seven days, too.
    ['2026-03-23', 'WEEKLY', ['2026-03-23', '2026-03-30', '2026-04-06']],
    ['2026-10-21', 'WEEKLY', ['2026-10-21', '2026-10-28', '2026-11-04']],
  ])('from %s, %s: %j', (first, interval, dates) => {
    expect(series(first, interval, dates.length)).toEqual(dates);
  });

  it('has no 29 February in 2100, which is not a leap year', () => {
    expect(occurrence('2096-02-29', 'YEARLY', 4)).toBe('2100-02-28');
  });

  it('yields ascending real dates, one in each period, on the first day or the last of the month', () => {
    const day = fc.date({
      min: new Date('1990-01-01'),
      max: new Date('2200-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(day, fc.constantFrom(...INTERVALS), fc.nat({ max: 600 }), (date, interval, index) => {
        const first = date.toISOString().slice(0, 10);
        const [one, next] = [occurrence(first, interval, index), occurrence(first, interval, index + 1)];
        expect(isPlainDate(one)).toBe(true);
        expect(one < next).toBe(true);
        if (interval === 'WEEKLY') {
          expect(Date.parse(one) - Date.parse(first)).toBe(index * 7 * 86_400_000);
          return;
        }
        const monthOf = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7));
        expect(monthOf(next) - monthOf(one)).toBe(interval === 'YEARLY' ? 12 : 1);
        const tomorrow = new Date(Date.parse(one) + 86_400_000).toISOString();
        const isLastOfMonth = tomorrow.slice(8, 10) === '01';
        expect(one.slice(8) === first.slice(8) || (isLastOfMonth && one.slice(8) < first.slice(8))).toBe(
          true,
        );
      }),
    );
  });
});
