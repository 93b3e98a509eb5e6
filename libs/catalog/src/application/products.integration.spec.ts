import { IdentityModule } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import { CatalogModule } from '../catalog.module';
import type { Product } from '../domain/product';
import { aProduct } from '../testing/a-product';
import { givenCaller } from '../testing/given-caller';
import { CreateProduct, type CreateProductInput } from './create-product';
import { EditProduct, type EditProductInput } from './edit-product';
import { ProductDirectory } from './ports/product-directory';
import { PRODUCT_SORTS, type ProductFilter, ProductReader, type ProductSort } from './ports/product.reader';

const UNKNOWN_UUID = '00000000-0000-4000-8000-000000000000';

let context: TestContext;
let caller: Caller;
beforeAll(async () => {
  context = await startTestContext([CatalogModule, IdentityModule]);
  caller = await givenCaller(context);
});
afterAll(() => context.close());

const create = (changes: Partial<CreateProductInput> = {}, by = caller) =>
  context.get(CreateProduct).execute(by, aProduct(changes));
const edit = (visibleId: string, changes: EditProductInput, by = caller) =>
  context.get(EditProduct).execute(by, visibleId, changes);
const reader = () => context.get(ProductReader);

async function read(id: number): Promise<Product> {
  const found = await reader().find(caller.companyId, { id });
  if (!found) throw new Error(`no product ${id}`);
  return found;
}

async function serialsOf(id: number): Promise<[id: number, serialNumber: string][]> {
  const serials = (await reader().listSerials(caller.companyId, { id })) ?? [];
  for (const { productId } of serials) expect(productId).toBe(id);
  return serials.map((serial) => [serial.id, serial.serialNumber]);
}

describe('a product', () => {
  it('reads back as created, by either id', async () => {
    const details = {
      name: 'נייר צילום',
      sku: 'N-1',
      manufacturerSku: '100%_\\',
      unit: 'box',
      buyingPrice: 9_999_999_999.9999,
      sellingPrice: 0.0001,
      isActive: false,
    };
    const { id, visibleId } = await create(details);
    const product = await read(id);
    expect(product).toEqual({
      ...details,
      id,
      visibleId,
      companyId: caller.companyId,
      createdAt: expect.any(Date),
      updatedAt: product.createdAt,
    });
    expect(await reader().find(caller.companyId, { visibleId })).toEqual(product);
  });

  it('keeps fields that an edit leaves out, and clears those set to null', async () => {
    const { id, visibleId } = await create({ unit: 'box', buyingPrice: 1.5, serials: ['A'] });
    const before = await read(id);
    await edit(visibleId, { unit: null, sellingPrice: 2 });
    const after = await read(id);
    expect(after).toEqual({ ...before, unit: null, sellingPrice: 2, updatedAt: after.updatedAt });
    expect(after.updatedAt.getTime()).toBeGreaterThanOrEqual(before.updatedAt.getTime());
    expect((await serialsOf(id)).map(([, serial]) => serial)).toEqual(['A']);
    await edit(visibleId, {});
    expect({ ...(await read(id)), updatedAt: 0 }).toEqual({ ...after, updatedAt: 0 });
  });

  it('keeps the changes of all concurrent edits', async () => {
    const { id, visibleId } = await create();
    const changes: EditProductInput[] = [
      { name: 'New name' },
      { sku: 'NEW' },
      { unit: 'kg' },
      { buyingPrice: 1 },
      { sellingPrice: 2 },
      { isActive: false },
      { manufacturerSku: 'M' },
      { serials: ['S'] },
    ];
    await Promise.all(changes.map((change) => edit(visibleId, change)));
    const { serials: _, ...expected } = Object.assign({}, ...changes) as CreateProductInput;
    expect(await read(id)).toMatchObject(expected);
    expect((await serialsOf(id)).map(([, serial]) => serial)).toEqual(['S']);
  });

  it('cannot be read, edited or found by another company', async () => {
    const { id, visibleId } = await create({ serials: ['A'] });
    const stranger = await givenCaller(context, 'Another');
    for (const key of [{ id }, { visibleId }]) {
      expect(await reader().find(stranger.companyId, key)).toBeNull();
      expect(await reader().listSerials(stranger.companyId, key)).toBeNull();
    }
    const before = await read(id);
    for (const changes of [{ name: 'Theirs' }, { serials: [] }, {}]) {
      await expect(edit(visibleId, changes, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await read(id)).toEqual(before);
    expect(await serialsOf(id)).toHaveLength(1);
    const { pagination } = await reader().list(
      stranger.companyId,
      {},
      { by: 'id', descending: false },
      { limit: 50, offset: 0 },
    );
    expect(pagination.total).toBe(0);
  });

  it('cannot be edited when it is unknown', async () => {
    await expect(edit(UNKNOWN_UUID, { name: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('serial numbers', () => {
  it('are replaced by an edit, and those that stay keep their ids', async () => {
    const { id, visibleId } = await create({ serials: ['C', 'A', 'B'] });
    const first = await serialsOf(id);
    expect(first.map(([, serial]) => serial)).toEqual(['C', 'A', 'B']);

    await edit(visibleId, { serials: ['D', 'B', 'a', 'C'] });
    const second = await serialsOf(id);
    expect(second.map(([, serial]) => serial)).toEqual(['C', 'B', 'D', 'a']);
    expect(second.slice(0, 2)).toEqual([first[0], first[2]]);

    await edit(visibleId, { serials: [] });
    expect(await serialsOf(id)).toEqual([]);
    // A serial number that returns gets a new id.
    await edit(visibleId, { serials: ['C'] });
    expect((await serialsOf(id))[0]![0]).toBeGreaterThan(second[3]![0]);
  });

  it('may repeat those of another product', async () => {
    await create({ serials: ['SHARED'] });
    const { id } = await create({ serials: ['SHARED'] });
    expect(await serialsOf(id)).toHaveLength(1);
  });

  it('are not stored by a refused create or edit', async () => {
    const { id, visibleId } = await create({ serials: ['A'] });
    const total = await countOf('products');
    const refusal = { code: 'VALIDATION_FAILED', details: [{ field: 'serials[1]' }] };
    await expect(create({ serials: ['B', 'B'] })).rejects.toMatchObject(refusal);
    await expect(edit(visibleId, { name: 'x', serials: ['B', ' '] })).rejects.toMatchObject(refusal);
    expect(await countOf('products')).toBe(total);
    expect((await read(id)).name).toBe('Copier paper');
    expect((await serialsOf(id)).map(([, serial]) => serial)).toEqual(['A']);
  });

  it('come from one of two concurrent replacements, never a mixture', async () => {
    const { id, visibleId } = await create({ serials: ['0', '1'] });
    const sets = [
      ['1', '2', '3'],
      ['0', '3', '4', '5'],
      ['2', '0'],
    ];
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(sets.map((serials) => edit(visibleId, { serials })));
      const found = (await serialsOf(id)).map(([, serial]) => serial).sort();
      expect(sets.map((serials) => [...serials].sort())).toContainEqual(found);
    }
  });

  it('can be replaced by five thousand at once', async () => {
    const numbered = (from: number) => Array.from({ length: 5_000 }, (_, n) => `S-${from + n}`);
    const { id, visibleId } = await create({ serials: numbered(0) });
    await edit(visibleId, { serials: numbered(2_500) });
    const serials = await serialsOf(id);
    expect(serials.map(([, serial]) => serial)).toEqual(numbered(2_500));
    expect(serials.map(([serialId]) => serialId)).toEqual(
      serials.map(([serialId]) => serialId).sort((a, b) => a - b),
    );
  });

  async function countOf(table: string): Promise<number> {
    const [row] = await context.database.query<{ n: number }>(`select count(*)::int as n from ${table}`);
    return row?.n ?? 0;
  }
});

describe('the directory', () => {
  it('returns the ids that name no product of the company', async () => {
    const stranger = await givenCaller(context, 'Another');
    const [own, inactive, theirs] = [
      await create(),
      await create({ isActive: false }),
      await create({}, stranger),
    ];
    const directory = context.get(ProductDirectory);
    const findUnknown = async (...ids: number[]) => [
      ...(await directory.findUnknownIds(caller.companyId, ids)),
    ];
    expect(await findUnknown()).toEqual([]);
    expect(await findUnknown(own.id, inactive.id, own.id)).toEqual([]);
    expect(await findUnknown(own.id, theirs.id, 999_999, Number.MAX_SAFE_INTEGER, 999_999)).toEqual([
      theirs.id,
      999_999,
      Number.MAX_SAFE_INTEGER,
    ]);
  });
});

describe('the list', () => {
  let owner: Caller;
  let all: Product[];

  beforeAll(async () => {
    owner = await givenCaller(context, 'With a list');
    const rows: Partial<CreateProductInput>[] = [
      { name: 'Copier paper A4', sku: 'PAPER-A4', manufacturerSku: 'XRX-80' },
      { name: 'copier PAPER a3', sku: 'paper-a3', isActive: false },
      { name: 'נייר צילום', sku: 'נ-1', manufacturerSku: 'גליל' },
      { name: '100% cotton', sku: 'A_B', manufacturerSku: 'C\\D' },
      { name: '100 cotton', sku: 'AxB', manufacturerSku: 'CD' },
      { name: 'same', sku: 'same' },
      { name: 'Same', sku: 'SAME', isActive: false },
      { name: 'SAME', sku: 'Same' },
      { name: 'Quote\'s "x"; drop', sku: '😀-1' },
    ];
    for (const row of rows) await create(row, owner);
    all = [...(await list({}, { by: 'id', descending: false })).data];
    expect(all).toHaveLength(rows.length);
    await create({ name: 'Copier paper of another company' }, await givenCaller(context, 'Another'));
  });

  const list = (filter: ProductFilter, sort: ProductSort, limit = 200, offset = 0) =>
    reader().list(owner.companyId, filter, sort, { limit, offset });

  const searches = [
    'paper',
    'PAPER',
    'pa',
    'P',
    'apex',
    'A4',
    'נייר',
    'ליל',
    'נ',
    '100%',
    '%',
    '100% c',
    'A_B',
    '_',
    'C\\D',
    '\\',
    'same',
    'XRX-80',
    '  paper  ',
    '   ',
    '',
    'per A',
    "quote's",
    '"x"; DROP',
    '😀',
    '😀-1',
    'r צ',
    'paperX',
    'a4paper',
  ];
  const finds = ({ search = '', isActive }: ProductFilter, product: Product) => {
    const texts = [product.name, product.sku, product.manufacturerSku ?? ''];
    const term = search.trim().toLowerCase();
    return (
      (isActive === undefined || product.isActive === isActive) &&
      texts.some((text) => text.toLowerCase().includes(term))
    );
  };

  it.each(searches)('finds exactly the products that contain %j, case-insensitively', async (search) => {
    for (const isActive of [undefined, true, false]) {
      const filter = { search, isActive };
      const { data, pagination } = await list(filter, { by: 'id', descending: false });
      expect(data).toEqual(all.filter((product) => finds(filter, product)));
      expect(pagination.total).toBe(data.length);
    }
  });

  const keyOf = { id: () => '', name: (p: Product) => p.name, sku: (p: Product) => p.sku };
  const sorts = PRODUCT_SORTS.flatMap((by) => [false, true].map((descending) => ({ by, descending })));

  it.each(sorts)(
    'is sorted by $by (descending: $descending), equal ones by id, on every page',
    async (sort) => {
      const order = (a: Product, b: Product) => {
        const [x, y] = [keyOf[sort.by](a).toLowerCase(), keyOf[sort.by](b).toLowerCase()];
        return (x === y ? a.id - b.id : x < y ? -1 : 1) * (sort.descending ? -1 : 1);
      };
      // Only ASCII, since the order of other letters depends on the database.
      const ascii = /^[\x20-\x7e]*$/;
      const plain = (products: readonly Product[]) =>
        products.filter(({ name, sku }) => ascii.test(name) && ascii.test(sku));
      for (const search of ['', 'am', 'same', 'cotton']) {
        const whole = (await list({ search }, sort)).data;
        expect(plain(whole)).toEqual(plain(all.filter((one) => finds({ search }, one))).sort(order));
        const paged: Product[] = [];
        for (let offset = 0; offset < whole.length + 2; offset += 2) {
          const page = await list({ search }, sort, 2, offset);
          expect(page.pagination).toMatchObject({ total: whole.length, limit: 2, offset });
          paged.push(...page.data);
        }
        expect(paged).toEqual(whole);
      }
    },
  );

  it('finds a product by its edited texts, not by the old ones', async () => {
    const { visibleId } = await create({ name: 'Before', sku: 'X' }, owner);
    await edit(visibleId, { name: 'After', manufacturerSku: 'MMM' }, owner);
    const names = async (search: string) =>
      (await list({ search }, { by: 'id', descending: false })).data.map(({ name }) => name);
    expect(await names('before')).toEqual([]);
    expect(await names('after')).toEqual(['After']);
    expect(await names('mmm')).toEqual(['After']);
  });

  it('has rows and total from one snapshot while products are created', async () => {
    const busy = await givenCaller(context, 'Busy');
    const making = Promise.all(Array.from({ length: 60 }, () => create({}, busy)));
    let last = 0;
    for (let reads = 0; reads < 40; reads += 1) {
      for (const search of [undefined, 'paper']) {
        const sort = { by: 'id', descending: true } as const;
        const { data, pagination } = await reader().list(busy.companyId, { search }, sort, {
          limit: 200,
          offset: 0,
        });
        expect(data).toHaveLength(pagination.total);
        expect(pagination.total).toBeGreaterThanOrEqual(last);
        last = pagination.total;
      }
    }
    await making;
  });
});
