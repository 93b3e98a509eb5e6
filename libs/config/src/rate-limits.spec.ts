import type { Environment } from './environment-reader';
import { faultsOf, givenConfig } from './testing/given-config';

const SHARED_PAGES = { requests: 300, windowSeconds: 60 };
const read = (env: Environment) => givenConfig(env).rateLimits;

describe('the configuration of rate limits (contract §3.6)', () => {
  it('limits only what needs no key, and trusts no proxy by default', () => {
    const none = { key: null, company: null, failedKeys: null, sharedPages: SHARED_PAGES };
    expect(read({})).toEqual(none);
    expect(read({ NODE_ENV: 'production' })).toEqual(none);
    expect(givenConfig({}).trustedProxies).toBeNull();
  });

  it('reads requests in a window', () => {
    expect(
      read({
        RATE_LIMIT_KEY: '600/1m',
        RATE_LIMIT_COMPANY: '20000/1h',
        RATE_LIMIT_FAILED_KEYS: '5/10s',
        RATE_LIMIT_SHARED_PAGES: '20/1m',
      }),
    ).toEqual({
      key: { requests: 600, windowSeconds: 60 },
      company: { requests: 20_000, windowSeconds: 3600 },
      failedKeys: { requests: 5, windowSeconds: 10 },
      sharedPages: { requests: 20, windowSeconds: 60 },
    });
  });

  it.each([
    '600',
    '600/m',
    '0/1m',
    '600/0s',
    '600/2d',
    '600/500ms',
    '-1/1m',
    '1e3/1m',
    '9999999999/1m',
    'off',
  ])('refuses the rate %j', (value) => {
    for (const name of [
      'RATE_LIMIT_KEY',
      'RATE_LIMIT_COMPANY',
      'RATE_LIMIT_FAILED_KEYS',
      'RATE_LIMIT_SHARED_PAGES',
    ]) {
      expect(faultsOf({ [name]: value })).toEqual([expect.stringContaining(`${name} must be requests in`)]);
    }
  });

  it.each([
    ['1', 1],
    ['10.0.0.0/8, fd00::1', ['10.0.0.0/8', 'fd00::1']],
  ])('reads the proxies %j', (value, expected) => {
    expect(givenConfig({ TRUST_PROXY: value }).trustedProxies).toEqual(expected);
  });

  it.each([
    '0',
    '11',
    'true',
    'all',
    'proxy.example',
    '10.0.0.0/33',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/8,',
    '1.2.3.4/8/9',
  ])('refuses the proxies %j', (value) => {
    expect(faultsOf({ TRUST_PROXY: value })).toEqual([expect.stringContaining('TRUST_PROXY must be')]);
  });
});
