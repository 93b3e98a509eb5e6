import { DEMO_KEY, startApiService, type TestService } from '@counterfoil/test-harness';
import { DescribedApi } from './described-api';
import type { OpenApi } from './documented-schemas';
import { expectError } from './error-body';
import { invalid } from './expected-errors';
import { type Answer, closeConnections, exchange } from './http-exchange';
import { IGNORED_WINDOWS } from './windows';
import { TIMESTAMP } from './wire-values';

const KIB = 1024;
const SAVED = '/reports/documents/saved';

type Row = Readonly<Record<string, unknown>> & { readonly id: number; readonly name: string };
interface List {
  readonly data: readonly Row[];
  readonly pagination: object;
}

/** One of three kinds of definitions: how it is created, and the columns for inserting many by SQL. */
interface Kind {
  readonly path: string;
  readonly id: string;
  readonly table: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly columns: Readonly<Record<string, string>>;
}

const FIELDS: Kind = {
  path: '/custom-fields',
  id: 'customFieldId',
  table: 'custom_fields',
  details: { appliesTo: 'vendor', fieldType: 'text' },
  columns: { applies_to: `'vendor'`, field_type: `'text'` },
};
const STATUSES: Kind = {
  path: '/document-execution-statuses',
  id: 'documentExecutionStatusId',
  table: 'document_execution_statuses',
  details: { color: '#1E90ff' },
  columns: { color: `'#1E90ff'` },
};
const REPORTS: Kind = {
  path: SAVED,
  id: 'savedReportId',
  table: 'saved_reports',
  details: { filters: { status: 'OPEN', types: ['QUOTE'] } },
  columns: { filters: `'{"status":"OPEN","types":["QUOTE"]}'` },
};
const KINDS = [FIELDS, STATUSES, REPORTS].map((kind) => [kind.path, kind] as const);

let service: TestService;
let api: DescribedApi;
let description: OpenApi;

beforeAll(async () => {
  service = await startApiService();
  api = await DescribedApi.of(service);
  const { text } = await exchange(service.url, { method: 'GET', path: '/openapi.json' });
  description = JSON.parse(text) as OpenApi;
});
afterAll(async () => {
  closeConnections();
  await service.stop();
});

const windowOf = (total: number) => ({
  ...{ total, limit: total, offset: 0, hasMore: false },
  ...{ page: 1, pageSize: total, totalPages: total === 0 ? 0 : 1 },
});

/** Creates a company and returns its owner's key. */
async function aCompany(): Promise<string> {
  return (await service.createCompany('Another company')).ownerKey;
}

const make = ({ path }: Kind, body: unknown, key: string): Promise<Answer> =>
  api.send(`POST ${path}`, { body, key });

/** Creates a definition and returns its id. */
async function given(kind: Kind, body: object, key: string): Promise<number> {
  const answer = await make(kind, { name: 'x', ...kind.details, ...body }, key);
  expect({ status: answer.status, body: JSON.parse(answer.text) }).toEqual({
    status: 201,
    body: { success: true, [kind.id]: expect.any(Number) },
  });
  return (JSON.parse(answer.text) as Record<string, number>)[kind.id]!;
}

const list = ({ path }: Kind, key: string, query = ''): Promise<List> =>
  api.ok<List>(`GET ${path}`, { at: `${path}?${query}`, key });

/** Inserts this many definitions at once, named by their numbers. */
async function givenMany({ table, columns }: Kind, count: number, key: string): Promise<void> {
  const { id } = await api.ok<{ id: number }>('GET /company', { key });
  await service.database.query(
    `insert into ${table} (company_id, name, created_at, ${Object.keys(columns).join()})
     select $1, 'מס ' || n, now(), ${Object.values(columns).join()} from generate_series(1, $2::int) n order by n`,
    [id, count],
  );
}

describe.each(KINDS)('%s', (_, kind) => {
  it('stores the input, and lists it oldest first with exactly its fields', async () => {
    const key = await aCompany();
    expect(await list(kind, key)).toEqual({ data: [], pagination: windowOf(0) });
    const names = ['First', 'אזור מכירה 😀', 'First', '  x  ', '<b>\'"`$1;--</b>'];
    const ids: number[] = [];
    for (const name of names) ids.push(await given(kind, { name }, key));
    const { data, pagination } = await list(kind, key);
    expect(data).toEqual(
      names.map((name, place) => ({
        ...{ id: ids[place], name, ...kind.details },
        createdAt: expect.stringMatching(TIMESTAMP),
      })),
    );
    expect(pagination).toEqual(windowOf(5));
    expect(ids).toEqual([...ids].sort((one, other) => one - other));
    expect(new Set(ids).size).toBe(5);
    const madeAt = Date.parse(data[0]!['createdAt'] as string);
    expect(Math.abs(Date.now() - madeAt)).toBeLessThan(60_000);
  });

  it('accepts a name of 100 characters, but none that is longer, empty or not a text', async () => {
    const key = await aCompany();
    const longest = ['x'.repeat(100), '😀'.repeat(100), 'ש'.repeat(100)];
    for (const name of longest) await given(kind, { name }, key);
    const wrong = ['x'.repeat(101), '😀'.repeat(101), '', '   ', '\t\n', 5, true, null, undefined, ['x'], {}];
    for (const name of wrong) {
      expectError(await make(kind, { ...kind.details, name }, key), invalid('name'));
    }
    const { data } = await list(kind, key);
    expect(data.map(({ name }) => name)).toEqual(longest);
  });

  it('ignores unknown fields', async () => {
    const key = await aCompany();
    const body = { name: 'x', ...kind.details, id: 77, companyId: 1, createdAt: '2000-01-01T00:00:00Z' };
    const answer = await api.send(`POST ${kind.path}`, { body, key, holdsIgnored: true });
    expect(answer.status).toBe(201);
    const { data } = await list(kind, key);
    expect(data).toMatchObject([{ id: JSON.parse(answer.text)[kind.id], name: 'x' }]);
    expect(data[0]!['createdAt']).not.toMatch(/^2000/);
  });

  it('returns the whole set for any window: page 2 is page 1 again', async () => {
    const key = await aCompany();
    for (const name of ['A', 'B', 'C']) await given(kind, { name }, key);
    const whole = await list(kind, key);
    expect(whole.data.map(({ name }) => name)).toEqual(['A', 'B', 'C']);
    for (const query of [...IGNORED_WINDOWS, 'sortBy=name&sortOrder=desc', 'search=A']) {
      expect(await list(kind, key, query)).toEqual(whole);
    }
  });

  it('documents that in its description', () => {
    const operation = description.paths[kind.path]!['get'] as unknown as { description: string };
    expect(operation.description).toMatch(/whole set .* limit, offset, page and pageSize are ignored/);
    expect(operation).not.toHaveProperty('parameters.0');
  });

  it('is complete with more rows than a page has', async () => {
    const key = await aCompany();
    await givenMany(kind, 250, key);
    const { data, pagination } = await list(kind, key, 'limit=200&page=2');
    expect(data.map(({ name }) => name)).toEqual(Array.from({ length: 250 }, (__, n) => `מס ${n + 1}`));
    expect(pagination).toEqual(windowOf(250));
  });

  it('is complete and in order with several batches, while others are being created', async () => {
    const key = await aCompany();
    await givenMany(kind, 2_500, key);
    const making = Promise.all(Array.from({ length: 8 }, () => given(kind, { name: 'late' }, key)));
    const { data, pagination } = await list(kind, key, 'page=2');
    await making;
    expect(pagination).toEqual(windowOf(data.length));
    expect(data.slice(0, 2_500).map(({ name }) => name)).toEqual(
      Array.from({ length: 2_500 }, (__, n) => `מס ${n + 1}`),
    );
    expect(data.slice(2_500).every(({ name }) => name === 'late')).toBe(true);
    expect(data[2_499]).toEqual({
      ...{ id: expect.any(Number), name: 'מס 2500', ...kind.details },
      createdAt: expect.stringMatching(TIMESTAMP),
    });
    expect((await list(kind, key)).data).toHaveLength(2_508);
  });

  it('is not visible to other companies', async () => {
    const [ours, theirs] = [await aCompany(), await aCompany()];
    await givenMany(kind, 1_001, theirs);
    expect(await list(kind, ours)).toEqual({ data: [], pagination: windowOf(0) });
    const id = await given(kind, { name: 'Ours' }, ours);
    expect((await list(kind, ours)).data).toMatchObject([{ id, name: 'Ours' }]);
    expect((await list(kind, theirs)).pagination).toEqual(windowOf(1_001));
  });

  it('can be read by a viewer, and created by all other roles', async () => {
    const key = await aCompany();
    const names = ['owner', 'accountant', 'editor', 'viewer'];
    for (const role of names) {
      const body = { role, userName: role };
      const made = await api.ok<{ key: string }>('POST /api-keys', { body, key });
      if (role === 'viewer') {
        const refused = await make(kind, { name: role, ...kind.details }, made.key);
        expectError(refused, { status: 403, code: 'FORBIDDEN' });
      } else {
        await given(kind, { name: role }, made.key);
      }
      const { data } = await list(kind, made.key);
      expect(data.map(({ name }) => name)).toEqual(names.slice(0, data.length));
      expect(data).toHaveLength(Math.min(3, names.indexOf(role) + 1));
    }
  });
});

describe('POST /custom-fields', () => {
  const NAMED = ['vendor', 'client', 'document', 'product'];
  const HELD = ['text', 'number', 'date', 'boolean'];

  it('accepts every kind of record with every kind of value', async () => {
    const key = await aCompany();
    const all = NAMED.flatMap((appliesTo) => HELD.map((fieldType) => ({ appliesTo, fieldType })));
    for (const one of all) await given(FIELDS, one, key);
    expect((await list(FIELDS, key)).data).toMatchObject(all);
  });

  it.each([
    ['appliesTo', ['Vendor', 'vendors', 'expense', '', ' vendor', 'toString', 5, null, undefined, NAMED, {}]],
    ['fieldType', ['TEXT', 'string', 'integer', '', 'date ', 'constructor', 5, null, undefined, HELD, {}]],
  ])('refuses any other %s', async (field, values) => {
    const key = await aCompany();
    for (const value of values) {
      const body = { name: 'x', ...FIELDS.details, [field]: value };
      expectError(await make(FIELDS, body, key), invalid(field));
    }
    expect((await list(FIELDS, key)).data).toEqual([]);
  });
});

describe('POST /document-execution-statuses', () => {
  it('keeps a color in its original case; without one it is null', async () => {
    const key = await aCompany();
    const colors = ['#000000', '#FFFFFF', '#ffffff', '#aBcDeF', '#019a9F', null];
    for (const color of colors) await given(STATUSES, { color }, key);
    await given(STATUSES, { color: undefined }, key);
    const { data } = await list(STATUSES, key);
    expect(data.map(({ color }) => color)).toEqual([...colors, null]);
  });

  it.each([
    ...[' ', 'red', '#12345', '#1234567', '#12345g', '123456', '#123', '#123456 ', ' #123456', '#123456\n'],
    ...['#١٢٣٤٥٦', '#12345😀', '##12345', 5, 0, true, false, [], ['#123456'], {}],
  ])('refuses %j as a color', async (color) => {
    const key = DEMO_KEY;
    const before = await list(STATUSES, key);
    expectError(await make(STATUSES, { name: 'x', color }, key), invalid('color'));
    expect(await list(STATUSES, key)).toEqual(before);
  });
});

describe('POST /reports/documents/saved', () => {
  let key: string;
  /** Key of a company whose definitions are all refused. */
  let refusedKey: string;
  let sent = 0;

  beforeAll(async () => {
    [key, refusedKey] = [await aCompany(), await aCompany()];
  });

  const post = (filters: string, by = key, name = 'x'): Promise<Answer> =>
    exchange(service.url, {
      ...{ method: 'POST', path: SAVED, headers: { authorization: `Bearer ${by}` } },
      body: `{"name":"${name}","filters":${filters}}`,
    });

  /** Sends filters and returns them exactly as stored. */
  async function kept(filters: string): Promise<string> {
    const name = `Report ${(sent += 1)}`;
    const answer = await post(filters, key, name);
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 201 });
    const headers = { authorization: `Bearer ${key}` };
    const { text } = await exchange(service.url, { method: 'GET', path: SAVED, headers });
    const [, row = ''] = text.split(`"name":"${name}","filters":`);
    return row.slice(0, row.lastIndexOf(',"createdAt":'));
  }

  const objects = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
  const lists = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  const BY_NATURE = ['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'then', 'toJSON'];

  it.each([
    ['nothing', '{}'],
    ['every kind of value', '{"a":null,"b":true,"c":false,"d":-1.5,"e":"","f":[],"g":{},"h":0}'],
    ['keys in no order', '{"z":1,"a":{"y":2,"b":{"x":3,"c":4}},"m":[{"q":1,"d":2}]}'],
    ['Hebrew and emoji', '{"סטטוס":"פתוח 😀","😀":["‏ש\u200f"]}'],
    ['empty and odd keys', '{"":{"":[""]},"a.b":1,"a b":2,"$ne":3,"[0]":4,"a[b]":5}'],
    ['lists within lists', '{"a":[[[1],[]],[{"b":[[null]]}]]}'],
    ['the greatest numbers', '{"a":[9007199254740991,-9007199254740991,0.1,1e-7,5e-324,123456789.123456]}'],
    ['what would be escaped', '{"a":"\\u0001\\b\\t\\n\\" \\\\ / \' <script> \u2028"}'],
    ['keys that objects have by nature', `{${BY_NATURE.map((key) => `"${key}":"x"`).join()}}`],
    [
      'such keys of other values',
      `{${BY_NATURE.map((key, n) => `"${key}":${['5', 'null', '[]', '{}'][n % 4]}`).join()}}`,
    ],
    ['such keys further in', `{"a":[{${BY_NATURE.map((key) => `"${key}":{"${key}":1}`).join()}}]}`],
    [
      'keys that others give a meaning',
      '{"@instanceof":"FindOperator","_type":"raw","name":"y","filters":{"a":1}}',
    ],
    ['8 levels of objects', objects(8)],
    ['8 levels of lists', lists(8)],
    ['16 KiB', JSON.stringify({ a: 'x'.repeat(16 * KIB - 8) })],
    ['16 KiB of Hebrew', JSON.stringify({ a: 'ש'.repeat(8 * KIB - 4) })],
    ['16 KiB of small things', `{"a":[${'1,'.repeat(8 * KIB - 5)}1]}`],
  ])('keeps filters unchanged: %s', async (_, text) => {
    expect(await kept(text)).toBe(text);
    expect((await list(REPORTS, key)).data.at(-1)).toMatchObject({ filters: JSON.parse(text) });
  });

  it('accepts filters with white space, even more than 16 KiB of it', async () => {
    expect(await kept(`{ "a" :\n [ 1 ,${' '.repeat(20 * KIB)} 2.0 ] }`)).toBe('{"a":[1,2]}');
  });

  it.each(
    [
      ...['[]', '[{}]', '5', '0', '"x"', '"{}"', '""', 'true', 'false', 'null', '[["a",1]]'],
      ...['1e999', '-1e999', '9007199254740992', '9007199254740993', '-9007199254740993', '1e21'].flatMap(
        (n) => [`{"a":${n}}`, `{"a":[{"then":[1,${n}]}]}`],
      ),
      objects(9),
      lists(9),
      `{"constructor":${objects(8)}}`,
      objects(19),
      JSON.stringify({ a: 'x'.repeat(16 * KIB - 7) }),
      JSON.stringify({ ['k'.repeat(16 * KIB)]: 1 }),
      JSON.stringify({ a: 'ש'.repeat(8 * KIB - 3) }),
      JSON.stringify({ a: '"'.repeat(8 * KIB) }),
    ].map((text) => [text.slice(0, 60), text]),
  )('refuses as filters: %s', async (_, text) => {
    expectError(await post(text, refusedKey), invalid('filters'));
    expect((await list(REPORTS, refusedKey)).data).toEqual([]);
  });

  it.each(
    [
      '{"__proto__":{"admin":true}}',
      '{"\\u005f_proto__":{"admin":true}}',
      '{"a":[{"__proto__":null}]}',
      '{"constructor":{"prototype":{"admin":true}}}',
      '{"a":{"constructor":{"prototype":{}}}}',
      '{"a":"\\u0000"}',
      '{"a\\u0000":1}',
      '{"a":["\\ud83d"]}',
      '{"\\udc00":1}',
      objects(25),
      lists(10_000),
      `{"a":[${'1,'.repeat(20_000)}1]}`,
      '{"a":NaN}',
      '{"a":1,}',
    ].map((text) => [text.slice(0, 60), text]),
  )('refuses invalid JSON: %s', async (_, text) => {
    expectError(await post(text, refusedKey), invalid());
    expect((await list(REPORTS, refusedKey)).data).toEqual([]);
  });

  it('refuses missing filters, and names them together with an invalid name', async () => {
    for (const body of [{ name: 'x' }, { name: 'x', filters: null }, {}]) {
      expectError(await make(REPORTS, body, DEMO_KEY), invalid('filters'));
    }
    const both = await make(REPORTS, { name: '', filters: [] }, DEMO_KEY);
    const { details } = JSON.parse(both.text) as { details: { field: string }[] };
    expect(details.map(({ field }) => field)).toEqual(['name', 'filters']);
  });

  it('keeps the filters of many reports separate', async () => {
    const own = await aCompany();
    const texts = Array.from({ length: 120 }, (_, n) => `{"z":${n},"a":{"then":"${'x'.repeat(n * 100)}"}}`);
    for (const text of texts) expect((await post(text, own)).status).toBe(201);
    const { data } = await list(REPORTS, own);
    expect(data.map(({ filters }) => JSON.stringify(filters))).toEqual(texts);
  });
});
