import { nearestPath } from './nearest-path';

const KNOWN = [
  '/vendors/get',
  '/vendors/create',
  '/vendors/id/:visibleId',
  '/clients/get',
  '/documents/create/:type',
  '/documents/id/:id',
  '/webhooks/:id/deliveries',
  '/webhooks/event-types',
  '/company',
];

describe('the nearest path to a misspelt one', () => {
  it.each([
    ['/vendor/get', '/vendors/get'],
    ['/Vendors/get', '/vendors/get'],
    ['/vendors/create/', '/vendors/create'],
    ['/vendors//get', '/vendors/get'],
    ['/documents/creat/order', '/documents/create/:type'],
    ['/vendors/ids/7', '/vendors/id/:visibleId'],
    ['/webhook/event-types', '/webhooks/event-types'],
    ['/companies', '/company'],
  ])('%s', (sent, meant) => {
    expect(nearestPath(sent, KNOWN)).toBe(meant);
  });

  it.each([
    '/',
    '/x',
    '/vendors',
    '/vendors/get/1',
    '/admin/users',
    '/suppliers/get',
    '/wp-login.php',
    '/a/b/c/d/e',
  ])('is none for %s', (sent) => {
    expect(nearestPath(sent, KNOWN)).toBeNull();
  });

  it('is none for a path over the maximum length, however near it is', () => {
    const tail = (length: number) => `/vendors/idd/${'7'.repeat(length)}`;
    expect(nearestPath(tail(80), KNOWN)).toBe('/vendors/id/:visibleId');
    expect(nearestPath(tail(100), KNOWN)).toBeNull();
  });
});
