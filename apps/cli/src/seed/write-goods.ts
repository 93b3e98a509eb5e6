import { keys } from './existing';
import type { PlannedStock } from './stock';
import { forEachAtOnce, type SeedRun } from './seed-run';
import { type IdsByName, writeEach } from './write-parties';

export async function writeProducts(run: SeedRun): Promise<IdsByName> {
  const { client, existing, plan } = run;
  return writeEach(plan.products, ({ name, body }) =>
    run.ensure('products', name, existing.products.get(body.sku), async (options) => {
      const { productId: id, visibleId } = await client.products.create(body, options);
      return { id, visibleId };
    }),
  );
}

export async function writeGoods(run: SeedRun, vendors: IdsByName, products: IdsByName): Promise<void> {
  await writePricelists(run, vendors, products);
  await writeStock(run, products);
}

/** A list with entries was written by an earlier run, or changed since. */
async function writePricelists(run: SeedRun, vendors: IdsByName, products: IdsByName): Promise<void> {
  const { pricelists } = run.client;
  await forEachAtOnce(run.plan.pricelists, async ({ vendor, entries }) => {
    const { visibleId } = vendors.get(vendor)!;
    const written = await pricelists.get(visibleId);
    const body = {
      entries: entries.map(({ product, ...entry }) => ({ ...entry, productId: products.get(product)!.id })),
    };
    await run.settle('pricelists', written.entries.length > 0, (options) =>
      pricelists.replace(visibleId, body, options),
    );
  });
}

async function writeStock(run: SeedRun, products: IdsByName): Promise<void> {
  const { client, existing, plan } = run;
  const warehouses = new Map<string, number>();
  for (const name of plan.warehouses)
    warehouses.set(
      name,
      await run.ensure(
        'warehouses',
        String(warehouses.size),
        existing.warehouses.get(name),
        async (options) => {
          const { warehouseId } = await client.warehouses.create({ name }, options);
          return warehouseId;
        },
      ),
    );
  await forEachAtOnce(plan.stock, async (stock) => {
    const productId = products.get(stock.product)!.id;
    const warehouseId = warehouses.get(stock.warehouse)!;
    const known = existing.stock.get(keys.stock(productId, warehouseId));
    const { lowStockThreshold } = stock;
    const name = `${stock.product}/${plan.warehouses.indexOf(stock.warehouse)}`;
    const inventoryId = await run.ensure('stockRecords', name, known, async (options) => {
      const record = await client.stock.create({ productId, warehouseId, lowStockThreshold }, options);
      return record.inventoryId;
    });
    await writeMovements(run, { stock, inventoryId, name, warehouses });
  });
}

interface Record {
  readonly stock: PlannedStock;
  readonly inventoryId: number;
  readonly name: string;
  readonly warehouses: ReadonlyMap<string, number>;
}

/** One after the other, because goods must come in before they go out. */
async function writeMovements(run: SeedRun, { stock, inventoryId, name, warehouses }: Record): Promise<void> {
  for (const { target, ...move } of stock.movements) {
    const known = run.existing.movements.get(keys.movement(inventoryId, move));
    await run.ensure('movements', `${name}/${move.referenceId}`, known, async (options) => {
      const targetWarehouseId = target === undefined ? undefined : warehouses.get(target)!;
      const body = {
        ...move,
        inventoryId,
        ...(targetWarehouseId === undefined ? {} : { targetWarehouseId }),
      };
      const { movementId } = await run.client.stock.move(body, options);
      return movementId;
    });
  }
}
