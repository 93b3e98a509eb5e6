import type { Environment } from './environment-reader';
import { faultsOf, givenConfig } from './testing/given-config';

const read = (env: Environment) => givenConfig(env).paymentGateway;

describe('the configuration of the payment gateway (contract §14.1)', () => {
  it('is off in production and a sandbox everywhere else by default', () => {
    expect(read({})).toBe('sandbox');
    expect(read({ PAYMENT_GATEWAY: '' })).toBe('sandbox');
    expect(read({ NODE_ENV: 'development' })).toBe('sandbox');
    expect(read({ NODE_ENV: 'production' })).toBe('off');
    expect(read({ PAYMENT_GATEWAY: 'off' })).toBe('off');
    expect(read({ PAYMENT_GATEWAY: 'off', NODE_ENV: 'production' })).toBe('off');
    expect(read({ PAYMENT_GATEWAY: 'sandbox' })).toBe('sandbox');
  });

  it.each([{ PAYMENT_GATEWAY: 'stripe' }, { PAYMENT_GATEWAY: 'SANDBOX' }, { PAYMENT_GATEWAY: 'on' }])(
    'refuses %j',
    (env) => {
      expect(faultsOf(env)).toEqual([expect.stringMatching(/PAYMENT_GATEWAY.*off.*sandbox/)]);
    },
  );

  it('refuses the sandbox in production', () => {
    const env = { PAYMENT_GATEWAY: 'sandbox', NODE_ENV: 'production' };
    expect(faultsOf(env)).toEqual([expect.stringMatching(/^PAYMENT_GATEWAY=sandbox.*production$/)]);
  });
});
