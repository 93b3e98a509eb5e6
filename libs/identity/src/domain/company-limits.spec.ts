import { ratesOf } from './company-limits';

describe('the rates among the limits of a company', () => {
  it.each([
    [{}, undefined],
    [{ fileBytes: 5 }, undefined],
    [
      { keyRequests: 5, keyWindowSeconds: 60 },
      { requests: 5, windowSeconds: 60 },
    ],
    [{ keyRequests: null, keyWindowSeconds: null }, null],
    // Half of a rate, as a change by hand may leave it, is the installation's.
    [{ keyRequests: 5 }, undefined],
    [{ companyRequests: 5, companyWindowSeconds: 60 }, undefined],
  ])('has from %j for each key %j', (limits, key) => {
    expect(ratesOf(limits).key).toEqual(key);
  });

  it('has a rate for all keys together', () => {
    expect(ratesOf({ companyRequests: 9, companyWindowSeconds: 1 })).toEqual({
      key: undefined,
      company: { requests: 9, windowSeconds: 1 },
    });
  });
});
