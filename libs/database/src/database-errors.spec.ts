import { isDatabaseUnavailable } from './database-errors';

describe('isDatabaseUnavailable', () => {
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
  ])('is true for %s', (code) => {
    expect(isDatabaseUnavailable(Object.assign(new Error('x'), { code }))).toBe(true);
  });

  it.each(['EACCES', '08P01', '23505', '42P01'])('is false for %s', (code) => {
    expect(isDatabaseUnavailable(Object.assign(new Error('x'), { code }))).toBe(false);
  });

  it('is true for what PgBouncer reports when it closes a connection', () => {
    const closed = { code: '08P01', severity: 'FATAL' };
    expect(isDatabaseUnavailable(Object.assign(new Error('query_wait_timeout'), closed))).toBe(true);
    expect(isDatabaseUnavailable(Object.assign(new Error('x'), { ...closed, severity: 'ERROR' }))).toBe(
      false,
    );
  });

  it('is true if the first of several failed addresses has such a code', () => {
    const faults = ['ENETUNREACH', 'ECONNREFUSED'].map((code) => Object.assign(new Error(code), { code }));
    const [first] = faults;
    // The form in which Node reports a name with several addresses.
    expect(isDatabaseUnavailable(Object.assign(new AggregateError(faults), { code: first?.message }))).toBe(
      true,
    );
  });
});
