import { DEMO_KEY, startApiService, type TestService } from '@counterfoil/test-harness';
import { API_ROUTES, type ApiRoute, examplePath } from './api-routes';
import { fieldsIn, type Schema, withField } from './body-fields';
import { closeConnections, exchange } from './http-exchange';
import type { Description } from './tenancy-cases';

let service: TestService;
let description: Description;

beforeAll(async () => {
  service = await startApiService({ LOG_LEVEL: 'warn' });
  description = (await call('GET', '/openapi.json')) as unknown as Description;
});
afterAll(async () => {
  closeConnections();
  await service.stop();
});

async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${DEMO_KEY}` };
  const sent = body && JSON.stringify(body);
  const { text } = await exchange(service.url, { method, path, headers, body: sent });
  return JSON.parse(text) as Record<string, unknown>;
}

/** The optional fields of the body of a route, and whether each is a text. */
function optionalFields({ method, path }: ApiRoute): Map<string, { readonly isText: boolean }> {
  const found = new Map<string, { readonly isText: boolean }>();
  const operation = description.paths[path]?.[method.toLowerCase()];
  const schema = operation?.requestBody?.content['application/json']?.schema;
  fieldsIn(schema ?? {}, description.components.schemas, (field, child: Schema, isRequired) => {
    // Only texts have a least length: names of a list, dates, times and codes do not.
    if (!isRequired) found.set(field, { isText: child.minLength !== undefined });
    return false;
  });
  return found;
}

const POSTS = API_ROUTES.filter(({ method }) => method === 'POST');

/** The problem that the answer names for the field. The rest of the body may be refused. */
async function problemOf({ method, path }: ApiRoute, field: string, value: '' | null): Promise<unknown> {
  const answer = await call(method, examplePath(path), withField({}, field, value));
  const details = (answer['details'] ?? []) as readonly { readonly field: string }[];
  return details.find((detail) => detail.field === field);
}

describe('an optional field of a body that creates (contract §1.5)', () => {
  it.each(POSTS)('$method $path takes null for it, and an empty text if it is a text', async (route) => {
    for (const [field, { isText }] of optionalFields(route)) {
      for (const value of isText ? (['', null] as const) : [null]) {
        expect({ field, value, problem: await problemOf(route, field, value) }).toEqual({ field, value });
      }
    }
  });

  it('is found on the routes that have such fields', () => {
    const found = POSTS.flatMap((route) => [...optionalFields(route).values()]);
    expect(found.length).toBeGreaterThan(100);
    expect(found.filter(({ isText }) => isText).length).toBeGreaterThan(30);
  });

  it('is stored as null for an empty text, also in the entry of a list', async () => {
    const client = { taxId: '514000000', name: 'Acme', type: 'COMPANY' };
    const { clientId: entityId } = await call('POST', '/clients/create', client);
    const payments = [{ method: 'CASH', amount: 1, note: '' }];
    // Two of them, because an id of one's own is unique.
    for (let round = 0; round < 2; round += 1) {
      const body = { entityId, payments, externalId: '', notes: '' };
      const { visibleId } = await call('POST', '/documents/create/receipt', body);
      expect(await call('GET', `/documents/id/${visibleId as string}`)).toMatchObject({
        externalId: null,
        notes: null,
        payments: [{ note: null }],
      });
    }
  });
});
