import { expectError } from './error-body';
import { invalid, unknown } from './expected-errors';
import { api, key, type List, newCompany, serveStock } from './stock-calls';
import { IGNORED_WINDOWS } from './windows';
import { TIMESTAMP, UNKNOWN_ID } from './wire-values';

serveStock();

describe('GET /warehouses', () => {
  interface Warehouse {
    readonly id: number;
    readonly name: string;
  }
  const all = (query: string, by: string) =>
    api.ok<List<Warehouse>>('GET /warehouses', { at: `/warehouses?${query}`, key: by });
  const create = (body: object, by: string) => api.send('POST /warehouses/create', { body, key: by });

  it('is the whole set, oldest first, for any window', async () => {
    const own = await newCompany();
    const address = { street: 'Herzl', city: 'Haifa' };
    const { addressId } = await api.ok<{ addressId: number }>('POST /addresses/create', {
      body: address,
      key: own,
    });
    const names = Array.from({ length: 52 }, (_, n) => `מחסן ${52 - n}`);
    const ids: number[] = [];
    for (const [n, name] of names.entries()) {
      const answer = await create({ name, ...(n === 0 ? { addressId } : {}) }, own);
      expect(answer.status).toBe(201);
      const made = JSON.parse(answer.text) as { warehouseId: number };
      expect(made).toEqual({ success: true, warehouseId: expect.any(Number) });
      ids.push(made.warehouseId);
    }
    const whole = await all('', own);
    expect(whole).toEqual({
      data: names.map((name, n) => ({
        ...{ id: ids[n], name, addressId: n === 0 ? addressId : null },
        createdAt: expect.stringMatching(TIMESTAMP),
      })),
      pagination: {
        ...{ total: 52, limit: 52, offset: 0, hasMore: false, page: 1, pageSize: 52, totalPages: 1 },
      },
    });
    for (const query of IGNORED_WINDOWS) expect(await all(query, own)).toEqual(whole);
  });

  it('is empty without warehouses', async () => {
    const own = await newCompany();
    for (const query of ['', ...IGNORED_WINDOWS]) {
      expect(await all(query, own)).toEqual({
        data: [],
        pagination: { total: 0, limit: 0, offset: 0, hasMore: false, page: 1, pageSize: 0, totalPages: 0 },
      });
    }
  });

  it('addressId · of another company is UNKNOWN_REFERENCE, and nothing is created', async () => {
    const own = await newCompany();
    expectError(await create({ name: 'Main', addressId: UNKNOWN_ID }, own), unknown('addressId'));
    expect((await all('', own)).data).toEqual([]);
  });

  it.each(['x', '😀'.repeat(200), "'; drop table warehouses;--", ' שלום %_\\ '])(
    'name · %j is stored unchanged, and need not be unique',
    async (name) => {
      for (let count = 0; count < 2; count++) expect((await create({ name }, key)).status).toBe(201);
      const { data } = await all('', key);
      expect(data.slice(-2).map((one) => one.name)).toEqual([name, name]);
    },
  );

  it.each([undefined, null, '', '   ', 'x'.repeat(201), 5, ['x']])('name · %j is refused', async (name) => {
    expectError(await create({ name }, key), invalid('name'));
  });
});
