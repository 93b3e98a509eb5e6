import { requestIdOf } from './request-head';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

it.each(['a', 'order-12345-2026-11-22-1234', '42424242-4242-4242-8242-aaaaaaaaaaaa', 'x'.repeat(128)])(
  'keeps a valid request id: %s',
  (given) => {
    expect(requestIdOf({ 'x-request-id': given })).toBe(given);
  },
);

it.each([
  ...['', ' ', 'a b', 'x'.repeat(129), 'é', 'a\nb'],
  ...['4242424242424242', 'id-4242424242424242', '4242:4242:4242:4242', '4242-4242-4242-4242'],
  ...['4242.4242.4242.4242', '4242_4242_4242_4242', '3782-822463-10005', '4-2-4-2-4-2-4-2-4-2-4-2-4-2-4-2'],
])('replaces an invalid request id: %j', (given) => {
  expect(requestIdOf({ 'x-request-id': given })).toMatch(UUID);
});
