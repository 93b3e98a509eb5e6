import type { Permission } from '@counterfoil/kernel';

/** A route of the API, in the notation of OpenAPI. */
export interface ApiRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** The permission that the route requires (contract §4.3); null if it needs no key. */
  readonly needs: Permission | null;
}

const route = (method: ApiRoute['method'], path: string, needs: ApiRoute['needs']): ApiRoute => ({
  method,
  path,
  needs,
});

const webhookRoutes = (base: string): ApiRoute[] => [
  route('GET', base, 'administer'),
  route('POST', base, 'administer'),
  route('GET', `${base}/event-types`, 'administer'),
  route('GET', `${base}/stream`, 'administer'),
  route('POST', `${base}/trigger`, 'administer'),
  route('GET', `${base}/{id}`, 'administer'),
  route('PUT', `${base}/{id}`, 'administer'),
  route('DELETE', `${base}/{id}`, 'administer'),
  route('POST', `${base}/{id}/pause`, 'administer'),
  route('POST', `${base}/{id}/resume`, 'administer'),
  route('POST', `${base}/{id}/rotate-secret`, 'administer'),
  route('POST', `${base}/{id}/test`, 'administer'),
  route('GET', `${base}/{id}/deliveries`, 'administer'),
  route('GET', `${base}/{id}/deliveries/{deliveryId}`, 'administer'),
  route('POST', `${base}/{id}/deliveries/{deliveryId}/replay`, 'administer'),
  route('POST', `${base}/{id}/replay`, 'administer'),
  route('GET', `${base}/{id}/replays/{replayId}`, 'administer'),
];

/**
 * All routes, listed by hand. A new route must be added here, and is then covered by all tests that iterate
 * over the routes.
 */
export const API_ROUTES: readonly ApiRoute[] = [
  route('GET', '/health/live', null),
  route('GET', '/health/ready', null),
  route('GET', '/company', 'read'),
  route('PUT', '/company', 'administer'),
  route('GET', '/api-keys', 'administer'),
  route('POST', '/api-keys', 'administer'),
  route('DELETE', '/api-keys/{id}', 'administer'),
  route('GET', '/sessions', 'read'),
  route('POST', '/sessions', 'read'),
  route('GET', '/caller', 'read'),
  route('DELETE', '/sessions/{id}', 'read'),
  route('GET', '/audit', 'administer'),
  route('GET', '/requests', 'administer'),
  route('GET', '/custom-fields', 'read'),
  route('POST', '/custom-fields', 'write'),
  route('GET', '/document-execution-statuses', 'read'),
  route('POST', '/document-execution-statuses', 'write'),
  route('GET', '/reports/documents/saved', 'read'),
  route('POST', '/reports/documents/saved', 'write'),
  route('GET', '/files', 'read'),
  route('POST', '/files/upload', 'write'),
  route('DELETE', '/files/{id}', 'write'),
  route('GET', '/files/{id}/content', 'read'),
  route('GET', '/addresses', 'read'),
  route('POST', '/addresses/create', 'write'),
  route('GET', '/contacts', 'read'),
  route('POST', '/contacts/create', 'write'),
  route('GET', '/clients', 'read'),
  route('GET', '/clients/id/{visibleId}', 'read'),
  route('GET', '/clients/id/{visibleId}/statement', 'read'),
  route('GET', '/clients/id/{visibleId}/statement/pdf', 'read'),
  route('POST', '/clients/create', 'write'),
  route('PUT', '/clients/edit/{visibleId}', 'write'),
  route('GET', '/vendors', 'read'),
  route('GET', '/vendors/id/{visibleId}', 'read'),
  route('POST', '/vendors/create', 'write'),
  route('PUT', '/vendors/edit/{visibleId}', 'write'),
  route('GET', '/vendors/pricelist', 'read'),
  route('GET', '/vendors/id/{visibleId}/pricelist', 'read'),
  route('PUT', '/vendors/id/{visibleId}/pricelist', 'write'),
  route('GET', '/vendors/id/{visibleId}/pricelist/quote', 'read'),
  route('GET', '/products', 'read'),
  route('POST', '/products/create', 'write'),
  route('PUT', '/products/edit/{visibleId}', 'write'),
  route('GET', '/products/id/{id}', 'read'),
  route('GET', '/products/id/{id}/serials', 'read'),
  route('GET', '/warehouses', 'read'),
  route('POST', '/warehouses/create', 'write'),
  route('GET', '/inventory', 'read'),
  route('POST', '/inventory/create', 'write'),
  route('PUT', '/inventory/edit/{id}', 'write'),
  route('GET', '/inventory/movements', 'read'),
  route('POST', '/inventory/movements/create', 'write'),
  route('GET', '/exchange-rates', 'read'),
  route('PUT', '/exchange-rates', 'set-rates'),
  route('GET', '/expenses', 'read'),
  route('GET', '/expenses/id/{id}', 'read'),
  route('GET', '/expenses/extract-from-file/{fileId}', 'read'),
  route('GET', '/expenses/extract-from-url', 'read'),
  route('POST', '/expenses/create', 'write'),
  route('PUT', '/expenses/edit/{id}', 'write'),
  route('DELETE', '/expenses/delete/{id}', 'write'),
  route('GET', '/purchase', 'read'),
  route('GET', '/purchase/id/{visibleId}', 'read'),
  route('POST', '/purchase/create', 'write'),
  route('POST', '/purchase/cancel/{visibleId}', 'write'),
  route('GET', '/documents', 'read'),
  route('POST', '/documents/create/{type}', 'write'),
  route('GET', '/documents/id/{visibleId}', 'read'),
  route('GET', '/documents/by-external-id/{externalId}', 'read'),
  route('GET', '/documents/{id}', 'read'),
  route('GET', '/documents/id/{id}/pdf', 'read'),
  route('GET', '/documents/id/{id}/ubl', 'read'),
  route('GET', '/documents/id/{id}/cii', 'read'),
  route('POST', '/documents/id/{id}/send', 'write'),
  route('GET', '/documents/id/{id}/reminders', 'read'),
  route('PUT', '/documents/id/{id}/reminders', 'write'),
  route('GET', '/mails', 'read'),
  route('GET', '/mails/{id}', 'read'),
  route('GET', '/documents/id/{id}/html', 'read'),
  route('POST', '/documents/id/{id}/share', 'write'),
  route('GET', '/documents/id/{id}/shares', 'read'),
  route('DELETE', '/documents/id/{id}/shares/{shareId}', 'write'),
  route('GET', '/d/{token}', null),
  route('GET', '/d/{token}/pdf', null),
  route('POST', '/documents/preview', 'read'),
  route('POST', '/documents/preview/html', 'read'),
  route('POST', '/documents/preview/pdf', 'read'),
  route('POST', '/documents/close/{visibleId}', 'write'),
  route('POST', '/documents/cancel/{visibleId}', 'write'),
  route('POST', '/documents/allocate', 'write'),
  route('POST', '/documents/approval-number/{visibleId}', 'write'),
  route('GET', '/retainers', 'read'),
  route('POST', '/retainers/create', 'write'),
  route('DELETE', '/retainers/{id}', 'write'),
  ...webhookRoutes('/webhooks'),
  ...webhookRoutes('/gateway/webhooks'),
  route('GET', '/gateway/providers', 'read'),
  route('GET', '/gateway/tokens', 'read'),
  route('POST', '/gateway/tokens', 'write'),
  route('DELETE', '/gateway/tokens/{id}', 'write'),
  route('GET', '/gateway/charges', 'read'),
  route('POST', '/gateway/charges', 'write'),
  route('GET', '/gateway/charges/{id}', 'read'),
  route('POST', '/gateway/charges/{id}/capture', 'write'),
  route('POST', '/gateway/charges/{id}/cancel', 'write'),
  route('POST', '/gateway/charges/{id}/refund', 'write'),
  route('GET', '/gateway/payments/payment-pages', 'read'),
  route('POST', '/gateway/payments/payment-pages', 'write'),
  route('GET', '/gateway/recurring-payments', 'read'),
  route('POST', '/gateway/recurring-payments', 'write'),
  route('DELETE', '/gateway/recurring-payments/{id}', 'write'),
  route('GET', '/gateway/sandbox/pages/{key}', null),
  route('POST', '/gateway/sandbox/pages/{key}/pay', null),
];

const EXAMPLES: Readonly<Record<string, string>> = {
  type: 'tax-invoice',
  visibleId: '00000000-0000-4000-8000-000000000000',
};

/** Replaces each parameter of the path with an example. */
export function examplePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => EXAMPLES[name] ?? '999999');
}

/** Returns each path with its methods, in the order of an `Allow` header. */
export function methodsByPath(): [path: string, methods: string[]][] {
  const paths = [...new Set(API_ROUTES.map(({ path }) => path))];
  return paths.map((path) => {
    const methods = API_ROUTES.filter((one) => one.path === path).map(({ method }) => method as string);
    return [path, [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort()];
  });
}

/** True if a route matches this request, possibly with a parameter: `allocate` may match `{id}`. */
export function isTaken(method: string, path: string): boolean {
  return API_ROUTES.some((route) => {
    const template = new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`);
    return route.method === method && template.test(path);
  });
}
