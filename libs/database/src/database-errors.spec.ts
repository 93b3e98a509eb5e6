import { isDatabaseUnavailable } from './database-errors';

describe('the absence of the database', () => {
  it.each([
    'ECONNREFUSED',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'EHOSTDOWN',
    'ENETUNREACH',
    'ENETDOWN',
    'EADDRNOTAVAIL',
    '25006',
    '57P01',
    '53300',
  ])('is told by %s', (code) => {
    expect(isDatabaseUnavailable(Object.assign(new Error('x'), { code }))).toBe(true);
  });

  it.each(['EACCES', '08P01', '23505', '42P01'])('is not told by %s', (code) => {
    expect(isDatabaseUnavailable(Object.assign(new Error('x'), { code }))).toBe(false);
  });

  it('is told by the first of the addresses that were all tried in vain', () => {
    const faults = ['ENETUNREACH', 'ECONNREFUSED'].map((code) => Object.assign(new Error(code), { code }));
    const [first] = faults;
    // As Node reports a name that has several addresses.
    expect(isDatabaseUnavailable(Object.assign(new AggregateError(faults), { code: first?.message }))).toBe(
      true,
    );
  });
});
