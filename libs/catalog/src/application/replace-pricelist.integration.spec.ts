import { randomInt, randomUUID } from 'node:crypto';
import { IdentityModule } from '@counterfoil/identity';
import { type Caller, Transactions } from '@counterfoil/kernel';
import { rowsOf, startTestContext, type TestContext, until } from '@counterfoil/test-harness';
import { CatalogModule } from '../catalog.module';
import type { PriceTier } from '../domain/price-tier';
import { ENTRIES_MAX, type PricelistEntry } from '../domain/pricelist';
import { aPricelistEntry } from '../testing/a-pricelist-entry';
import { givenCaller } from '../testing/given-caller';
import { type ListedEntry, PricelistReader } from './ports/pricelist.reader';
import { PricelistRepository } from './ports/pricelist.repository';
import { ReadPricelist } from './read-pricelist';
import { ReplacePricelist } from './replace-pricelist';

interface Vendor {
  readonly id: number;
  readonly visibleId: string;
}

describe('a pricelist', () => {
  let context: TestContext;
  let caller: Caller;
  let vendor: Vendor;
  let products: number[];

  beforeAll(async () => {
    context = await startTestContext([IdentityModule, CatalogModule]);
  });
  afterAll(() => context.close());
  beforeEach(async () => {
    caller = await givenCaller(context);
    vendor = await givenVendor(caller.companyId);
    products = await givenProducts(caller.companyId, 5);
  });

  async function givenVendor(companyId: number, isVendor = true): Promise<Vendor> {
    const visibleId = randomUUID();
    const [row] = await context.database.query<{ id: string }>(
      `insert into entities (visible_id, company_id, is_client, is_vendor, name, tax_id, type, created_at, updated_at)
       values ($1, $2, $3, $4, 'Paper Ltd', '1', 'COMPANY', now(), now()) returning id`,
      [visibleId, companyId, !isVendor, isVendor],
    );
    return { id: Number(row!.id), visibleId };
  }

  async function givenProducts(companyId: number, count: number): Promise<number[]> {
    const rows = await context.database.query<{ id: string }>(
      `insert into products (visible_id, company_id, name, sku, is_active, created_at, updated_at)
       select gen_random_uuid(), $1, 'Product ' || n, 'SKU-' || n, true, now(), now()
         from generate_series(1, $2::bigint) n returning id`,
      [companyId, count],
    );
    return rows.map(({ id }) => Number(id));
  }

  const replace = (entries: readonly unknown[], { visibleId } = vendor, as = caller) =>
    context.get(ReplacePricelist).execute(as, visibleId, entries);
  const read = async (as = caller, { visibleId } = vendor) =>
    rowsOf(await context.get(ReadPricelist).listEntries(as, { visibleId }));
  const entry = (place: number, changes: Partial<PricelistEntry> = {}) =>
    aPricelistEntry({ productId: products[place]!, ...changes });
  const priced = (place: number, buyingPrice: number) => entry(place, { pricingMode: 'fixed', buyingPrice });
  const pricingOf = (entries: readonly ListedEntry[]) =>
    entries.map(({ productId, buyingPrice }) => [products.indexOf(productId), buyingPrice]);

  /** The physical position (ctid) of each row. It changes when the row is written again. */
  const places = async () =>
    new Map(
      (
        await context.database.query<{ product_id: string; place: string }>(
          'select product_id, ctid::text as place from pricelist_entries where entity_id = $1',
          [vendor.id],
        )
      ).map((row) => [Number(row.product_id), row.place]),
    );

  it('is written and read for its own company alone, even by the repository itself', async () => {
    await replace([priced(0, 1)]);
    const stranger = await givenCaller(context);
    const repository = context.get(PricelistRepository);
    await context
      .get(Transactions)
      .run((tx) => repository.replace(tx, stranger.companyId, vendor.id, [priced(1, 2)]));
    expect(pricingOf(await read())).toEqual([[0, 1]]);
    expect(await rowsOf(context.get(PricelistReader).listEntries(stranger.companyId, vendor.id))).toEqual([]);
  });

  it('equals the last list sent, in its order', async () => {
    expect(await replace([priced(2, 1), priced(0, 2), priced(1, 3)])).toBe(3);
    expect(pricingOf(await read())).toEqual([
      [2, 1],
      [0, 2],
      [1, 3],
    ]);
    expect(await replace([priced(1, 3), priced(3, 4)])).toBe(2);
    expect(pricingOf(await read())).toEqual([
      [1, 3],
      [3, 4],
    ]);
    expect(await replace([])).toBe(0);
    expect(await read()).toEqual([]);
  });

  it('keeps the id of an entry while its product stays, and does not write unchanged entries', async () => {
    const tiers: PriceTier[] = [{ from: 1, to: 2.5, tierType: 'percent', discountPercent: 10 }];
    const tiered = entry(1, { pricingMode: 'tiers', tiersMode: 'range', priceTiers: tiers, buyingPrice: 3 });
    await replace([priced(0, 1), tiered, priced(2, 1)]);
    const [before, placesBefore] = [await read(), await places()];
    await replace([priced(0, 1), tiered, priced(2, 1.5), priced(3, 1)]);
    const [after, placesAfter] = [await read(), await places()];
    expect(after.slice(0, 3).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after[1]).toEqual(before[1]);
    const same = (place: number) => placesAfter.get(products[place]!) === placesBefore.get(products[place]!);
    expect([same(0), same(1), same(2)]).toEqual([true, true, false]);
    await replace(await read());
    expect(await read()).toEqual(after);
    expect(await places()).toEqual(placesAfter);
  });

  it('returns each of 120,000 amounts exactly (contract §1.3)', async () => {
    const ids = await givenProducts(caller.companyId, ENTRIES_MAX);
    const amount = () => randomInt(1, 99_999_999_999_999) / 10_000;
    const percent = () => randomInt(0, 1_000_000) / 10_000;
    const tiers = (): PriceTier[] => {
      const bounds = Array.from({ length: 6 }, amount).sort((one, other) => one - other);
      const between = (place: number) => ({ from: bounds[place]!, to: bounds[place + 1]! });
      return [
        { ...between(0), tierType: 'fixed', price: amount() },
        { ...between(2), tierType: 'amount', discountAmount: amount() },
        { ...between(4), tierType: 'percent', discountPercent: percent() },
      ];
    };
    const sent = ids.map((productId) =>
      aPricelistEntry({
        productId,
        pricingMode: 'tiers',
        buyingPrice: amount(),
        priceTiers: tiers(),
        tiersMode: 'range',
        quantityStep: amount(),
        quantityStepPrice: amount(),
      }),
    );
    expect(await replace(sent)).toBe(ENTRIES_MAX);
    expect((await read()).map(sentAs)).toEqual(sent);
  });

  it('cannot be changed or read by another company', async () => {
    await replace([priced(0, 1)]);
    const stranger = await givenCaller(context, 'Another');
    const notFound = { code: 'NOT_FOUND' };
    await expect(replace([], vendor, stranger)).rejects.toMatchObject(notFound);
    await expect(read(stranger)).rejects.toMatchObject(notFound);
    const query = { productId: products[0]!, quantity: 1 };
    const quote = (as: Caller) => context.get(ReadPricelist).quote(as, { id: vendor.id }, query);
    await expect(quote(stranger)).rejects.toMatchObject(notFound);
    const theirVendor = await givenVendor(stranger.companyId);
    await expect(
      context.get(ReadPricelist).quote(stranger, { id: theirVendor.id }, query),
    ).rejects.toMatchObject(notFound);
    await expect(replace([priced(0, 2)], theirVendor, stranger)).rejects.toMatchObject({
      code: 'INVALID_PRICELIST',
      details: [{ field: 'entries[0].productId' }],
    });
    expect(pricingOf(await read())).toEqual([[0, 1]]);
    expect(await quote(caller)).toMatchObject({ unitPrice: 1, source: 'FIXED' });
  });

  it('exists for vendors, not for clients', async () => {
    const client = await givenVendor(caller.companyId, false);
    await expect(replace([], client)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(read(caller, client)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('hides and does not quote inactive products, but keeps their entries', async () => {
    await replace([priced(0, 1), priced(1, 2)]);
    const [hidden, shown] = await read();
    const setActive = (isActive: boolean) =>
      context.database.query('update products set is_active = $2 where id = $1', [products[0], isActive]);
    await setActive(false);
    expect(await read()).toEqual([shown]);
    const quote = await context
      .get(ReadPricelist)
      .quote(caller, { id: vendor.id }, { productId: products[0]!, quantity: 1 });
    expect(quote).toMatchObject({ unitPrice: null, source: 'NOT_LISTED' });
    await setActive(true);
    expect(await read()).toEqual([hidden, shown]);
  });

  it('is unchanged by a refused replace', async () => {
    await replace([priced(0, 1), priced(1, 2)]);
    const before = await read();
    const wrong: [entries: unknown[], field: string][] = [
      [[priced(2, 1), priced(0, -1)], 'entries[1].buyingPrice'],
      [[priced(2, 1), priced(2, 2)], 'entries[1].productId'],
      [[priced(2, 1), { productId: 999_999_999, pricingMode: 'default' }], 'entries[1].productId'],
      [
        [priced(2, 1), { productId: Number.MAX_SAFE_INTEGER, pricingMode: 'default' }],
        'entries[1].productId',
      ],
    ];
    for (const [entries, field] of wrong) {
      await expect(replace(entries)).rejects.toMatchObject({
        code: 'INVALID_PRICELIST',
        details: [{ field }],
      });
      expect(await read()).toEqual(before);
    }
  });

  it('waits for a concurrent replace and then replaces its result', async () => {
    await replace([priced(0, 1)]);
    const held = context.database.hold(
      `select pg_advisory_xact_lock(hashtextextended('pricelist', ${vendor.id}))`,
    );
    await held.ready;
    let outcome = 'waits';
    const replacing = replace([priced(1, 2)]).then((entries) => (outcome = `has ${entries}`));
    await until('the replace to wait', async () => {
      const [waiting] = await context.database.query<{ count: string }>(
        `select count(*) from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
      );
      return Number(waiting!.count) === 1;
    });
    const others = await givenVendor(caller.companyId);
    expect(await replace([priced(0, 1), priced(1, 1)], others)).toBe(2);
    expect(outcome).toBe('waits');
    await held.release();
    await replacing;
    expect(outcome).toBe('has 1');
    expect(pricingOf(await read())).toEqual([[1, 2]]);
  });

  it('is one of two concurrent replaces, never a mixture (contract §6.5)', async () => {
    const lists: PricelistEntry[][] = [
      [priced(0, 1), priced(1, 1), priced(2, 1)],
      [priced(1, 2), priced(2, 2), priced(3, 2), priced(4, 2)],
    ];
    for (let round = 0; round < 30; round++) {
      const counts = await Promise.all([...lists, ...lists].map((list) => replace(list)));
      expect(counts).toEqual([3, 4, 3, 4]);
      const left = pricingOf(await read());
      expect([lists[0], lists[1]].map((list) => pricingOf(list as unknown as ListedEntry[]))).toContainEqual(
        left,
      );
    }
  });
});

/** An entry without the fields of its product. */
function sentAs(listed: ListedEntry): PricelistEntry {
  const {
    productId,
    vendorSku,
    pricingMode,
    buyingPrice,
    priceTiers,
    tiersMode,
    quantityStep,
    quantityStepPrice,
  } = listed;
  return {
    productId,
    vendorSku,
    pricingMode,
    buyingPrice,
    priceTiers,
    tiersMode,
    quantityStep,
    quantityStepPrice,
  };
}
