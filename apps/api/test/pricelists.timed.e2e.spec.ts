import { DEMO_KEY, startApiService, type TestService } from '@counterfoil/test-harness';
import { closeConnections, exchange } from './http-exchange';
import { givenProducts, pathOf } from './pricelist-data';

const ENTRIES = 10_000;
const VENDOR = { name: 'Paper Ltd', taxId: '1', type: 'COMPANY' };

let service: TestService;
beforeAll(async () => {
  service = await startApiService();
});
afterAll(async () => {
  closeConnections();
  await service.stop();
});

it('replaces 10,000 entries, half of them with tiers, within a second', async () => {
  const [demo] = await service.database.query<{ id: number }>(
    'select id::int from companies order by id limit 1',
  );
  const products = await givenProducts(service.database, demo!.id, ENTRIES);
  const listOf = (price: number) =>
    products.map(({ id }, index) => ({
      productId: id,
      vendorSku: `V-${index}`,
      ...(index % 2 === 0
        ? { pricingMode: 'fixed', buyingPrice: (price * 100 + index) / 100 }
        : {
            pricingMode: 'tiers',
            priceTiers: [1, 11, 21].map((from) => fixedTier(from, from + 9.5, price + from)),
          }),
    }));
  const vendors = [];
  for (let count = 0; count < 3; count++) {
    const made = await service.request<{ vendorId: number; visibleId: string }>(
      'POST',
      '/vendors/create',
      VENDOR,
    );
    vendors.push(made.body);
  }
  const timesMs: number[] = [];
  // First into empty lists, then into a full one.
  for (const vendor of [...vendors, vendors[0]!]) {
    const body = JSON.stringify({ entries: listOf(vendor.vendorId + timesMs.length) });
    const started = performance.now();
    const answer = await send('PUT', pathOf(vendor), body);
    timesMs.push(performance.now() - started);
    expect(answer).toMatchObject({ status: 200, text: '{"success":true,"entries":10000}' });
  }
  const stored = JSON.parse((await send('GET', pathOf(vendors[2]!))).text) as { entries: unknown[] };
  expect(stored.entries).toHaveLength(ENTRIES);
  // The fastest run counts, because others may be slowed down by other load.
  expect(Math.min(...timesMs)).toBeLessThan(1_000);
});

const fixedTier = (from: number, to: number, price: number) => ({ from, to, tierType: 'fixed', price });

const send = (method: string, path: string, body?: string) =>
  exchange(service.url, { method, path, headers: { authorization: `Bearer ${DEMO_KEY}` }, body });
