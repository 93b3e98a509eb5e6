import { newEndpointId, newSigningSecret, urlProblem } from './endpoint';

describe('an endpoint', () => {
  it.each([
    ['https://example.com/hooks?a=b', null],
    [`https://example.com/${'x'.repeat(2028)}`, null],
    [`https://example.com/${'x'.repeat(2029)}`, 'must be at most 2048 characters'],
    ['http://example.com', 'must start with https://'],
    ['ftp://example.com', 'must start with https://'],
    ['example.com', 'must be a URL'],
    ['https://', 'must be a URL'],
    ['https://user:pass@example.com', 'must not carry credentials'],
    ['https://user@example.com', 'must not carry credentials'],
  ])('has the url %s: %s', (url, problem) => {
    expect(urlProblem(url)).toBe(problem);
  });

  it('has a secret of 32 random bytes in base64 after whsec_ (contract §15.3)', () => {
    const secret = newSigningSecret();
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSigningSecret()).not.toBe(secret);
    expect(newEndpointId()).not.toBe(newEndpointId());
  });
});
