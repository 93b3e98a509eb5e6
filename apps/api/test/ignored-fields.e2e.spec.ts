import { DEMO_KEY, startApiService, type TestService } from '@counterfoil/test-harness';
import { API_ROUTES, type ApiRoute, examplePath } from './api-routes';
import { fieldsIn, type Schema, type Schemas, withField } from './body-fields';
import { type Answer, closeConnections, exchange } from './http-exchange';

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Schemas };
}

const STRICT = { prefer: 'handling=strict' };
const CLIENT = { taxId: '514000099', name: 'Acme Ltd', type: 'COMPANY' };

let service: TestService;
let description: Description;

beforeAll(async () => {
  service = await startApiService({ LOG_LEVEL: 'warn' });
  description = JSON.parse((await call('GET', '/openapi.json')).text) as Description;
});
afterAll(async () => {
  closeConnections();
  await service.stop();
});

const call = (
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  exchange(service.url, {
    method,
    path,
    headers: { authorization: `Bearer ${DEMO_KEY}`, ...headers },
    body: typeof body === 'object' ? JSON.stringify(body) : (body as string | undefined),
  });

const ignoredIn = ({ headers }: Answer): string => String(headers['ignored-fields'] ?? '');

const operationOf = ({ method, path }: ApiRoute): Operation =>
  description.paths[path]?.[method.toLowerCase()] ?? {};

const schemaOf = (route: ApiRoute): Schema | undefined =>
  operationOf(route).requestBody?.content['application/json']?.schema;

/** A query with every documented parameter. */
const knownQuery = (route: ApiRoute): string[] =>
  (operationOf(route).parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => `${name}=1`);

/** A body with every documented field. */
function knownBody(route: ApiRoute): object {
  const schema = schemaOf(route);
  if (!schema) return {};
  const schemas = description.components.schemas;
  const fields = new Set<string>();
  // A field with fields of its own is chosen by them.
  fieldsIn(schema, schemas, (field) => {
    const isLeaf = fieldsIn(
      schema,
      schemas,
      (other) => other.startsWith(`${field}.`) || other.startsWith(`${field}[0].`),
    );
    if (isLeaf.length === 0) fields.add(field);
    return false;
  });
  return [...fields].reduce<object>((body, field) => withField(body, field, 1), {});
}

const isUpload = ({ path }: ApiRoute): boolean => path === '/files/upload';
const takesBody = (route: ApiRoute): boolean => route.method !== 'GET' && !isUpload(route);

describe('every route', () => {
  it('names what it does not know, and only that, whatever it answers', async () => {
    for (const route of API_ROUTES.filter((one) => !isUpload(one))) {
      const query = [...knownQuery(route), '__nowhere=1'].join('&');
      const body = takesBody(route) ? { ...knownBody(route), __nobody: 1 } : undefined;
      const answer = await call(route.method, `${examplePath(route.path)}?${query}`, body);
      expect({ route, ignored: ignoredIn(answer) }).toEqual({
        route,
        ignored: body ? '__nowhere, __nobody' : '__nowhere',
      });
    }
  });

  it('names nothing without such fields', async () => {
    for (const route of API_ROUTES.filter((one) => !isUpload(one))) {
      const answer = await call(
        route.method,
        `${examplePath(route.path)}?${knownQuery(route).join('&')}`,
        takesBody(route) ? knownBody(route) : undefined,
      );
      expect({ route, headers: answer.headers }).toEqual({
        route,
        headers: expect.not.objectContaining({ 'ignored-fields': expect.anything() }) as object,
      });
    }
  });

  it('refuses them under Prefer: handling=strict', async () => {
    for (const route of API_ROUTES.filter((one) => !isUpload(one))) {
      const answer = await call(route.method, `${examplePath(route.path)}?__nowhere=1`, undefined, STRICT);
      expect({ route, status: answer.status }).toEqual({ route, status: 400 });
      expect(answer.headers['preference-applied']).toBe('handling=strict');
      expect(JSON.parse(answer.text)).toMatchObject({
        code: 'VALIDATION_FAILED',
        details: [{ field: '__nowhere' }],
      });
    }
  });
});

describe('ignored fields', () => {
  it('are named on a success, and take no effect', async () => {
    const answer = await call('POST', '/clients/create', {
      ...CLIENT,
      city: 'Haifa',
      contact: { mail: 'a' },
    });
    expect([answer.status, ignoredIn(answer)]).toEqual([400, 'city, contact.mail']);
    const created = await call('POST', '/clients/create', { ...CLIENT, city: 'Haifa' });
    expect([created.status, ignoredIn(created)]).toEqual([201, 'city']);
    expect(created.headers).not.toHaveProperty('preference-applied');
  });

  it('of items are named by their positions, beside the problems of the body', async () => {
    const item = { description: 'Work', unitPrice: 1, quantity: 1 };
    const body = { items: [item, { ...item, quantity: undefined, qty: 2 }] };
    const answer = await call('POST', '/documents/preview', body);
    expect(answer.status).toBe(400);
    expect(ignoredIn(answer)).toBe('items[1].qty');
    expect(answer.text).toContain('items[1].quantity');
  });

  it('are refused under Prefer: handling=strict before anything is created', async () => {
    const body = { ...CLIENT, taxId: '514000107', city: 'Haifa' };
    const refused = await call('POST', '/clients/create', body, STRICT);
    expect([refused.status, ignoredIn(refused)]).toEqual([400, 'city']);
    expect(refused.headers['preference-applied']).toBe('handling=strict');
    expect(JSON.parse(refused.text)).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'city' }],
    });
    const created = await call('POST', '/clients/create', { ...body, city: undefined }, STRICT);
    expect([created.status, ignoredIn(created)]).toEqual([201, '']);
    expect(created.headers['preference-applied']).toBe('handling=strict');
  });

  it('are named again on the answer to a repeated call, and leave a strict call free to be corrected', async () => {
    const key = { 'idempotency-key': 'ignored-1' };
    const body = { name: 'North', colour: 'red' };
    const strict = await call('POST', '/warehouses/create', body, { ...key, ...STRICT });
    expect(strict.status).toBe(400);
    const first = await call('POST', '/warehouses/create', body, key);
    const again = await call('POST', '/warehouses/create', body, key);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect([first, again].map(ignoredIn)).toEqual(['colour', 'colour']);
  });

  it('are counted no further than the header has room', async () => {
    const fields = Object.fromEntries(Array.from({ length: 9_000 }, (_, number) => [`field${number}`, 1]));
    const answer = await call('POST', '/clients/create', { ...CLIENT, taxId: '514000115', ...fields });
    expect(answer.status).toBe(201);
    expect(ignoredIn(answer).split(', ')).toHaveLength(21);
    expect(ignoredIn(answer).endsWith('field19, ...')).toBe(true);
    const strict = await call('POST', '/clients/create', fields, STRICT);
    expect((JSON.parse(strict.text) as { details: unknown[] }).details).toHaveLength(100);
  });

  it('of a query are named once, however often they come', async () => {
    const path = '/documents?limit=1&sort=a&sort=b&page=1&a%5Bb%5D=1&__proto__=1&constructor=1&%D7%A9=1';
    const answer = await call('GET', path);
    expect(answer.status).toBe(200);
    expect(ignoredIn(answer)).toBe('sort, a[b], __proto__, constructor, %D7%A9');
    const head = await call('HEAD', path);
    expect(ignoredIn(head)).toBe(ignoredIn(answer));
  });

  it.each([
    ['of a query', `/documents?${encodeURIComponent('a\r\nx-evil: 1')}=1`, 'a%0D%0Ax-evil%3A%201'],
    ['of a query that cannot be decoded', '/documents?%ff%fe=1&%=1', '%25ff%25fe, %25'],
  ])('with hostile names %s cannot add a header', async (_, path, expected) => {
    const answer = await call('GET', path);
    expect([answer.status, ignoredIn(answer)]).toEqual([200, expected]);
    expect(answer.headers).not.toHaveProperty('x-evil');
  });

  it('with hostile names in a body cannot add a header', async () => {
    const names = ['a\r\nx-evil: 1', 'ש', '', 'a,b', 'toString', '\u2028', 'x'.repeat(1_000)];
    const body = Object.fromEntries(names.map((name) => [name, 1]));
    const answer = await call('POST', '/clients/create', body);
    expect(answer.headers).not.toHaveProperty('x-evil');
    expect(ignoredIn(answer)).toBe(
      `a%0D%0Ax-evil%3A%201, %D7%A9, "", a%2Cb, toString, %E2%80%A8, ${'x'.repeat(100)}...`,
    );
  });

  it('do not include the fields of an object that may have any', async () => {
    const body = { name: 'Unpaid', filters: { anything: { at: 'all' } } };
    const answer = await call('POST', '/reports/documents/saved', body, STRICT);
    expect([answer.status, ignoredIn(answer)]).toEqual([201, '']);
  });

  it('include other parts of an upload', async () => {
    const upload = async (headers: Readonly<Record<string, string>>): Promise<Response> => {
      const form = new FormData();
      form.set('title', 'a receipt');
      form.set('file', new Blob(['some text']), 'a.txt');
      form.set('note\r\n', 'paid');
      const authorization = `Bearer ${DEMO_KEY}`;
      const url = `${service.url}/files/upload?folder=1`;
      return fetch(url, { method: 'POST', body: form, headers: { authorization, ...headers } });
    };
    const stored = await upload({});
    expect([stored.status, stored.headers.get('ignored-fields')]).toEqual([
      201,
      'folder, title, note%250D%250A',
    ]);
    const refused = await upload(STRICT);
    expect(refused.status).toBe(400);
    expect(refused.headers.get('preference-applied')).toBe('handling=strict');
  });

  it('are not named to a caller without a key', async () => {
    const answer = await call('GET', '/documents?sort=1', undefined, { authorization: 'Bearer sk_none' });
    expect([answer.status, ignoredIn(answer)]).toEqual([401, '']);
  });
});
