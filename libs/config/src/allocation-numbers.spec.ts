import type { Environment } from './environment-reader';
import { faultsOf, givenConfig } from './testing/given-config';

const PRODUCTION = { NODE_ENV: 'production' };
const ISRAEL = {
  ALLOCATION_NUMBERS: 'israel',
  ALLOCATION_NUMBERS_URL: 'https://authority.example/shaam/production/',
  ALLOCATION_NUMBERS_CLIENT_ID: 'the-client',
  ALLOCATION_NUMBERS_CLIENT_SECRET: 'the-secret',
  ALLOCATION_NUMBERS_REFRESH_TOKEN: 'the-token',
};

const read = (env: Environment) => givenConfig(env).allocationNumbers;

describe('the configuration of allocation numbers (contract §8.13)', () => {
  it('uses the sandbox, which answers at once, by default', () => {
    expect(read({})).toMatchObject({ source: 'sandbox', sandboxMode: 'now', israel: null });
    expect(read({ ALLOCATION_NUMBERS_SANDBOX: 'later' }).sandboxMode).toBe('later');
  });

  it('is off in production by default, and refuses the sandbox there', () => {
    expect(read(PRODUCTION).source).toBe('off');
    expect(read({ ...PRODUCTION, ...ISRAEL }).source).toBe('israel');
    expect(faultsOf({ ...PRODUCTION, ALLOCATION_NUMBERS: 'sandbox' })).toEqual([
      expect.stringContaining('ALLOCATION_NUMBERS=sandbox'),
    ]);
  });

  it('has the published thresholds by default', () => {
    expect(read({}).thresholds).toEqual([
      { from: '2024-05-05', amount: 25_000 },
      { from: '2025-01-01', amount: 20_000 },
      { from: '2026-01-01', amount: 10_000 },
      { from: '2026-06-01', amount: 5_000 },
    ]);
  });

  it('accepts other thresholds', () => {
    expect(read({ ALLOCATION_NUMBER_THRESHOLDS: '2026-06-01:5000, 2028-02-29:0.50' }).thresholds).toEqual([
      { from: '2026-06-01', amount: 5_000 },
      { from: '2028-02-29', amount: 0.5 },
    ]);
  });

  it.each([
    '5000',
    '2026-02-30:5000',
    '2026-6-1:5000',
    '2026-06-01:-1',
    '2026-06-01:5000.001',
    '2026-06-01:',
    '2026-06-01:5000,',
    '2026-06-01:5000,2026-01-01:10000',
    '2026-06-01:5000,2026-06-01:4000',
  ])('refuses the thresholds %j', (value) => {
    expect(faultsOf({ ALLOCATION_NUMBER_THRESHOLDS: value })).toEqual([
      expect.stringContaining('ALLOCATION_NUMBER_THRESHOLDS'),
    ]);
  });

  it('reads the credentials at the authority', () => {
    expect(read(ISRAEL).israel).toEqual({
      url: 'https://authority.example/shaam/production',
      tokenUrl: 'https://authority.example/shaam/production/longtimetoken/oauth2/token',
      clientId: 'the-client',
      clientSecret: 'the-secret',
      refreshToken: 'the-token',
      softwareNumber: null,
    });
    const elsewhere = { ALLOCATION_NUMBERS_TOKEN_URL: 'https://other.example/token' };
    expect(
      read({ ...ISRAEL, ...elsewhere, ALLOCATION_NUMBERS_SOFTWARE_NUMBER: '12345678' }).israel,
    ).toMatchObject({
      tokenUrl: 'https://other.example/token',
      softwareNumber: '12345678',
    });
  });

  it('names all settings of the authority that are missing', () => {
    expect(faultsOf({ ALLOCATION_NUMBERS: 'israel' })).toEqual(
      ['URL', 'CLIENT_ID', 'CLIENT_SECRET', 'REFRESH_TOKEN'].map((name) =>
        expect.stringMatching(new RegExp(`^ALLOCATION_NUMBERS_${name} is required`)),
      ),
    );
  });

  it.each([
    ['ALLOCATION_NUMBERS', 'yes', {}],
    ['ALLOCATION_NUMBERS_SANDBOX', 'soon', {}],
    ['ALLOCATION_NUMBERS_URL', 'http://authority.example', PRODUCTION],
    ['ALLOCATION_NUMBERS_URL', 'https://user:hunter2@authority.example', {}],
    ['ALLOCATION_NUMBERS_URL', 'https://authority.example/?key=hunter2', {}],
    ['ALLOCATION_NUMBERS_TOKEN_URL', 'hunter2', {}],
    ['ALLOCATION_NUMBERS_SOFTWARE_NUMBER', '1234567', {}],
  ])('refuses %s=%j in one line that names the variable', (name, value, env) => {
    const faults = faultsOf({ ...ISRAEL, ...env, [name]: value });
    expect(faults).toEqual([expect.stringContaining(name)]);
    expect(faults.join()).not.toContain('hunter2');
  });

  it('reveals no secret in any fault', () => {
    const faults = faultsOf({ ...ISRAEL, ALLOCATION_NUMBERS_URL: 'nonsense', PORT: 'x' }).join();
    expect(faults).toContain('PORT');
    expect(faults).not.toMatch(/the-client|the-secret|the-token/);
  });
});
