import { isPlainDate, plainDateOf } from './plain-date';

describe('plain dates', () => {
  it.each(['2026-01-05', '2024-02-29', '1999-12-31'])('accepts %s', (text) => {
    expect(isPlainDate(text)).toBe(true);
  });

  it.each([
    '2026-02-30',
    '2026-1-5',
    '2025-02-29',
    '2026-13-01',
    '0001-01-01',
    '2026-01-05T00:00:00Z',
    '',
    ' 2026-01-05',
  ])('refuses %j', (text) => {
    expect(isPlainDate(text)).toBe(false);
  });

  it('takes the day in the business time zone, whatever the time zone of the host', () => {
    expect(plainDateOf(new Date('2026-06-30T21:30:00Z'))).toBe('2026-07-01');
    expect(plainDateOf(new Date('2026-06-30T20:30:00Z'))).toBe('2026-06-30');
    expect(plainDateOf(new Date('2026-12-31T22:30:00Z'))).toBe('2027-01-01');
  });
});
