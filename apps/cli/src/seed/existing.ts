import type { Counterfoil } from '@counterfoil/sdk';

/** An entity or a product, under both of its ids. */
export interface Ids {
  readonly id: number;
  readonly visibleId: string;
}

/** An issued document, with its total in agorot or cents. */
export interface Issued extends Ids {
  readonly total: number;
}

/**
 * The records of the company by their natural keys. Idempotency keys expire, but these do not, so a record is found
 * however long ago it was created.
 */
export interface Existing {
  readonly files: ReadonlyMap<string, number>;
  readonly manifests: ReadonlyMap<string, { readonly id: number; readonly fileName: string }>;
  readonly rates: ReadonlySet<string>;
  readonly addresses: ReadonlyMap<string, number>;
  readonly vendors: ReadonlyMap<string, Ids>;
  readonly clients: ReadonlyMap<string, Ids>;
  readonly products: ReadonlyMap<string, Ids>;
  readonly warehouses: ReadonlyMap<string, number>;
  readonly stock: ReadonlyMap<string, number>;
  readonly movements: ReadonlyMap<string, number>;
  readonly expenses: ReadonlyMap<string, number>;
  readonly purchases: ReadonlyMap<string, number>;
  readonly retainers: ReadonlyMap<string, number>;
  readonly documents: ReadonlyMap<string, Issued>;
  /** Retainers by the document that names them, also if they have ended. */
  readonly retainersOfDocuments: ReadonlyMap<string, number>;
  readonly webhooks: ReadonlyMap<string, string>;
}

export const keys = {
  rate: (rate: { currency: string; date: string }) => `${rate.currency} ${rate.date}`,
  address: ({ street, houseNumber, city, zipCode }: Address) =>
    [street, houseNumber, city, zipCode].map((part) => part ?? '').join('|'),
  stock: (productId: number, warehouseId: number) => `${productId} ${warehouseId}`,
  movement: (inventoryId: number, move: { referenceType?: string | null; referenceId?: number | null }) =>
    `${inventoryId} ${move.referenceType} ${move.referenceId}`,
  /** An expense or a supplier invoice: vendors number their documents. */
  numbered: (vendorId: number, documentNumber: string) => `${vendorId} ${documentNumber}`,
  retainer: (entityId: number, description: string | undefined) => `${entityId} ${description}`,
};

interface Address {
  readonly street: string;
  readonly city: string;
  readonly houseNumber?: string | null;
  readonly zipCode?: string | null;
}

const MANIFEST = /^counterfoil-seed-\d+\.json$/;

/** Reads what the company has. Documents are only those with an `externalId` of the seed. */
export async function readExisting(client: Counterfoil, seed: number): Promise<Existing> {
  const [parties, goods, costs, documents] = await Promise.all([
    readParties(client),
    readGoods(client),
    readCosts(client),
    readDocuments(client, seed),
  ]);
  return { ...parties, ...goods, ...costs, ...documents };
}

async function readParties({ addresses, vendors, clients }: Counterfoil) {
  const [allAddresses, allVendors, allClients] = await Promise.all([
    addresses.list().toArray(),
    vendors.list().toArray(),
    clients.list().toArray(),
  ]);
  return {
    addresses: mapOf(allAddresses, keys.address, ({ id }) => id),
    vendors: mapOf(allVendors, ({ taxId }) => taxId, idsOf),
    clients: mapOf(allClients, ({ taxId }) => taxId, idsOf),
  };
}

async function readGoods({ products, warehouses, stock }: Counterfoil) {
  const [allProducts, allWarehouses, records, movements] = await Promise.all([
    products.list().toArray(),
    warehouses.list().toArray(),
    stock.list().toArray(),
    stock.movements().toArray(),
  ]);
  return {
    products: mapOf(allProducts, ({ sku }) => sku, idsOf),
    warehouses: mapOf(allWarehouses, ({ name }) => name, idOf),
    stock: mapOf(records, ({ productId, warehouseId }) => keys.stock(productId, warehouseId), idOf),
    movements: mapOf(
      movements,
      ({ movement }) => keys.movement(movement.inventoryId, movement),
      ({ movement }) => movement.id,
    ),
  };
}

async function readCosts({ files, expenses, purchases, exchangeRates, webhooks }: Counterfoil) {
  const [allFiles, allExpenses, allPurchases, rates, endpoints] = await Promise.all([
    files.list().toArray(),
    expenses.list().toArray(),
    purchases.list().toArray(),
    exchangeRates.list().toArray(),
    webhooks.list().toArray(),
  ]);
  const manifests = allFiles.filter(({ fileName }) => MANIFEST.test(fileName));
  return {
    files: mapOf(allFiles, ({ sha256 }) => sha256, idOf),
    manifests: mapOf(
      manifests,
      ({ fileName }) => fileName,
      (file) => file,
    ),
    rates: new Set(rates.filter(({ source }) => source === 'company').map(keys.rate)),
    expenses: mapOf(
      allExpenses,
      ({ expense, vendor }) => keys.numbered(vendor.id, expense.documentNumber ?? ''),
      ({ expense }) => expense.id,
    ),
    purchases: mapOf(allPurchases, (row) => keys.numbered(row.vendorId, row.documentNumber), idOf),
    webhooks: mapOf(
      endpoints,
      ({ url }) => url,
      ({ id }) => id,
    ),
  };
}

async function readDocuments({ documents, retainers }: Counterfoil, seed: number) {
  const [rows, running] = await Promise.all([
    documents.list({ search: `seed-${seed}/` }).toArray(),
    retainers.list().toArray(),
  ]);
  const ours = rows.filter(({ externalId }) => externalId?.startsWith(`seed-${seed}/`));
  const ofRetainers = ours.filter(({ retainerId }) => retainerId !== null);
  return {
    documents: mapOf(ours, ({ externalId }) => externalId!, issuedOf),
    retainersOfDocuments: mapOf(
      ofRetainers,
      ({ externalId }) => externalId!,
      ({ retainerId }) => retainerId!,
    ),
    retainers: mapOf(running, (row) => keys.retainer(row.entityId, row.items[0]?.description), idOf),
  };
}

const idOf = ({ id }: { readonly id: number }): number => id;
const idsOf = ({ id, visibleId }: Ids): Ids => ({ id, visibleId });

export const issuedOf = ({ totalWithTax, ...ids }: Ids & { readonly totalWithTax: number }): Issued => ({
  ...idsOf(ids),
  total: Math.round(totalWithTax * 100),
});

const mapOf = <Row, Value>(
  rows: readonly Row[],
  key: (row: Row) => string,
  value: (row: Row) => Value,
): Map<string, Value> => new Map(rows.map((row) => [key(row), value(row)]));
