import type { FastifyRequest } from 'fastify';
import { loggedPath } from './request-head';

const asked = (url: string, route?: string) =>
  ({ url, routeOptions: { url: route, config: {} } }) as unknown as FastifyRequest;

describe('a logged path', () => {
  it('is the requested path without its query', () => {
    expect(loggedPath(asked('/gateway/charges/17?status=x', '/gateway/charges/:id'))).toBe(
      '/gateway/charges/17',
    );
  });

  it.each(['/documents/1234/5678/4242/17', '/files/order-12345-2026-11-22-1234', '/clients/100%25', '/x%'])(
    'is kept with other numbers: %s',
    (url) => {
      expect([loggedPath(asked(url, '/:x')), loggedPath(asked(url))]).toEqual([url, url]);
    },
  );

  it('is replaced by the route, or removed, without a search if it is long', () => {
    const url = `/gateway/charges/${'4-'.repeat(8_000)}%20`;
    const started = performance.now();
    expect(loggedPath(asked(url, '/gateway/charges/:id'))).toBe('/gateway/charges/:id');
    expect(loggedPath(asked(url))).toBe('…');
    expect(performance.now() - started).toBeLessThan(5);
  });

  it.each([
    '4242424242424242',
    '4242-4242-4242-4242',
    '4242%204242%204242%204242',
    '4242%2D4242%2D4242%2d4242',
    '%EF%BC%94%EF%BC%92424242424242%34%32',
    '4242%204242%204242%204242%E0%A4',
    '4242424242424242%',
    '4242424242424242%34',
    '4242/4242/4242/4242',
    '4242:4242:4242:4242',
    '4242+4242+4242+4242',
    '4242%094242%094242%094242',
    '4242%0A4242%0A4242%0A4242',
    '4242%25204242%25204242%25204242',
    '4242%25204242%25204242%25204242%E0%A4',
    '4%2F2%2F4%2F2%2F4%2F2%2F4%2F2%2F4%2F2%2F4%2F2%2F4%2F2%2F4%2F2',
    '4242%E2%80%934242%E2%80%934242%E2%80%934242',
    '4242%E2%80%8B4242%E2%80%8B4242%E2%80%8B4242',
    '%D9%A4%D9%A2%D9%A4%D9%A24242%D9%A4%D9%A2%D9%A4%D9%A24242',
  ])('is replaced by the route, or removed, if it has a card number: %s', (number) => {
    const url = `/gateway/charges/${number}`;
    expect(loggedPath(asked(url, '/gateway/charges/:id'))).toBe('/gateway/charges/:id');
    expect(loggedPath(asked(url))).toBe('…');
  });
});
