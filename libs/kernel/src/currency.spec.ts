import { isCurrencyCode } from './currency';

describe('isCurrencyCode', () => {
  it.each(['ILS', 'USD', 'XCG', 'ZWG', 'XAD', 'ANG'])('accepts %s', (code) => {
    expect(isCurrencyCode(code)).toBe(true);
  });

  it.each(['ils', 'xcg', 'XXY', 'US', 'USDT', '', '$'])('refuses %j', (text) => {
    expect(isCurrencyCode(text)).toBe(false);
  });
});
