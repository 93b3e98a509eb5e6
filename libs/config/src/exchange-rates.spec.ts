import type { Environment } from './environment-reader';
import { faultsOf, givenConfig } from './testing/given-config';

const read = (env: Environment) => givenConfig(env).exchangeRates;

describe('the configuration of exchange rates (contract §11.10)', () => {
  it('is off by default', () => {
    expect(read({}).source).toBe('off');
    expect(read({ NODE_ENV: 'production' }).source).toBe('off');
    expect(faultsOf({ EXCHANGE_RATES: 'ecb' })).toEqual([expect.stringContaining('EXCHANGE_RATES')]);
  });

  it("has the Bank of Israel's URL by default, and accepts another", () => {
    const config = read({ EXCHANGE_RATES: 'bank-of-israel', NODE_ENV: 'production' });
    expect(config).toEqual({
      source: 'bank-of-israel',
      url: expect.stringMatching(/^https:\/\/edge\.boi\.gov\.il\/.*\/EXR\/1\.0$/),
    });
    expect(read({ EXCHANGE_RATES_URL: 'http://127.0.0.1:99/rates/' }).url).toBe('http://127.0.0.1:99/rates');
  });

  it.each([
    { EXCHANGE_RATES_URL: 'nonsense' },
    { EXCHANGE_RATES_URL: 'ftp://rates.example' },
    { EXCHANGE_RATES_URL: 'https://rates.example/?key=1' },
    { EXCHANGE_RATES_URL: 'https://user:secret@rates.example/' },
    { EXCHANGE_RATES_URL: 'http://rates.example/', NODE_ENV: 'production' },
  ])('refuses %j', (env) => {
    expect(faultsOf(env)).toEqual([expect.stringContaining('EXCHANGE_RATES_URL must be')]);
  });
});
